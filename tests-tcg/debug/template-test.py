#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""MCOPY and the frame templates, cut off at every step: by a fault, whose
handler returns once in vain and once after the place was repaired, and by a
watchpoint with a snapshot of the state.  Both CPU models."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "pylib"))

from ptolink import Machine                         # noqa: E402

QEMU = os.environ.get("QEMU", "qemu-system-pto")
RAM = 16384
CODE, HANDLER, RETURN = 0x400, 0x500, 0x600
FRAME = {                       # [ra ~ s3], sp!, 64
    "FENTRY": "4100e510", "FEXIT": "4110e510",
    "FRET.RA": "4120e510", "FRET.STK": "4130e510",
}
SIZE, FIRST, COUNT = 64, 10, 5
MCOPY = "31804128"              # [a1, a2, a3]
PIECES = [8, 8, 8, 4, 2, 1]     # steps of 31 bytes
RECOVER = "40082b300001"        # C.BSTART.SYS FALL; ACRE 0
AWAY = 0x1000                   # where the repaired operand lies


class Template:
    """One template at CODE: what it touches step by step."""

    def __init__(self, name, model):
        self.name = name
        self.sp = {"pto": 1, "pto-ref": 2}[model]
        self.copies = name == "MCOPY"
        self.stores = name in ("FENTRY", "MCOPY")
        self.key = "mcopy_template" if self.copies else "frame_template"
        self.pieces = PIECES if self.copies else [8] * COUNT
        self.code = bytes.fromhex(MCOPY if self.copies else FRAME[name])

    def progress(self, step):
        """How the machine counts @step completed steps."""
        return sum(self.pieces[:step]) if self.copies else step

    def registers(self, top):
        """GPRs when the operand is at @top: the end of a frame, the
        destination of MCOPY."""
        if self.copies:
            return {3: top, 4: 0x800, 5: sum(PIECES)}
        regs = {FIRST + i: 0x2000 + 2 * i for i in range(COUNT)}
        regs[self.sp] = top if self.name == "FENTRY" else \
            (top - SIZE) & (1 << 64) - 1
        return regs

    def place(self, top, step):
        """(address, bytes) of @step."""
        at = top + sum(self.pieces[:step]) if self.copies else \
            top - 8 * (step + 1)
        return at, self.pieces[step]

    def operand(self):
        return "destination" if self.copies else "caller_sp"

    def fault_top(self, step):
        """Operand for which @step is the first to leave the RAM."""
        return RAM - sum(self.pieces[:step]) if self.copies else 8 * step

    def contents(self, step):
        """What @step stores, or finds in memory."""
        if self.copies:
            at = sum(self.pieces[:step])
            return bytes(range(at, at + self.pieces[step]))
        value = RETURN if not self.stores and step == 0 else 0x2000 + 2 * step
        return value.to_bytes(8, "little")


class Cut(unittest.TestCase):
    def start(self, model):
        self.m = Machine(QEMU, ["-M", "pto-ref", "-cpu", model], ram_size=RAM)
        self.rsp = self.m.rsp

    def begin(self, t, top):
        """Template @t is the next instruction, its operand at @top."""
        self.rsp.write(CODE, t.code)
        self.rsp.write(HANDLER, bytes.fromhex(RECOVER))
        self.rsp.write(0x800, bytes(range(sum(PIECES))))
        for step in range(len(t.pieces)):
            at, size = t.place(top, step)
            if 0 <= at and at + size <= RAM:
                self.rsp.write(at, b"\xee" * size if t.stores
                               else t.contents(step))
        gpr = {str(k): v for k, v in t.registers(top).items()}
        self.m.set_state({"pc": CODE, "system": {}, "gpr": {"0": gpr},
                          "sysreg": {"0x0f01": HANDLER},
                          "return_address": RETURN})

    def check_steps(self, t, top, first, last):
        """Exactly the steps @first .. @last - 1 have had their effect."""
        gpr = self.m.get_state()["gpr"]["0"]
        for step in range(len(t.pieces)):
            done = first <= step < last
            if t.stores:
                at, size = t.place(top, step)
                if 0 <= at and at + size <= RAM:
                    want = t.contents(step) if done else b"\xee" * size
                    self.assertEqual(self.rsp.read(at, size), want)
            elif done:
                self.assertEqual(gpr[str(FIRST + step)], int.from_bytes(
                    t.contents(step), "little"))

    def check_end(self, t):
        state = self.m.get_state()
        self.assertEqual(state["pc"],
                         RETURN if t.name.startswith("FRET") else CODE + 4)
        self.assertNotIn(t.key, state)

    def fault_at(self, t, step):
        top = t.fault_top(step)
        at, _ = t.place(top, step)
        self.begin(t, top)
        for attempt in range(2):            # the second one in vain
            self.rsp.step()
            pc, fault, address, _ = self.m.attempt()
            self.assertEqual((pc, fault, address),
                             (HANDLER, "DataPage", at & (1 << 64) - 1))
            state = self.m.get_state()
            saved = state["trap"]["0"]["context"][t.key]
            self.assertEqual(saved["progress"], t.progress(step))
            self.check_steps(t, top, 0, step)
            if attempt:
                saved[t.operand()] = AWAY
                for later in range(len(t.pieces)):
                    place, size = t.place(AWAY, later)
                    self.rsp.write(place, b"\xee" * size if t.stores
                                   else t.contents(later))
                self.m.set_state(state)
            self.rsp.step()
            self.rsp.step()                 # ACRE
            self.assertEqual(self.m.get_state()["pc"], CODE)
        self.rsp.step()
        self.check_end(t)
        self.check_steps(t, AWAY, step, len(t.pieces))

    def watch_at(self, t, step):
        self.begin(t, AWAY)
        at, size = t.place(AWAY, step)
        kind = "2" if t.stores else "3"
        self.rsp.expect_ok(f"Z{kind},{at:x},{size}")
        self.rsp.cont(10)
        state = self.m.get_state()
        self.assertEqual(state["pc"], CODE)
        self.assertEqual(state[t.key]["progress"], t.progress(step))
        self.check_steps(t, AWAY, 0, step)
        self.rsp.expect_ok(f"z{kind},{at:x},{size}")
        self.m.set_state(state)
        self.rsp.step()
        self.check_end(t)
        self.check_steps(t, AWAY, 0, len(t.pieces))

    def every_step(self, model, cut):
        self.start(model)
        for name in [*FRAME, "MCOPY"]:
            t = Template(name, model)
            for step in range(len(t.pieces)):
                with self.subTest(template=name, step=step):
                    cut(t, step)
        self.assertTrue(self.m.alive(), "QEMU ended by itself")
        self.m.close()

    def test_fault_pto(self):
        self.every_step("pto", self.fault_at)

    def test_fault_pto_ref(self):
        self.every_step("pto-ref", self.fault_at)

    def test_watch_pto(self):
        self.every_step("pto", self.watch_at)

    def test_watch_pto_ref(self):
        self.every_step("pto-ref", self.watch_at)


if __name__ == "__main__":
    unittest.main()
