#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What the translator makes of code: which forms call a helper, what a block
boundary costs, and under which key TBs are found.

Environment: QEMU, PTO_AS.
"""
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(TESTS, "pylib"))

from ptolink import Machine                         # noqa: E402

QEMU = os.environ.get("QEMU", "qemu-system-pto")
PTO_AS = os.environ.get("PTO_AS", "pto-as")
FORMS = os.path.join(TESTS, "as", "encodings.txt")
RAM = 0x80000000

# Not scalar: commands and templates.
COMMAND = re.compile(r"-|B\.|L\.|C\.B\.|.*BSTART|.*BSTOP|BSTART|ERCOV|ESAVE|"
                     r"FENTRY|FEXIT|FRET|HL\.Q|MCOPY|MSET|XB")
# Scalar forms that may call a helper: floating point, reservations and the
# memory agent, system registers and requests, maintenance.
HELPED = re.compile(r"F(?!ENCE\.D)|[SU]CVTF|LR\.|SC\.|DMA|(C\.|HL\.)?SSR|ACR|"
                    r"ASSERT|B[SW]|(C\.)?EBREAK|(BC|DC|IC|TLB)\.")
# Calls that are not the instruction's work: faults, TB look-up.
COLD = {"raise_fault", "raise_fault_pc", "lookup_tb_ptr"}

BLOCKS = [
    {"bundle_active": True, "bundle_body_active": True, "bpc": RAM,
     "barg": {"block_type": kind, "transfer_type": transfer}}
    for kind, transfer in (("standard", "conditional"),
                           ("system", "fallthrough"))
]


def scalar_forms():
    """(mnemonic, bits, match, mask) of every scalar encoding."""
    with open(FORMS, encoding="ascii") as f:
        for line in f:
            if not line.startswith("#"):
                name, bits, match, mask = line.split()
                if not COMMAND.match(name):
                    yield name, int(bits), int(match, 16), int(mask, 16)


def translations(log):
    """{address: (ops, calls)} of the instructions of a `-d op` log."""
    found = {}
    for part in re.split(r"^ ---- ", log, flags=re.M)[1:]:
        ops = part.split("\n\n")[0].splitlines()
        calls = {re.match(r" call (\w+)", op)[1] for op in ops[1:]
                 if op.startswith(" call ")}
        found[int(ops[0].split()[0], 16)] = (ops[1:], calls)
    return found


class Forms(unittest.TestCase):
    """Every scalar form alone, in the block that it needs."""

    def attempts(self):
        """(name, code) in several operand fills and block states."""
        fill = random.Random(0)
        for name, bits, match, mask in scalar_forms():
            if name.startswith("BW"):
                continue                # the PE would sleep
            free = (1 << bits) - 1 & ~mask
            words = [match] + [match | fill.getrandbits(bits) & free
                               for _ in range(4)]
            for word in words:
                for block in BLOCKS:
                    yield name, word.to_bytes(bits // 8, "little"), block

    def run_all(self, model):
        """{name: calls} and the forms of which no fill was legal."""
        with tempfile.NamedTemporaryFile("r") as log:
            m = Machine(QEMU, ["-M", "pto-virt", "-cpu", model, "-d", "op",
                               "-D", log.name], with_qmp=False)
            names = {}
            for i, (name, code, block) in enumerate(self.attempts()):
                pc = RAM + 0x1000 + 16 * i
                names[pc] = name
                m.rsp.write(pc, code)
                m.set_state({**block, "pc": pc, "t": [8] * 4, "u": [8] * 4})
                m.rsp.step()
            m.close()
            made = translations(log.read())
        calls, legal = {}, set()
        for pc, name in names.items():
            ops, called = made[pc]
            calls.setdefault(name, set()).update(called - COLD)
            if not any(op.startswith(" call raise_fault_pc")
                       for op in ops[:2]) or "brcond" in ops[0]:
                legal.add(name)
        return calls, set(calls) - legal

    def check_model(self, model):
        calls, untried = self.run_all(model)
        self.assertFalse(untried, "no legal operands found")
        helped = {name for name, called in calls.items() if called}
        self.assertFalse(sorted(name for name in helped
                                if not HELPED.match(name)))
        self.assertIn("FADD", helped)
        self.assertGreater(len(calls) - len(helped), 350)

    def test_pto(self):
        self.check_model("pto")

    def test_pto_ref(self):
        self.check_model("pto-ref")


LOOP = """
.globl _start
_start:
    li 3, ->a2
    BSTART DIRECT, loop
    C.BSTOP
