# SPDX-License-Identifier: GPL-2.0-or-later
"""Random block-structured programs.

generate(seed, model) gives the source of a program that ends, for every seed,
after a bounded number of instructions and prints all its results: registers,
queues, CYCLE, a memory area and a signature of the traps it took.

Whatever is generated keeps these rules:

* x1 points to the middle of the memory area, x3 is the signature of the
  traps, x2 belongs to the handler, x0 is scratch, sp or a0 (what the model's
  templates use) is the stack, s6-s8 count loops;
* T and U hold four values each from the start, so that every queue operand
  is valid;
* a statement starts and ends with no open block; inside it control only goes
  forward, or back in a counted loop;
* an instruction that may fault is four bytes long: the handler goes on
  behind it.  When a tile block faults the handler gives the block up.
"""
import random

AREA = 512                      # bytes on each side of x1
POOL = ["a1", "a2", "a3", "a4", "a5", "a6", "a7",
        "s0", "s1", "s2", "s3", "s4", "s5"]
COUNTERS = ["s8", "s7", "s6"]
QUEUE = [f"{q}#{n}" for q in "tu" for n in range(1, 5)]
PRINTED = ["sp", "a0"] + POOL + ["ra", "s6", "s7", "s8", "x3"] + QUEUE

ALU3 = "add addw and andw or orw sub subw xor xorw".split()
ALU2 = ("sll sllw sra sraw srl srlw div divu divuw divw mul mulu muluw mulw "
        "rem remu remuw remw max maxu min minu").split()
ALUI = ("addi addiw andi andiw ori oriw subi subiw xori xoriw "
        "cmp.eqi cmp.nei cmp.lti cmp.gei cmp.ltui cmp.geui cmp.andi "
        "cmp.ori").split()
SHIFTI = "slli slliw srai sraiw srli srliw".split()
FIELD = "bcnt bic bis bxs bxu clz ctz".split()
CMP = "cmp.eq cmp.ne cmp.lt cmp.ge cmp.ltu cmp.geu".split()
HLI = "hl.addi hl.andi hl.ori hl.subi hl.xori hl.cmp.eqi hl.cmp.lti".split()
SHORT = "c.add c.and c.or c.sub".split()
FP2 = "fadd fsub fmul fdiv fmin fmax feq flt fge".split()
AMO = ("add and or smax smin umax umin xor").split()
LOADS = [("ldi", 8), ("lwi", 4), ("lwui", 4), ("lhi", 2), ("lhui", 2),
         ("lbi", 1), ("lbui", 1), ("hl.ldi", 8), ("hl.lwui", 4)]
STORES = [("sdi", 8), ("swi", 4), ("shi", 2), ("sbi", 1), ("hl.sdi", 8)]
CONDITIONS = "eq ne lt ge ltu geu and or".split()

PROLOGUE = """\
// SPDX-License-Identifier: GPL-2.0-or-later
// Made by tests-tcg/random, seed {seed}, model {model}.
.include "pto.inc"
.text
.globl _start
_start:
    BSTART DIRECT, begin
    BSTOP
finish:
    C.BSTART.SYS FALL
    ssrget CYCLE, ->x2
    C.BSTOP
    sdi x2, [x1, {cycle}]
{save}
    la area, ->a1
    li {count}, ->a2
    li UART, ->a3
next_word:
    ldi [a1, 0], ->a4
    c.movi 15, ->a5
next_digit:
    srli a4, 60, ->a6
    slli a4, 4, ->a4
    addi a6, 48, ->a6
    addi a6, 39, ->a7
    cmp.lti a6, 58, ->x2
    csel x2, a6, a7, ->a6
    sbi a6, [a3, 0]
    subi a5, 1, ->a5
    BRI ge, a5, 0, next_digit
    li 10, ->a6
    sbi a6, [a3, 0]
    addi a1, 8, ->a1
    subi a2, 1, ->a2
    BRI ne, a2, 0, next_word
    EXIT_OK
1:  C.BSTART DIRECT, 1b
    C.BSTOP
.align 4
handler:
    C.BSTART.SYS FALL
    sdi a1, [x1, {handler}]
    sdi a2, [x1, {handler} + 8]
{fold}
    ssrget EBARG_TPC, ->x2
    addi x2, 4, ->x2
    ssrset x2, EBARG_TPC
    ssrget EBARG0, ->x2         // a tile block is given up
    bxu x2, 7, 4, ->a1
    cmp.gei a1, 5, ->a1
    andi x2, -97, ->a2
    csel a1, a2, x2, ->x2
    ssrset x2, EBARG0
    ldi [x1, {handler} + 8], ->a2
    ldi [x1, {handler}], ->a1
    acre 0
    C.BSTOP
begin:
    la handler, ->x2
    C.BSTART.SYS FALL
    ssrset x2, EVBASE
    C.BSTOP
    la stack, ->{sp}
    la area + {area}, ->x1
    c.movi 0, ->x3
"""

