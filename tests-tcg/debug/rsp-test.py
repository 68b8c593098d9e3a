#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The debug stub as a raw client sees it: description, registers, memory,
steps, breakpoints, watchpoints, queries, loading and reading states."""
import os
import re
import sys
import unittest
import xml.etree.ElementTree as ET

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "pylib"))

from ptolink import LinkError, Machine                      # noqa: E402

QEMU = os.environ.get("QEMU", "qemu-system-pto")

C_MOVI = "d676"                 # C.MOVI -5, ->r14
RAM = 16384


def word(value):
    return (value & (1 << 64) - 1).to_bytes(8, "little").hex()


class Stub(unittest.TestCase):
    def setUp(self):
        self.m = Machine(QEMU, ["-M", "pto-ref", "-cpu", "pto-ref"],
                         ram_size=RAM)
        self.rsp = self.m.rsp
        self.regs = self.register_numbers()

    def tearDown(self):
        self.assertTrue(self.m.alive(), "QEMU ended by itself")
        self.m.close()

    def features(self):
        target = self.rsp.document("target.xml")
        return re.findall(r'xi:include href="([^"]+)"', target)

    def register_numbers(self):
        numbers, at = {}, 0
        for name in self.features():
            root = ET.fromstring(self.rsp.document(name))
            for reg in root.iter("reg"):
                at = int(reg.get("regnum", at))
                numbers[reg.get("name")] = at
                at += 1
        return numbers

    def get(self, name):
        answer = self.rsp.ask(f"p{self.regs[name]:x}")
        return int.from_bytes(bytes.fromhex(answer), "little")

    def put(self, name, value):
        self.rsp.expect_ok(f"P{self.regs[name]:x}={word(value)}")

    def test_description(self):
        target = self.rsp.document("target.xml")
        self.assertIn("<architecture>riscv:rv64</architecture>", target)
        names = self.features()
        self.assertEqual(names[:3], ["pto-core.xml", "pto-rvalias.xml",
                                     "pto-system.xml"])
        self.assertIn("pto-osabi.xml", names)
        self.assertIn("<osabi>none</osabi>",
                      self.rsp.document("pto-osabi.xml"))
        for reg in ("r0", "r23", "tq1", "uq4", "pc", "x31", "bpc", "fault",
                    "tile_t1", "tile_n16", "pe3_r23"):
            self.assertIn(reg, self.regs)

    def test_general_packet_has_core_and_pc(self):
        answer = self.rsp.ask("g")
        self.assertEqual(len(answer), (32 + 33) * 16)

    def test_every_register_reads(self):
        for name in self.regs:
            self.assertNotIn(self.rsp.ask(f"p{self.regs[name]:x}")[:1],
                             ("E", ""), name)

    def test_registers(self):
        self.put("r3", 0x1122334455667788)
        self.assertEqual(self.get("r3"), 0x1122334455667788)
        self.put("r0", 5)
        self.assertEqual(self.get("r0"), 0)
        self.put("x11", 7)                  # a1 is R3
        self.assertEqual(self.get("r3"), 7)
        self.put("tq2", 9)                  # makes T#1 and T#2 valid
        self.assertEqual(self.m.get_state()["t"][:2], [0, 9])
        self.put("pe2_r4", 11)
        self.assertEqual(self.m.get_state()["gpr"]["2"], {"4": 11})
        self.put("lra", 0x40)
        self.assertEqual(self.m.get_state()["return_address"], 0x40)

    def test_memory(self):
        data = bytes(range(256)) * 20
        self.rsp.write(0x100, data)
        self.assertEqual(self.rsp.read(0x100, len(data)), data)
        self.assertEqual(self.m.ram[0x100:0x100 + len(data)], data)
        self.assertTrue(self.rsp.ask(f"m{RAM:x},4").startswith("E"))

    def test_step_and_break(self):
        self.m.set_state({"pc": 0x400, "system": {}})
        self.rsp.write(0x400, bytes.fromhex(C_MOVI) * 32)
        self.rsp.step()
        self.assertEqual(self.get("pc"), 0x402)
        self.assertEqual(self.get("r14"), (1 << 64) - 5)
        self.assertEqual(self.m.attempt(), (0x402, "None", 0, 1))
        self.rsp.breakpoint(0x410)
        self.rsp.cont()
        self.assertEqual(self.get("pc"), 0x410)
        self.rsp.breakpoint(0x410, insert=False)
        self.m.set_state({"pc": 0x400, "sysreg": {"0x0f01": 0x500},
                          "system": {}})
        self.rsp.breakpoint(0x500)
        self.rsp.write(0x400, b"\xff" * 16)     # no such instruction
        stop = self.rsp.cont()
        self.assertTrue(stop.startswith("T05"), stop)
        self.assertEqual(self.get("pc"), 0x500)

    def test_watchpoint_inside_a_template(self):
        # FENTRY stores R10.. below sp (R2 in this model), first at 0x8f8
        self.m.set_state({"pc": 0x400, "system": {},
                          "gpr": {"0": {"2": 0x900, "10": 0x1234}}})
        self.rsp.write(0x400, bytes.fromhex("4100751f"))
        self.rsp.expect_ok("Z2,8f0,8")          # the second slot
        stop = self.rsp.cont()
        self.assertIn("watch:8f0", stop.replace("watch:00000000000008f0",
                                                "watch:8f0"))
        self.assertEqual(self.get("pc"), 0x400)
        self.assertEqual(self.m.get_state()["frame_template"]["progress"], 1)
        self.rsp.expect_ok("z2,8f0,8")
        self.rsp.step()
        self.assertEqual(self.get("pc"), 0x404)
        self.assertEqual(int.from_bytes(self.rsp.read(0x8f8, 8), "little"),
                         0x1234)
        self.assertNotIn("frame_template", self.m.get_state())

    def test_attempt(self):
        self.m.set_state({"pc": 0x400, "sysreg": {"0x0f01": 0x500},
                          "system": {}})
        self.rsp.write(0x400, b"\xff" * 16)
        self.rsp.step()
        pc, fault, address, cycle = self.m.attempt()
        self.assertEqual((pc, fault, address, cycle),
                         (0x500, "IllegalInstruction", 0x400, 1))

    def test_lldb_queries(self):
        info = self.rsp.ask("qHostInfo")
        triple = re.search(r"triple:([0-9a-f]+);", info).group(1)
        self.assertEqual(bytes.fromhex(triple), b"riscv64-unknown-none-elf")
        self.assertIn("watchpoint_exceptions_received:before;", info)
        self.assertEqual(self.rsp.ask("qWatchpointSupportInfo:"), "num:4;")

    def test_state_round_trip(self):
        state = {
            "pc": 0x420, "acr": 1, "gpr": {"0": {"3": 5}, "3": {"23": 6}},
            "t": [1, 2, None, None], "bundle_active": True,
            "bundle_sequential_pc": 0x404, "bpc": 0x400,
            "barg": {"block_type": "tile-memory", "taken": True,
                     "transfer_type": "fallthrough", "bpcn": 0x404},
            "header": {"operation": {"class": "TileMemory", "selector": 1,
                                     "data_type": 3},
                       "dim": {"0": 4},
                       "iot": [{"dst": 1, "size": 2, "pe_mask": 8,
                                "last": True, "src0": 0}]},
            "sysreg": {"0x0f01": 0x500, "0x3f07": 0},
            "mcopy_template": {"pc": 0x420, "destination": 8, "source": 16,
                               "length": 8, "progress": 0},
            "queues": [{"address": 64, "capacity": 3, "count": 1,
                        "suspended": True, "corrupt": False,
                        "entries": [77]}],
            "reservation": {"valid": True, "address": 0x40, "size": 8},
            "trap": {"1": {"trapno": 4, "traparg0": 0x420,
                           "context_valid": True, "source_acr": 2}},
            "system": {},
        }
        self.m.set_state(state)
        first = self.m.get_state()
        for key in ("tiles", "shared"):
            first.pop(key)
        self.m.set_state(dict(first, system={}))
        second = self.m.get_state()
        for key in ("tiles", "shared"):
            second.pop(key)
        self.assertEqual(first, second)
        self.assertEqual(first["header"]["iot"][0]["dst"], 1)
        self.assertEqual(first["queues"][0]["entries"], [77])

    def test_wrong_states_change_nothing(self):
        self.m.set_state({"pc": 0x400, "gpr": {"0": {"5": 1}}, "system": {}})
        before = self.m.get_state()
        for wrong in ({"nothing": 1}, {"pc": -1}, {"acr": 16},
                      {"gpr": {"0": {"0": 1}}}, {"gpr": {"4": {}}},
                      {"t": [1, 2, 3, 4, 5]}, {"header": {"iot": [{}] * 17}},
                      {"header": {"iot": [{"src0": 64}]}},
                      {"sysreg": {"0x0010": 1}}, {"barg": {"taken": 1}},
                      {"frame_template": {"begin": 1, "end": 2}},
                      {"trap": {"16": {}}}, {"range_group": {}}):
            with self.assertRaises(LinkError, msg=str(wrong)):
                self.m.set_state(wrong)
            self.assertEqual(self.m.get_state(), before, wrong)

    def test_property(self):
        qmp = self.m.qmp
        value = qmp.command("qom-get", path=self.m.cpu, property="arch-state")
        self.assertEqual(value, self.m.get_state())
        value["pc"] = 0x1000
        for key in ("tiles", "shared"):
            value.pop(key)
        qmp.command("qom-set", path=self.m.cpu, property="arch-state",
                    value=value)
        self.assertEqual(self.get("pc"), 0x1000)

    def test_monitor_registers(self):
        self.put("r3", 0x77)
        out = self.m.qmp.command("human-monitor-command",
                                 command_line="p/x $a1")
        self.assertEqual(int(out, 16), 0x77)
        out = self.m.qmp.command("human-monitor-command",
                                 command_line="info registers")
        self.assertIn("a1 ", out)

    def test_dump_guest_memory(self):
        path = os.path.join(os.environ.get("TMPDIR", "/tmp"),
                            f"pto-dump-{os.getpid()}")
        try:
            self.m.qmp.command("dump-guest-memory", paging=False,
                               protocol=f"file:{path}")
            with open(path, "rb") as dump:
                head = dump.read(20)
            self.assertEqual(head[:4], b"\x7fELF")
            self.assertEqual(int.from_bytes(head[18:20], "little"), 233)
        finally:
            if os.path.exists(path):
                os.unlink(path)


if __name__ == "__main__":
    unittest.main()
