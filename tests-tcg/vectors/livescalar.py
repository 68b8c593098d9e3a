# SPDX-License-Identifier: GPL-2.0-or-later
"""Numeric vectors of the scalar floating-point unit on a live PE.

All elements become one straight-line guest program: load the operands, write
CORE_STATE (rounding mode, flags clear), execute the instruction, store the
result and CORE_STATE. The program starts inside an open SYS block and runs
freely to a breakpoint; results are then read from guest RAM.
"""
import os
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "pylib"))

from ptolink import LinkError, Machine                      # noqa: E402
import numcase as nc                                        # noqa: E402

RAM_BASE = 0x80000000
RAM_SIZE = 32 << 20
CODE, INPUT, OUTPUT = 0, 8 << 20, 16 << 20
CORE_STATE = 0x020
EVBASE = "0x0f01"
LENGTH = 11 * 4             # of the code of one element
GIVEN_UP = "not executed, QEMU ended too often"
CRASHES = 10                # of QEMU, before the rest is given up

# registers of the generated program
IN, OUT, A, B, C, R, STATE, MODE = 2, 3, 4, 5, 6, 7, 8, 9

LDI_U, SDI_U, ADDI = 0x3029, 0x7059, 0x0015
SSRGET, SSRSET = 0x003b, 0x103b

BINARY = {"FADD": 0x0000004b, "FSUB": 0x0000104b, "FMUL": 0x0000204b,
          "FDIV": 0x0000304b, "FMIN": 0x0000705b, "FMAX": 0x0000605b,
          "FEQ": 0x0000005b, "FNE": 0x0000105b, "FLT": 0x0000205b,
          "FGE": 0x0000305b, "FEQS": 0x0800005b, "FNES": 0x0800105b,
          "FLTS": 0x0800205b, "FGES": 0x0800305b}
UNARY = {"FABS": 0x0000007b, "FSQRT": 0x0000107b, "FRECIP": 0x0000207b,
         "FEXP": 0x0000307b}
FUSED = {"FMADD": 0x0000404b, "FMSUB": 0x0000504b, "FNMADD": 0x0000604b,
         "FNMSUB": 0x0000704b}
CONVERT = {"FCVT": 0x0000006b, "FCVTA": 0x0000106b, "FCVTM": 0x0000206b,
           "FCVTN": 0x0000306b, "FCVTP": 0x0000406b, "FCVTZ": 0x0000506b,
           "SCVTF": 0x0000606b, "UCVTF": 0x0000706b}


def load(rd, base, offset):
    return LDI_U | rd << 7 | base << 15 | offset << 20


def store(rs, base, offset):
    return (SDI_U | rs << 15 | base << 20 | (offset & 0x7f) << 25
            | offset >> 7 << 7)


def addi(rd, rs, value):
    return ADDI | rd << 7 | rs << 15 | value << 20


def operation(case):
    """The instruction under test: R = op(A, B, C)."""
    op = case.op
    source = case.srctype if "srctype" in case.raw \
        else {"FP64": 0, "FP32": 1}[case.type]
    fields = R << 7 | A << 15 | source << 25
    if op in CONVERT:
        return CONVERT[op] | fields | case.dsttype << 27
    if op in UNARY:
        return UNARY[op] | fields
    if op in BINARY:
        return BINARY[op] | fields | B << 20
    return FUSED[op] | fields | B << 20 | C << 27


class Element:
    def __init__(self, owner, case, index):
        self.owner, self.case, self.index = owner, case, index
        self.operands = case.operands[index]
        self.want = case.r[index], case.ef[index]

    def mode(self):
        # the fixed-rounding conversions must not look at the active mode
        if self.case.op in ("FCVTA", "FCVTM", "FCVTN", "FCVTP", "FCVTZ"):
            return nc.SCALAR_ROUNDING.index("RUP")
        return nc.SCALAR_ROUNDING.index(self.case.rmode)

    def difference(self, got):
        """A line, or None."""
        if got == self.want:
            return None
        operands = " ".join(map(hex, self.operands[:self.sources()]))
        have = got if isinstance(got, str) else text(*got)
        return (f"element {self.index}, {operands}: expected "
                f"{text(*self.want)}, got {have}")

    def sources(self):
        return 1 if self.case.op in UNARY or self.case.op in CONVERT else \
            3 if self.case.op in FUSED else 2


def text(result, flags):
    names = " ".join(n for n, b in nc.FLAGS.items() if flags & b)
    return f"{result:#x} ({names or 'no flags'})"


