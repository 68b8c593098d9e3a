# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs that run tile operations on a live machine.

A Run is one tile block between the loads of its operands and the stores of
its results: lines of assembly that take every number from a row of
parameters, so that a few hundred different lines make up all programs. Each
of them is assembled once; the code of a batch is put together from the
pieces. listing() gives the same program as one source for pto-as.

Registers of a program: s0 parameters, s1 record of the run (flags, mark,
trap number, trap argument), s2 where to go on after a trap, a0.. scratch.
"""
import os
import re
import signal
import struct
import subprocess
import tempfile

RAM_BASE = 0x80000000
CODE_AT = 0x1000            # of the runs, in RAM
TRAILER = 0x100             # code behind the runs
RECORD = 32
DONE, TRAPPED = 1, 2
HANDS = "TUMN"
SLOTS = 16
POOL = 262144
CORE_STATE_FLAGS = 32

SFU = frozenset("TDIV TREM TEXP TLOG TRECIP TSQRT TRSQRT TDIVS TREMS TQUANT "
                "TDEQUANT TSORT TMRGSORT".split())

FAULT = re.compile(r"PE 0: (.*) fault at pc (0x[0-9a-f]+),[^\n]*?"
                   r"(?:, rule ([^\n]*))?\n")

PROLOGUE = """\
.include "pto.inc"
.text
_start:
    la trapped, ->x0
    SETSR EVBASE, x0
    li {params}, ->s0
    li {records}, ->s1
    la runs, ->x0
    C.BSTART.STD FALL
    c.setc.tgt x0
    C.BSTART.STD IND
    C.BSTOP
.align 4
trapped:
    C.BSTART.SYS FALL
    ssrget TRAPNO, ->a0
    ssrget TRAPARG0, ->a1
    C.BSTOP
    li 2, ->a2
    sdi a2, [s1, 8]
    sdi a0, [s1, 16]
    sdi a1, [s1, 24]
    C.BSTART.STD FALL
    c.setc.tgt s2
    C.BSTART.STD IND
    C.BSTOP
"""
EPILOGUE = """\
    li 0x5555, ->x0
    li FINISHER, ->x1
    swi x0, [x1, 0]