EPILOGUE = """\
.bss
.align 64
area:
    .space {area} * 2
result:
    .space 8 * {results}
    .space 4096
stack:
    .space 64
"""

FOLDED = ["TRAPNO", "TRAPARG0", "EBARG_TPC", "EBARG0", "EBARG_BPC_CUR",
          "EBARG_BPC_TGT", "EBARG_LRA", "EBARG_TQ0", "EBARG_UQ3", "ECSTATE",
          "CYCLE"]
HANDLER = AREA - 64             # offsets from x1 that programs do not use
LIMIT = AREA - 80               # first such offset


class Program:
    def __init__(self, seed, model):
        self.r = random.Random(f"{seed}/{model}")
        self.seed, self.model = seed, model
        self.sp = "sp" if model == "pto" else "a0"
        self.lines = []
        self.labels = 0
        self.functions = []
        self.tiles = 0
        self.top = True         # executed exactly once

    def out(self, *lines):
        self.lines += ["    " + line for line in lines]

    def place(self, label):
        self.lines.append(label + ":")

    def label(self, name="l"):
        self.labels += 1
        return f"{name}{self.labels}"

    def pick(self, *choices):
        return self.r.choice(choices)

    def chance(self, p):
        return self.r.random() < p

    # ---- operands ----

    def src(self):
        x = self.r.random()
        if x < 0.2:
            return self.r.choice(QUEUE)
        return self.r.choice(POOL + ["zero", "x3", "ra", "x1"]
                             if x < 0.3 else POOL)

    def dst(self):
        x = self.r.random()
        if x < 0.15:
            return "t"
        if x < 0.3:
            return "u"
        return self.r.choice(POOL)

    def offset(self, size, span=LIMIT):
        return self.r.randrange(-(AREA // size), span // size) * size

    def short_offset(self, size):
        """For displacements of a few bits."""
        return self.r.randrange(-8, 8) * size

    def immediate(self, bits=11):
        return self.pick(0, 1, 2, 7, (1 << bits) - 1,
                         self.r.randrange(1 << bits))

    # ---- scalar instructions ----

    def alu(self):
        r, s, d = self.r, self.src, self.dst
        kind = r.randrange(13)
        if kind < 3:
            mod = self.pick("", ".sw", ".uw")
            shift = self.pick("", f"<<{r.randrange(1, 8)}")
            self.out(f"{r.choice(ALU3)} {s()}, {s()}{mod}{shift}, ->{d()}")
        elif kind < 5:
            self.out(f"{r.choice(ALU2)} {s()}, {s()}, ->{d()}")
        elif kind < 7:
            self.out(f"{r.choice(ALUI)} {s()}, {self.immediate()}, ->{d()}")
        elif kind == 7:
            op = r.choice(SHIFTI)
            bits = 32 if op.endswith("w") else 64
            self.out(f"{op} {s()}, {r.randrange(bits)}, ->{d()}")
        elif kind == 8:
            self.out(f"{r.choice(FIELD)} {s()}, {r.randrange(64)}, "
                     f"{r.randrange(1, 65)}, ->{d()}")
        elif kind == 9:
            self.out(f"{r.choice(CMP)} {s()}, {s()}, ->{d()}")
        elif kind == 10:
            self.out(f"{r.choice(HLI)} {s()}, {r.randrange(1 << 20)}, ->{d()}")
        elif kind == 11:
            self.out(self.pick(
                f"{r.choice(SHORT)} {s()}, {s()}, ->t",
                f"c.slli t#1, {r.randrange(1, 31)}, ->t",
                f"c.movr {s()}, ->{r.choice(POOL)}",
                f"c.sext.h {s()}, ->t", "c.cmp.nei t#1, 3, ->t",
                f"csel {s()}, {s()}, {s()}, ->{d()}",
                f"madd {s()}, {s()}, {s()}, ->{d()}",
                f"addtpc {r.randrange(16)}, ->{d()}",
                f"hl.mul {s()}, {s()}, ->{d()}, {d()}",
                f"hl.divu {s()}, {s()}, ->{d()}, {d()}"))
        else:
            fs = self.pick("fd", "fs")
            self.out(self.pick(
                f"{r.choice(FP2)}.{fs} {s()}, {s()}, ->{d()}",
                f"scvtf.sd2fd {s()}, ->{d()}",
                f"fcvtz.fd2sd {s()}, ->{d()}",
                f"fmadd.fd {s()}, {s()}, {s()}, ->{d()}"))

    def memory(self):
        r, s, d = self.r, self.src, self.dst
        kind = r.randrange(9)
        if kind < 3:
            op, size = r.choice(LOADS)
            self.out(f"{op} [x1, {self.offset(size, 128)}], ->{d()}")
        elif kind < 5:
            op, size = r.choice(STORES)
            self.out(f"{op} {s()}, [x1, {self.short_offset(size)}]")
        elif kind == 5:
            self.out(f"andi {s()}, 248, ->x0",
                     f"ld [x1, x0], ->{d()}" if self.chance(0.5)
                     else f"sd.u {s()}, [x1, x0]")
        elif kind == 6:
            self.out("mv x1, ->x0",
                     self.pick(f"hl.ldi.po [x0, {self.short_offset(8)}], "
                               f"->{d()}, x0",
                               f"hl.lwi.pr [x0, {self.short_offset(4)}], "
                               f"->{d()}, x0",
                               f"hl.ldip [x0, {self.short_offset(8)}], "
                               f"->{d()}, {d()}"),
                     f"ldi [x0, 0], ->{d()}")
        elif kind == 7:
            op = r.choice(AMO)
            self.out(f"addi x1, {self.r.randrange(16) * 8}, ->x0",
                     self.pick(f"ld.{op} [x0], {s()}, ->{d()}",
                               f"lw.{op} [x0], {s()}, ->{d()}",
                               f"sd.{op} [x0], {s()}",
                               f"swapd [x0], {s()}, ->{d()}",
                               f"casd [x0], {s()}, {s()}, ->{d()}"))
        else:
            self.out(f"lr.d [x1], ->{d()}")
            if self.chance(0.3):
                self.memory()
            self.out(f"sc.d {s()}, [x1], ->{d()}")

    def fault(self):
        """Four bytes that the handler skips."""
        s, d = self.src, self.dst
        self.out(self.pick(
            f"ldi [zero, {self.r.randrange(64) * 8}], ->{d()}",
            f"lbui [zero, 3], ->{d()}", f"sdi {s()}, [zero, 8]",
            ".word 0x00000003", "setc.eq zero, zero", "setc.ne a1, a2",
            "ebreak 5", f"lsrget 0, ->{d()}", "ssrget TIME, ->t",
            f"ldi.u [x1, 1], ->{d()}", "B.DIM a1, 3, ->LB0",
            "B.IOT T#1, mask=1111, last", "B.SUBVIEW 0, a1, 0, 1",
            "ESAVE [a1, a2, a3]", "ERCOV [a1, a2, a3]", "acre 0",
            "B.IOS S1, mask=0001"))

    def jump(self, block):
        target = self.label()
        if self.chance(0.5):
            self.out(f"j {target}")
        else:
            self.out(f"la {target}, ->x0", "jr x0, 0")
        self.scalar(1, block)
        self.place(target)

    def plain(self, n):
        """@n instructions that neither fault nor set a condition."""
        for _ in range(n):
            self.alu()

    def scalar(self, n, block=None):
        """@n instructions; @block is the kind of the open block."""
        for _ in range(n):
            x = self.r.random()
            if x < 0.6:
                self.alu()
            elif x < 0.88:
                self.memory()
            elif x < 0.92:
                self.fault()
            elif x < 0.97 and block in ("std", "fp"):
                self.out(f"lsrget {self.r.randrange(3)}, "
                         f"->{self.dst()}")
            elif x < 0.97 and block == "sys":
                self.out(self.pick(f"ssrget CYCLE, ->{self.dst()}",
                                   f"ssrget CORE_STATE, ->{self.dst()}",
                                   f"ssrswap {self.src()}, THREAD_PTR, "
                                   f"->{self.dst()}",
                                   "fence.d 0, 0", "fence.i"))
            elif self.chance(0.3):
                self.jump(block)

    def setc(self):
        cond = self.r.choice(CONDITIONS)
        form = self.r.randrange(3)
        if form == 0:
            self.out(f"setc.{cond} {self.src()}, {self.src()}")
        elif form == 1:
            self.out(f"setc.{cond}i {self.src()}, {self.r.randrange(16)}")
        else:
            cond = self.pick("eq", "ne")
            self.out(f"c.setc.{cond} {self.src()}, {self.src()}")

    # ---- blocks ----

    def stop(self):
        self.out(self.pick("C.BSTOP", "C.BSTOP", "BSTOP"))

    def open_block(self, target, kinds):
        """One BSTART and its body, without an end."""
        kind = self.r.choice(kinds)
        n = self.r.randrange(4)
        if kind == "cond":
            self.out(self.pick("C.BSTART COND, ", "BSTART COND, ",
                               "BSTART.STD COND, ") + target)
            self.scalar(n, "std")
            if self.chance(0.9):
                self.setc()
            self.scalar(self.r.randrange(3), "std")
        elif kind == "direct":
            self.out(self.pick("C.BSTART DIRECT, ", "BSTART DIRECT, ",
                               "BSTART.FP DIRECT, ") + target)
            self.scalar(n, "std")
        elif kind == "fall":
            self.out(self.pick("C.BSTART.STD FALL", "BSTART.STD FALL"))
            self.scalar(n, "std")
        elif kind == "fp":
            self.out("C.BSTART.FP FALL")
            self.scalar(n, "fp")
        elif kind == "hint":
            self.out("C.BSTART.STD FALL",
                     "B.HINT {BR.likely, TEMP.hot, 5}"
                     if self.chance(0.5) else "B.CATR {aqrl, far}")
            self.scalar(n, "std")
        elif kind == "trap":
            # In pto-ref a handler's BSTART commits the interrupted block.
            self.out("C.BSTART.STD FALL", "B.CATR {trap}")
            self.plain(n)
            self.out("BSTOP", "addi a1, 1, ->a1")   # skipped by the handler
        else:
            self.out(self.pick("C.BSTART.SYS FALL", "BSTART.SYS FALL"))
            self.scalar(n, "sys")

    def trapping(self):
        """A block that traps behind its commit, at a place known to it."""
        self.open_block(None, ["trap"])

    def chain(self):
        """Blocks that end by the next BSTART; the last one by BSTOP."""
        n = self.r.randrange(1, 5)
        labels = [self.label() for _ in range(n)]
        kinds = ["cond", "cond", "fall", "fp", "sys", "hint"]
        for i in range(n):
            # Nothing of the chain is skipped by DIRECT but its own tail.
            self.open_block(self.r.choice(labels[i:]),
                            kinds + ["direct"] if i == n - 1 else kinds)
            if i == n - 1 or self.chance(0.3):
                self.stop()
            self.place(labels[i])

    def skip(self, depth):
        """A conditional transfer around statements."""
        target = self.label()
        top, self.top = self.top, False
        self.open_block(target, ["cond"])
        self.stop()
        self.statements(self.r.randrange(1, 3), depth + 1)
        self.place(target)
        self.top = top

    def loop(self, depth, loops):
        counter = COUNTERS[loops]
        start = self.label("loop")
        top, self.top = self.top, False
        self.out(f"c.movi {self.r.randrange(1, 5)}, ->{counter}")
        self.place(start)
        self.statements(self.r.randrange(1, 3), depth + 1, loops + 1)
        self.out(f"BSTART COND, {start}")
        self.plain(self.r.randrange(3))
        self.out(f"subi {counter}, 1, ->{counter}",
                 f"setc.gei {counter}, 1")
        self.stop()
        self.top = top

    # ---- calls ----

    def call(self, leaf=False):
        if self.functions and (leaf or self.chance(0.7)):
            known = [f for f in self.functions if not leaf or f[1]]
            name = self.r.choice(known)[0] if known else None
        else:
            name = None
        if not name:
            name = self.label("fn")
            self.functions.append((name, leaf or self.chance(0.5)))
        behind = self.label("ret")
        form = self.r.randrange(4)
        if form == 0:
            self.out(f"BSTART.CALL {name}, {behind}, ->ra")
            self.plain(self.r.randrange(3))
        elif form == 1:
            self.out(f"BSTART DIRECT, {name}", f"setret {behind}, ->ra")
            self.plain(self.r.randrange(3))
        elif form == 2:
            self.out(f"la {name}, ->x0", "C.BSTART.STD FALL",
                     self.pick("c.setc.tgt x0", "setc.tgt x0"),
                     f"BSTART.ICALL {behind}, ->ra")
            self.plain(self.r.randrange(3))
        else:
            self.out(f"la {name}, ->x0", "C.BSTART.STD FALL",
                     "c.setc.tgt x0", "BSTART.STD IND",
                     f"setret {behind}, ->ra")
        self.stop()
        self.place(behind)

    def function(self, name, leaf):
        self.place(name)
        self.top = False
        if leaf and self.chance(0.4):
            self.out(self.pick("C.BSTART.STD RET", "BSTART.STD RET",
                               "BSTART.FP RET"))
            self.scalar(self.r.randrange(4), "std")
            self.stop()
        elif leaf and self.chance(0.5):
            self.scalar(self.r.randrange(4))
            self.out("C.BSTART.STD FALL", "c.setc.tgt ra",
                     "C.BSTART.STD IND")
            self.stop()
        else:
            last = self.pick("ra", "s0", "s3", "s8")
            frame = f"[ra ~ {last}], sp!, {self.pick(128, 160)}"
            self.out(f"FENTRY {frame}")
            self.scalar(self.r.randrange(3))
            if not leaf:
                self.call(leaf=True)
                self.chain()
            if self.chance(0.3):
                self.out(f"FEXIT {frame}", "C.BSTART.STD FALL",
                         "c.setc.tgt ra", "C.BSTART.STD IND")
                self.stop()
                return
            self.out(f"FRET.{'STK' if not leaf or self.chance(0.5) else 'RA'}"
                     f" {frame}")

    # ---- templates and tiles ----

    def template(self):
        length = self.pick(0, 1, 7, 8, 33, 64)
        self.out(f"addi x1, {self.r.randrange(4) * 64}, ->x0",
                 f"c.movr x1, ->{(a := self.r.choice(POOL[:6]))}",
                 f"subi {a}, {self.r.randrange(200)}, ->{a}",
                 f"li {length}, ->{(n := self.r.choice(POOL[6:]))}")
        if self.chance(0.25):           # beyond the end of memory
            self.out(f"li 0x88000000 - {self.r.randrange(24)}, ->x0")
        self.out(f"MCOPY [x0, {a}, {n}]" if self.chance(0.6)
                 else f"MSET [x0, {a}, {n}]")

    def tile_end(self, last=False):
        if last or self.chance(0.5):
            self.out("BSTOP")

    def tiles_once(self):
        """Load two tiles, combine them, store the result."""
        rows, cols = self.pick((1, 4), (2, 4), (4, 8), (8, 8))
        size = self.pick(2, 3)
        self.tiles += 1
        left, right, result = (
            ("T#1", "U#1", "M#1") if self.model == "pto" else
            (f"T#{self.tiles}", f"U#{self.tiles}", f"M#{self.tiles}"))
        kind = self.pick("S32", "FP32", "U32")
        op = self.pick("TADD", "TSUB", "TMAX", "TMIN", "TMUL")
        stride = self.r.choice(POOL)
        self.out(f"li {cols * 4}, ->{stride}",
                 f"subi x1, {64 * self.r.randrange(4)}, ->x0")
        for hand in "TU":
            self.out(f"BSTART.TLOAD {kind}")
            self.tile_dims(rows, cols)
            self.out(f"B.IOR x0, {stride}",
                     f"B.IOT mask=1111, ->{hand}<{size}>, last")
            self.tile_end()
        self.out(f"BSTART.VEC {op}, {kind}")
        self.tile_dims(rows, cols)
        self.out(f"B.IOT {left}, {right}, mask=1111, ->M<{size}>, last")
        self.tile_end()
        self.out(f"BSTART.TSTORE {kind}")
        self.tile_dims(rows, cols)
        self.out(f"B.IOR x1, {stride}", f"B.IOT {result}, mask=1111, last")
        self.tile_end(last=True)

    def product(self):
        """S8 matrices through CUBE layouts, or a tile through S registers."""
        self.out(f"subi x1, {64 * self.r.randrange(4)}, ->x0",
                 "li 4, ->a1", "li 2, ->a2", "li 8, ->a3")
        if self.chance(0.4):
            s = f"S{self.r.randrange(64)}"
            self.out("BSTART.TLOAD S32", "B.DIM LB0, 2", "B.DIM LB1, 2",
                     "B.DIM LB2, 2", "B.IOR x0, a3",
                     f"B.IOS mask=0001, ->{s}<1>")
            self.tile_end()
            self.out("BSTART.TSTORE S32", "B.DIM LB0, 2", "B.DIM LB1, 2",
                     "B.IOR x1, a3", f"B.IOS {s}, mask=0001")
            self.tile_end(last=True)
            return
        for hand, layout, cols, stride in (("T", "ND2M16", 4, "a1"),
                                           ("U", "ND2N8", 2, "a2")):
            self.out("BSTART.TLOAD S8",
                     f"B.DATR {{{layout}, DTYPE_NONE, Null, EQ, Default, 0, "
                     f"0}}",
                     f"B.DIM LB0, {cols}", f"B.DIM LB1, {8 // cols}",
                     f"B.IOR x0, {stride}",
                     f"B.IOT mask=1111, ->{hand}<2>, last")
            self.tile_end()
        self.out("BSTART.TMATMUL S8",
                 "B.FPATR None, None, 0, 0, 0, 0, 0, 0, 0, 0",
                 "B.DIM LB0, 2", "B.DIM LB1, 2", "B.DIM LB2, 4",
                 "B.IOT T#1, U#1, mask=1111, ->M<2>, last")
        self.tile_end()
        self.out("BSTART.TSTORE S32",
                 "B.DATR {M162ND, DTYPE_NONE, Null, EQ, Default, 0, 0}",
                 "B.DIM LB0, 2", "B.DIM LB1, 2", "B.IOR x1, a3",
                 "B.IOT M#1, mask=1111, last")
        self.tile_end(last=True)

    def tile_dims(self, rows, cols):
        if self.chance(0.3):
            self.out(f"C.B.DIMI {cols}, ->LB0")
        else:
            self.out(f"B.DIM zero, {cols}, ->LB0")
        self.out(f"B.DIM LB1, {rows}")

    def tile_fault(self):
        """A tile block that is rejected, in its header or at its end."""
        kind = self.r.randrange(4)
        if kind == 0:
            self.out("BSTART.TLOAD S32", "B.DIM LB0, 4", "B.DIM LB1, 2",
                     "B.IOR zero, zero", "B.IOT mask=1111, ->N<1>, last")
        elif kind == 1:
            self.out("BSTART.VEC TADD, S32", "B.DIM LB0, 4", "B.DIM LB1, 1",
                     "B.IOT N#15, N#16, mask=1111, ->N<1>, last")
        elif kind == 2:
            self.out("BSTART.VEC TADD, S32", "B.DIM LB0, 4", "B.DIM LB0, 4",
                     "B.IOT T#1, T#1, mask=1111, ->N<1>, last")
        else:
            self.out("BSTART.TSTORE S32", "B.DIM LB0, 4",
                     "B.IOR x1, zero", "B.FPATR None, None, 0, 0, 0, 0, 0, 0,"
                     " 0, 0", "B.IOT T#1, mask=1111, last")
        self.out("BSTOP")

    # ---- whole programs ----

    def statement(self, depth, loops):
        x = self.r.random()
        if x < 0.25:
            self.scalar(self.r.randrange(1, 5))
        elif x < 0.53:
            self.chain()
        elif x < 0.55:
            self.trapping()
        elif x < 0.65 and depth < 3:
            self.skip(depth)
        elif x < 0.73 and loops < len(COUNTERS) and depth < 3:
            self.loop(depth, loops)
        elif x < 0.85:
            self.call()
        elif x < 0.90:
            self.template()
        elif self.model == "pto" and x < 0.93:
            self.tile_fault()
        elif self.model == "pto" and x < 0.96:
            self.product()
        elif self.model == "pto" or (self.top and self.tiles < 14):
            self.tiles_once()

    def statements(self, n, depth=0, loops=0):
        for _ in range(n):
            self.statement(depth, loops)

    def source(self, length):
        for i, reg in enumerate(POOL):
            value = self.r.getrandbits(self.pick(4, 16, 32, 63))
            self.out(f"li {value}, ->{reg}")
        for i in range(4):
            self.out(f"addi {POOL[i]}, {i}, ->t", f"addi {POOL[i + 4]}, 1, ->u")
        for at in range(-AREA, AREA, 64):
            self.out(f"sdi {self.r.choice(POOL)}, [x1, {at}]")
        self.statements(length)
        self.out("BSTART DIRECT, finish", "C.BSTOP")
        done = 0
        while done < len(self.functions):
            self.function(*self.functions[done])
            done += 1
        return self.assembled()

    def assembled(self):
        results = len(PRINTED) + 1
        first = AREA                    # result follows the area
        cycle = first + 8 * len(PRINTED)
        save = "\n".join(f"    sdi {reg}, [x1, {first + 8 * i}]"
                         for i, reg in enumerate(PRINTED))
        fold = "\n".join(f"    ssrget {ssr}, ->x2\n"
                         "    add x3, x3<<5, ->x3\n    add x3, x2, ->x3"
                         for ssr in FOLDED)
        head = PROLOGUE.format(seed=self.seed, model=self.model, cycle=cycle,
                               save=save, count=AREA // 4 + results,
                               fold=fold, area=AREA,
                               handler=HANDLER, sp=self.sp)
        return head + "\n".join(self.lines) + "\n" + \
            EPILOGUE.format(area=AREA, results=results)


def generate(seed, model, length=24):
    """Source text of program @seed for CPU model @model."""
    return Program(seed, model).source(length)