def program(batch):
    code, data = [], []
    for e in batch:
        code += [load(A, IN, 0), load(B, IN, 8), load(C, IN, 16),
                 load(MODE, IN, 24), SSRSET | MODE << 15 | CORE_STATE << 20,
                 operation(e.case), SSRGET | STATE << 7 | CORE_STATE << 20,
                 store(R, OUT, 0), store(STATE, OUT, 8),
                 addi(IN, IN, 32), addi(OUT, OUT, 16)]
        data += [*e.operands, e.mode() << 37]
    return (struct.pack(f"<{len(code)}I", *code),
            struct.pack(f"<{len(data)}Q", *data))


def start_state(index, trap_stop):
    """The PE in front of element @index."""
    pc = RAM_BASE + CODE + LENGTH * index
    return {"pc": pc, "acr": 0, "core_state": 0, "system": {},
            "sysreg": {EVBASE: trap_stop},
            "gpr": {"0": {str(IN): RAM_BASE + INPUT + 32 * index,
                          str(OUT): RAM_BASE + OUTPUT + 16 * index}},
            "bundle_active": True, "bundle_body_active": True,
            "barg": {"block_type": "system", "transfer_type": "fallthrough",
                     "taken": False, "bpcn": 0},
            "bundle_sequential_pc": pc, "bpc": pc}


class LiveScalars:
    """Runs cases; options: qemu, qemu_arg, cpu, live_timeout."""

    BATCH = 100000

    def __init__(self, options):
        self.options = options
        self.left_out = {}
        self.crashes = 0

    def drive(self, machine, batch, traps):
        """Run to the end; @traps gets the elements that trapped."""
        end = RAM_BASE + CODE + LENGTH * len(batch)
        trap_stop = end + 64
        for address in (end, trap_stop):
            machine.rsp.breakpoint(address)
        index = 0
        while index < len(batch):
            machine.set_state(start_state(index, trap_stop))
            machine.rsp.cont(timeout=self.options.live_timeout)
            pc, fault = machine.attempt()[:2]
            if pc == end:
                return
            if pc != trap_stop:
                raise LinkError(f"the program stopped at {pc:#x}")
            out = int(machine.get_state()["gpr"]["0"][str(OUT)])
            index = (out - RAM_BASE - OUTPUT) // 16
            traps[index] = f"trap, {fault}"
            index += 1

    def execute(self, batch):
        """(result, flags) or a text for every element."""
        code, data = program(batch)
        traps = {}
        with tempfile.NamedTemporaryFile() as image:
            image.write(code.ljust(INPUT - CODE, b"\0") + data)
            image.flush()
            machine = Machine(self.options.qemu,
                              ["-M", "pto-virt", "-cpu", self.options.cpu,
                               "-device", f"loader,file={image.name},"
                               f"addr={RAM_BASE + CODE:#x},force-raw=on",
                               *self.options.qemu_arg], ram_size=RAM_SIZE,
                              timeout=self.options.live_timeout)
            try:
                self.drive(machine, batch, traps)
                out = machine.ram[OUTPUT:OUTPUT + 16 * len(batch)]
            finally:
                machine.close()
        words = struct.unpack(f"<{2 * len(batch)}Q", out)
        return [traps.get(i, (words[2 * i], words[2 * i + 1] >> 32 & 0x1f))
                for i in range(len(batch))]

    def results(self, batch):
        """The same; where QEMU ends, the element that ends it is looked
        for."""
        if self.crashes >= CRASHES:
            return [GIVEN_UP] * len(batch)
        try:
            return self.execute(batch)
        except (LinkError, OSError) as exc:
            self.crashes += 1
            if len(batch) == 1:
                return [f"QEMU stopped answering: {exc}"]
        half = len(batch) // 2
        return self.results(batch[:half]) + self.results(batch[half:])

    def run(self, cases):
        """(verdict, lines, reason) for each case."""
        out = [["passed", [], None] for _ in cases]
        todo = [Element(i, case, k) for i, case in enumerate(cases)
                for k in range(len(case.r))]
        for at in range(0, len(todo), self.BATCH):
            batch = todo[at:at + self.BATCH]
            for e, got in zip(batch, self.results(batch)):
                line = e.difference(got)
                if line:
                    out[e.owner][0] = "failed"
                    if got == GIVEN_UP:     # once for the whole case
                        line = got
                    if line not in out[e.owner][1][-1:]:
                        out[e.owner][1].append(line)
        return out