1:  j 1b
"""

GET_FLAGS = ("C.BSTART.SYS FALL", "ssrget CORE_STATE, ->a0", "C.BSTOP",
             "sdi a0, [s1, 0]")
CLEAR_FLAGS = ("C.BSTART.SYS FALL", "ssrset zero, CORE_STATE", "C.BSTOP")


def instruction_length(h, h2):
    """Bytes of an instruction by its first two halfwords."""
    if h & 0xf == 0xe:
        return 6
    if h & 0x7f in (0x0f, 0x7f):
        return 8
    if h & 1 or (h & 0xf == 2 and h2 & 0xf83f == 0x5016):
        return 4
    return 2


def pow2(n):
    return 1 << max(n - 1, 0).bit_length()


def size_code(size):
    """Code of the smallest tile of at least @size bytes."""
    return max(pow2(size).bit_length() - 7, 1)


def row_bytes(cols, bits):
    return (cols * bits + 7) // 8


def pack(values, rows, cols, bits):
    """Row-major image of rows x cols elements, rows on whole bytes; the last
    element repeats."""
    values = list(values) + [values[-1]] * (rows * cols - len(values))
    if bits == 4:
        out = bytearray()
        for at in range(0, rows * cols, cols):
            row = values[at:at + cols] + [0] * (cols & 1)
            out += bytes(low | high << 4
                         for low, high in zip(row[::2], row[1::2]))
        return bytes(out)
    return struct.pack(f"<{rows * cols}{'BHIQ'[bits.bit_length() - 4]}",
                       *values)


def unpack(data, rows, cols, bits):
    if bits != 4:
        return list(struct.unpack(
            f"<{rows * cols}{'BHIQ'[bits.bit_length() - 4]}", data))
    out = []
    width = row_bytes(cols, 4)
    for row in range(rows):
        part = data[row * width:(row + 1) * width]
        digits = [d for byte in part for d in (byte & 15, byte >> 4)]
        out += digits[:cols]
    return out


class Tile:
    """A tile that a run has made: name() is what it is called now."""

    def __init__(self, run, hand, bits, shape, layout=None):
        run.made[hand] = self.serial = run.made.get(hand, 0) + 1
        self.run, self.hand, self.bits = run, hand, bits
        self.shape, self.layout = shape, layout     # (rows, columns), valid

    def name(self):
        return f"{self.hand}#{self.run.made[self.hand] - self.serial + 1}"


class Run:
    """Assembly, parameters and expectations of one tile operation."""

    def __init__(self, what):
        self.what = what            # for a reader: "TADDS element 3"
        self.lines = []
        self.params = []            # int, bytes (operand) or Output
        self.outputs = []
        self.made = {}
        self.tile_bytes = {h: [] for h in HANDS}
        self.flags = 0              # None: not looked at
        self.lines += CLEAR_FLAGS

    # ---- parameters --------------------------------------------------------

    def parameter(self, value, reg):
        self.params.append(value)
        self.lines.append(f"ldi [s0, {8 * len(self.params)}], ->{reg}")

    def dims(self, lb0=None, lb1=None, lb2=None):
        self.lines += [f"B.DIM LB{i}, {n}"
                       for i, n in enumerate((lb0, lb1, lb2)) if n is not None]

    def datr(self, layout="NORM", dtype="DTYPE_NONE", pad="Zero", cmode="EQ",
             rmode="NONE", sat=0, canon=0):
        spelling = {"NONE": "Default", "RDN": "RTM", "RUP": "RTP"}
        self.lines.append(f"B.DATR {{{layout}, {dtype}, {pad}, {cmode}, "
                          f"{spelling.get(rmode, rmode)}, {sat}, {canon}}}")

    def scalars(self, *values):
        """Values of B.IOR in a0, a1.., written before the block begins;
        returns the B.IOR line."""
        regs = [f"a{i}" for i in range(len(values))]
        for value, reg in zip(values, regs):
            self.parameter(value & (1 << 64) - 1, reg)
        return "B.IOR " + ", ".join(regs)

    # ---- tiles -------------------------------------------------------------

    def new(self, hand, bits, shape, code, layout=None):
        self.tile_bytes[hand].append(128 << code - 1)
        return Tile(self, hand, bits, shape, layout)

    def load(self, hand, dtype, bits, values, shape, cols=None, code=None):
        """TLOAD of a row-major tile; @cols: storage columns."""
        rows, vcols = shape
        cols = cols or pow2(vcols)
        if code is None:
            code = size_code((rows * cols * bits + 7) // 8)
        self.parameter(pack(values, rows, vcols, bits), "a0")
        self.lines += [f"li {row_bytes(vcols, bits)}, ->a1",
                       f"BSTART.TLOAD {dtype}"]
        self.dims(vcols, rows, cols)
        self.lines += ["B.IOR a0, a1",
                       f"B.IOT mask=1111, ->{hand}<{code}>, last", "C.BSTOP"]
        return self.new(hand, bits, shape, code)

    def load_cube(self, hand, dtype, bits, values, shape, layout, code=None):
        """TLOAD into CUBE layout M16, M32 or N8."""
        rows, cols = shape
        code = code or size_code(cube_bytes(bits, shape, layout))
        self.parameter(pack(values, rows, cols, bits), "a0")
        self.lines += [f"li {row_bytes(cols, bits)}, ->a1",
                       f"BSTART.TLOAD {dtype}"]
        self.datr("ND2" + layout, pad="Null")
        self.dims(cols, rows)
        self.lines += ["B.IOR a0, a1",
                       f"B.IOT mask=1111, ->{hand}<{code}>, last", "C.BSTOP"]
        return self.new(hand, bits, shape, code, layout)

    def load_shared(self, number, dtype, bits, values, shape):
        """TLOAD of a row-major matrix into Shared register @number; its
        name. Only B.ASSEMBLE may give the register another shape."""
        rows, cols = shape
        code = size_code((rows * cols * bits + 7) // 8)
        self.parameter(pack(values, rows, cols, bits), "a0")
        self.lines += [f"li {row_bytes(cols, bits)}, ->a1",
                       f"BSTART.TLOAD {dtype}"]
        self.dims(cols, rows, cols)
        self.lines += ["B.IOR a0, a1", f"B.IOS mask=0001, ->S{number}<{code}>",
                       f"B.ASSEMBLE 1, 1, zero, 0, {code}", "C.BSTOP"]
        return f"S{number}"

    def block(self, start, attributes, sources, destinations):
        """The operation. @sources: tiles; @destinations: (hand, bits, shape,
        size code, layout) each. @attributes: lines, or functions that add
        lines. Returns the destination tiles."""
        self.lines.append(start)
        for a in attributes:
            if callable(a):
                a()
            else:
                self.lines.append(a)
        names = [t.name() for t in sources]
        pairs = [names[i:i + 2] for i in range(0, len(names), 2)] or [[]]
        while len(pairs) < len(destinations):
            pairs.append([])
        first = len(pairs) - len(destinations)
        for i, pair in enumerate(pairs):
            operands = pair + ["mask=1111"]
            if i >= first:
                hand, _, _, code, _ = destinations[i - first]
                operands.append(f"->{hand}<{code}>")
            if i == len(pairs) - 1:
                operands.append("last")
            self.lines.append("B.IOT " + ", ".join(operands))
        self.lines.append("C.BSTOP")
        return [self.new(h, b, s, c, lay) for h, b, s, c, lay in destinations]

    def tile_op(self, op, dtype, attributes, sources, destinations):
        """A TEPL operation by its name."""
        wide = op in SFU or op.startswith(("TROW", "TCOL"))
        return self.block(f"BSTART.{'SFU' if wide else 'VEC'} {op}, {dtype}",
                          attributes, sources, destinations)

    def get_flags(self, want):
        """Here the flags must be @want."""
        self.flags = want
        self.lines += GET_FLAGS

    def store(self, tile, dtype, want, label="r", mask="1111"):
        """TSTORE and what must be there: as many elements as @want has.
        @mask: the PEs that the tile belongs to, at most."""
        rows, cols = tile.shape
        out = Output(label, rows, cols, tile.bits, want)
        self.outputs.append(out)
        self.parameter(out, "a0")
        self.lines += [f"li {row_bytes(cols, tile.bits)}, ->a1",
                       f"BSTART.TSTORE {dtype}"]
        if tile.layout:
            self.datr(tile.layout + "2ND")
        self.dims(cols, rows)
        self.lines += ["B.IOR a0, a1", f"B.IOT {tile.name()}, mask={mask}, last",
                       "C.BSTOP"]

    def ending(self):
        return ["li 1, ->a0", "sdi a0, [s1, 8]"]

    def body(self):
        return ["ldi [s0, 0], ->s2", *self.lines, *self.ending()]

    def after(self):
        """Where a trap goes on, too."""
        return [f"addi s0, {8 * (len(self.params) + 1)}, ->s0",
                f"addi s1, {RECORD}, ->s1"]


class Output:
    """Memory that a run stores to, and the elements expected there."""

    def __init__(self, label, rows, cols, bits, want):
        self.label, self.rows, self.cols, self.bits = label, rows, cols, bits
        self.want = want
        self.size = rows * row_bytes(cols, bits)

    def differences(self, data):
        n = len(self.want)
        have = unpack(data, self.rows, self.cols, self.bits)[:n]
        digits = max(self.bits // 4, 1)
        return [f"{self.label}[{i}]: expected 0x{w:0{digits}X}, "
                f"got 0x{h:0{digits}X}"
                for i, (w, h) in enumerate(zip(self.want, have)) if w != h]


def cube_bytes(bits, shape, layout):
    """Bytes of the CELLs of a CUBE tile."""
    rows, cols = shape
    if layout == "N8":
        cell = (128 // bits, 8)
    else:
        height = int(layout[1:])
        cell = (height, 1024 // bits // height)
    return -(-rows // cell[0]) * -(-cols // cell[1]) * 128


def retiring_run():
    """Small tiles push the ones of all hands out."""
    run = Run("")
    for hand in HANDS:
        for _ in range(SLOTS):
            run.load(hand, "U8", 8, [0], (1, 1))
    return run


class Pool:
    """Upper bound of what the tiles of all hands hold; they retire only to
    make room in their own hand."""

    def __init__(self):
        self.hands = {h: [] for h in HANDS}

    def take(self, run):
        """False: push old tiles out first."""
        after = {h: (self.hands[h] + run.tile_bytes[h])[-SLOTS:]
                 for h in HANDS}
        total = sum(sum(self.hands[h] + run.tile_bytes[h]) for h in HANDS)
        if total > POOL and any(sum(v) > SLOTS * 128
                                for v in self.hands.values()):
            return False
        self.hands = after
        return True


def with_retirement(runs):
    """The runs, with others between them where the pool could be full."""
    pool = Pool()
    for run in runs:
        if not pool.take(run):
            small = retiring_run()
            pool = Pool()
            pool.take(small)
            yield small
            pool.take(run)
        yield run


# ---- assembly --------------------------------------------------------------

class AssemblyError(Exception):
    pass


class Assembler:
    """pto-as, with the code of every line it has seen."""

    def __init__(self, tool, include):
        self.tool, self.include, self.known = tool, include, {}

    def call(self, folder, name, text, *options):
        source, out = (os.path.join(folder, name + e) for e in (".s", ".out"))
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        try:
            done = subprocess.run([self.tool, "-I", self.include, *options,
                                   "-o", out, source], capture_output=True,
                                  text=True, check=False)
        except OSError as exc:
            raise AssemblyError(f"{self.tool}: {exc.strerror}") from None
        if done.returncode:
            raise AssemblyError(f"{self.tool}: " + "\n".join(
                done.stderr.splitlines()[:4]))
        return out

    def learn(self, folder, lines):
        """Assemble the lines not seen yet, each at an address of its own."""
        new = [line for line in dict.fromkeys(lines) if line not in self.known]
        if not new:
            return
        text = '.include "pto.inc"\n.text\n_start:\n' + "".join(
            f"    {line}\n.align 32\n" for line in new)
        path = self.call(folder, "lines", text, "--binary")
        with open(path, "rb") as f:
            data = f.read()
        for i, line in enumerate(new):
            part = data[32 * i:32 * i + 32].ljust(32, b"\0")
            self.known[line] = self.cut(line, part)

    @staticmethod
    def cut(line, part):
        """The instruction at the start of @part."""
        at = instruction_length(*struct.unpack_from("<HH", part))
        if any(part[at:]):
            raise AssemblyError(f"'{line}' is more than one instruction")
        return part[:at]


class Batch:
    """Runs put together to one image; results by position."""

    def __init__(self, runs, assembler, folder):
        self.runs = list(with_retirement(runs))
        self.assembler, self.folder = assembler, folder
        self.build()

    def build(self):
        bodies = [(run.body(), run.after()) for run in self.runs]
        self.assembler.learn(self.folder, (line for pair in bodies
                                           for part in pair for line in part))
        known = self.assembler.known
        code, resume = bytearray(), []
        for body, after in bodies:
            code += b"".join(known[line] for line in body)
            resume.append(RAM_BASE + CODE_AT + len(code))
            code += b"".join(known[line] for line in after)
        self.code = bytes(code)
        at = CODE_AT + len(code) + TRAILER
        self.params_at = at = self.aligned(at)
        at += sum(8 * (len(run.params) + 1) for run in self.runs)
        self.records_at = at = self.aligned(at)
        self.data_at = self.aligned(at + RECORD * len(self.runs))
        self.lay_out(resume)

    @staticmethod
    def aligned(at):
        return (at + 63) & ~63

    def lay_out(self, resume):
        """Operands once each; outputs behind them."""
        data, places, outputs = bytearray(), {}, []
        params = []
        for run, go_on in zip(self.runs, resume):
            params.append(go_on)
            for p in run.params:
                if isinstance(p, bytes):
                    if p not in places:
                        places[p] = len(data)
                        data += p + bytes(-len(p) % 64)
                    params.append(RAM_BASE + self.data_at + places[p])
                elif isinstance(p, Output):
                    outputs.append((len(params), p))
                    params.append(0)
                else:
                    params.append(p)
        at = self.data_at + len(data)
        for index, out in outputs:
            out.at = at
            params[index] = RAM_BASE + at
            at = self.aligned(at + out.size)
        self.data, self.ram_size = bytes(data), (at + 0x1fffff) & ~0xfffff
        self.params = struct.pack(f"<{len(params)}Q", *params)

    def image(self):
        """ELF file, and the raw operands with their parameters."""
        code = os.path.join(self.folder, "runs.bin")
        with open(code, "wb") as f:
            f.write(self.code)
        raw = os.path.join(self.folder, "params.bin")
        with open(raw, "wb") as f:
            f.write(self.params)
            f.write(bytes(self.data_at - self.params_at - len(self.params)))
            f.write(self.data)
        text = PROLOGUE.format(params=RAM_BASE + self.params_at,
                               records=RAM_BASE + self.records_at)
        text += f'.align {CODE_AT}\nruns:\n.incbin "{code}"\n' + EPILOGUE
        return self.assembler.call(self.folder, "program", text), raw

    def execute(self, options):
        """Run the program and keep what it leaves in memory. Returns the text
        of a failure of QEMU itself, or None."""
        elf, raw = self.image()
        log = os.path.join(self.folder, "log")
        shm = "/dev/shm" if os.path.isdir("/dev/shm") else None
        with tempfile.NamedTemporaryFile(dir=shm) as ram:
            ram.truncate(self.ram_size)
            command = [options.qemu, "-M", "pto-virt,memory-backend=ram",
                       "-cpu", options.cpu, "-display", "none", "-nodefaults",
                       "-m", f"size={self.ram_size}B", "-object",
                       f"memory-backend-file,id=ram,size={self.ram_size},"
                       f"mem-path={ram.name},share=on", "-kernel", elf,
                       "-device", f"loader,file={raw},force-raw=on,"
                       f"addr={RAM_BASE + self.params_at:#x}",
                       "-d", "int", "-D", log, *options.qemu_arg]
            problem = run_qemu(command, options.live_timeout)
            with open(ram.name, "rb") as f:
                f.seek(self.records_at)
                self.memory = f.read()
        self.faults = read_faults(log)
        return problem

    def bytes_at(self, at, size):
        at -= self.records_at
        return self.memory[at:at + size]

    def record(self, index):
        return struct.unpack("<4Q", self.bytes_at(
            self.records_at + RECORD * index, RECORD))


def read_faults(path):
    """PC -> "tile legality, RULE" from the log of QEMU."""
    try:
        with open(path, encoding="utf-8", errors="replace") as log:
            found = FAULT.findall(log.read())
    except OSError:
        return {}
    return {int(pc, 16): name + (f", {rule}" if rule else "")
            for name, pc, rule in found}


def run_qemu(command, timeout):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=timeout,
                              check=False)
    except subprocess.TimeoutExpired:
        return f"QEMU did not finish within {timeout:.0f} s"
    except OSError as exc:
        return f"{command[0]}: {exc.strerror}"
    if done.returncode == 0:
        return None
    how = f"status {done.returncode}"
    if done.returncode < 0:
        how = signal.Signals(-done.returncode).name
    last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
    return " ".join([f"QEMU ended with {how}", *last])


def listing(runs):
    """One source with operands and room for the results."""
    text = [PROLOGUE.format(params="params", records="records")
            .replace("li params", "la params")
            .replace("li records", "la records"), "runs:"]
    params, data = ["params:"], []
    for i, run in enumerate(runs):
        text += [f"// {run.what}", *("    " + line for line in run.body()),
                 f"resume{i}:", *("    " + line for line in run.after())]
        params.append(f"    .dword resume{i}")
        for p in run.params:
            if isinstance(p, int):
                params.append(f"    .dword {p:#x}")
                continue
            params.append(f"    .dword data{len(data)}")
            name = f".align 64\ndata{len(data)}:"
            if isinstance(p, bytes):
                data.append(name + "".join(
                    "\n    .byte " + ", ".join(map(hex, p[at:at + 16]))
                    for at in range(0, len(p), 16)))
            else:
                data.append(f"{name}        // {p.label}, expected: "
                            + " ".join(map(hex, p.want[:16]))
                            + f"\n    .space {p.size}")
    text += [EPILOGUE, ".data", ".align 64", *params, ".align 64", "records:",
             f"    .space {RECORD * len(runs)}", *data]
    return "\n".join(text) + "\n"