.align 64
loop:
    {start}
    subi a2, 1, ->a2
    setc.ne a2, zero
    C.BSTOP
    li 0x5555, ->x0
    li 0x100000, ->x1
    swi x0, [x1, 0]
1:  j 1b
"""


TILE = """
.globl _start
_start:
    c.movi 4, ->a1
    BSTART DIRECT, block
    C.BSTOP
.align 64
block:
    BSTART.TMATMUL FP32
    B.FPATR None, None, 0, 0, 0, 0, 0, 0, 0, 0
    B.DIM LB0, 4
    B.DIM a1, 0, ->LB1
    C.B.DIMI 4, ->LB2
    B.CATR {aqrl}
    B.IOT T#1, U#1, mask=0000, ->M<8>, last
    C.BSTOP
    li 0x5555, ->x0
    li 0x100000, ->x1
    swi x0, [x1, 0]
1:  j 1b
"""


class Boundaries(unittest.TestCase):
    def run_program(self, source, *options):
        with tempfile.TemporaryDirectory() as folder:
            text, elf, log = (os.path.join(folder, n)
                              for n in ("p.s", "p.elf", "log"))
            with open(text, "w", encoding="ascii") as f:
                f.write(source)
            subprocess.run([PTO_AS, "-o", elf, text], check=True)
            subprocess.run([QEMU, "-M", "pto-virt", "-display", "none",
                            "-nodefaults", "-kernel", elf, "-D", log,
                            *options], check=True, timeout=30)
            with open(log, encoding="ascii") as f:
                return f.read()

    def test_conditional_block(self):
        """A taken conditional block: no call, seven operations beyond its
        body (request check 2, device flags 2, CYCLE, branch, chained exit);
        docs/performance.rst shows the host code."""
        for start in ("C.BSTART COND, loop", "BSTART COND, loop",
                      "BSTART.FP COND, loop"):
            log = self.run_program(LOOP.format(start=start), "-d",
                                   "in_asm,op_opt")
            tb = next(t for t in log.split("-" * 16 + "\n")
                      if re.match(r"IN:.*\n0x80000040:", t))
            ops = re.findall(r"^ (?!----)(\w.*)", tb[tb.index("OP after"):],
                             re.M)
            taken = ops[:next(i for i, op in enumerate(ops)
                              if op.startswith("goto_tb")) + 1]
            self.assertFalse([op for op in ops if op.startswith("call")])
            self.assertEqual(len(taken) - 2, 7, taken)

    def test_tile_header(self):
        """A header in one TB is stores; only the commit is a call."""
        log = self.run_program(TILE, "-d", "in_asm,op")
        tb = next(t for t in log.split("-" * 16 + "\n")
                  if re.match(r"IN:.*\n0x80000040:", t))
        self.assertIn("B.IOT", tb)
        self.assertEqual(re.findall(r"^ call (\w+)", tb, re.M),
                         ["block_commit"])

    def test_models_do_not_share_code(self):
        keys = {}
        for model in ("pto", "pto-ref"):
            log = self.run_program(LOOP.format(start="C.BSTART COND, loop"),
                                   "-cpu", model, "-d", "exec,nochain")
            keys[model] = set(re.findall(r"\[([0-9a-f]+)/", log))
            self.assertEqual(len(keys[model]), 1)
        self.assertFalse(keys["pto"] & keys["pto-ref"])

    def test_cpu_is_no_device(self):
        """Boards make all PEs, and all of one model."""
        run = subprocess.run([QEMU, "-M", "pto-virt", "-display", "none",
                              "-nodefaults", "-device", "pto-ref-pto-cpu"],
                             capture_output=True, check=False, timeout=30,
                             text=True)
        self.assertNotEqual(run.returncode, 0)


if __name__ == "__main__":
    unittest.main()
