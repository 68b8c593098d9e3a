#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Run the numeric vectors of the scalar floating-point unit on a live PE.

All elements become one straight-line guest program: load the operands, write
CORE_STATE (rounding mode, flags clear), execute the instruction, store the
result and CORE_STATE.  The program starts inside an open SYS block and runs
freely to a breakpoint; results are then read from guest RAM.
"""
import argparse
import json
import lzma
import os
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "pylib"))

from ptolink import LinkError, Machine                      # noqa: E402

RAM_BASE = 0x80000000
RAM_SIZE = 32 << 20
CODE, INPUT, OUTPUT = 0, 8 << 20, 16 << 20
CORE_STATE = 0x020
FLAGS = {"NV": 1, "DZ": 2, "OF": 4, "UF": 8, "NX": 16}
MODES = {"RNE": 0, "RDN": 1, "RUP": 2, "RTZ": 3}

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
    op = case["op"]
    source = case["srctype"] if "srctype" in case \
        else {"FP64": 0, "FP32": 1}[case["type"]]
    fields = R << 7 | A << 15 | source << 25
    if op in CONVERT:
        return CONVERT[op] | fields | case["dsttype"] << 27
    if op in UNARY:
        return UNARY[op] | fields
    if op in BINARY:
        return BINARY[op] | fields | B << 20
    return FUSED[op] | fields | B << 20 | C << 27


def value(x):
    return (int(x, 16) if isinstance(x, str) else x) & (1 << 64) - 1


class Element:
    def __init__(self, case, index):
        self.name = f"{case['id']}[{index}]"
        self.case = case
        self.operands = [value(case[k][index]) if k in case else 0
                         for k in "abc"]
        self.result = value(case["r"][index])
        self.flags = case["ef"][index] if "ef" in case else 0

    def mode(self):
        # the fixed-rounding conversions must not look at the active mode
        if self.case["op"].startswith("FCVT") and self.case["op"] != "FCVT":
            return MODES["RUP"]
        return MODES[self.case.get("rmode", "RNE")]


def elements(path, pattern):
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            if pattern and pattern not in case["id"]:
                continue
            for index in range(len(case["a"])):
                yield Element(case, index)


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


def run_batch(options, batch):
    """(result, flags) of every element."""
    code, data = program(batch)
    with tempfile.NamedTemporaryFile() as image:
        image.write(code.ljust(INPUT - CODE, b"\0") + data)
        image.flush()
        machine = Machine(options.qemu,
                          ["-M", "pto-virt", "-cpu", options.cpu,
                           "-device", f"loader,file={image.name},"
                           f"addr={RAM_BASE + CODE:#x},force-raw=on",
                           *options.qemu_arg],
                          ram_size=RAM_SIZE, timeout=options.timeout)
        try:
            start, end = RAM_BASE + CODE, RAM_BASE + CODE + len(code)
            machine.set_state({
                "pc": start, "acr": 0, "core_state": 0, "system": {},
                "gpr": {"0": {str(IN): RAM_BASE + INPUT,
                              str(OUT): RAM_BASE + OUTPUT}},
                "bundle_active": True, "bundle_body_active": True,
                "barg": {"block_type": "system",
                         "transfer_type": "fallthrough", "taken": False,
                         "bpcn": 0},
                "bundle_sequential_pc": start, "bpc": start})
            machine.rsp.breakpoint(end)
            machine.rsp.cont(timeout=options.timeout)
            pc = machine.attempt()[0]
            if pc != end:
                raise LinkError(f"the program stopped at {pc:#x}")
            out = machine.ram[OUTPUT:OUTPUT + 16 * len(batch)]
        finally:
            machine.close()
    words = struct.unpack(f"<{2 * len(batch)}Q", out)
    return [(words[i], words[i + 1] >> 32 & 0x1f)
            for i in range(0, len(words), 2)]


def flag_names(flags):
    return "".join(f" {n}" for n, b in FLAGS.items() if flags & b) or " none"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--qemu", default="qemu-system-pto")
    parser.add_argument("--qemu-arg", action="append", default=[])
    parser.add_argument("--cpu", default="pto")
    parser.add_argument("--filter", help="part of a case's id")
    parser.add_argument("--batch", type=int, default=100000)
    parser.add_argument("--max-report", type=int, default=20)
    parser.add_argument("--timeout", type=float, default=60.0)
    options = parser.parse_args()

    passed = failed = 0
    bad_cases, cases = set(), set()
    for path in options.files:
        todo = list(elements(path, options.filter))
        for at in range(0, len(todo), options.batch):
            batch = todo[at:at + options.batch]
            for e, (result, flags) in zip(batch, run_batch(options, batch)):
                cases.add(e.case["id"])
                if (result, flags) == (e.result, e.flags):
                    passed += 1
                    continue
                failed += 1
                bad_cases.add(e.case["id"])
                if failed <= options.max_report:
                    print(f"FAIL {e.name} {e.case['op']} "
                          f"{' '.join(map(hex, e.operands))}: expected "
                          f"{e.result:#x}{flag_names(e.flags)}, got "
                          f"{result:#x}{flag_names(flags)}")
    print(f"{passed + failed} elements: {passed} right, {failed} wrong")
    print(f"{len(cases) - len(bad_cases)} passed, {len(bad_cases)} failed, "
          "0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
