#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Save and restore: the state of a stopped machine survives savevm and
migration to a file and loading into a new process, templates, contexts and
queues included; damaged streams are refused."""
import os
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "pylib"))

from ptolink import Machine                                 # noqa: E402

QEMU = os.environ.get("QEMU", "qemu-system-pto")
ARGS = ["-M", "pto-ref", "-cpu", "pto-ref"]

RICH = {
    "pc": 0x420, "acr": 2, "core_state": 2 | 5 << 32, "cycle": 1234,
    "gpr": {"0": {"3": 5, "23": (1 << 64) - 1}, "2": {"1": 9}},
    "t": [1, 2, 3, None], "u": [4, None, None, None],
    "thread_ptr": 1, "global_ptr": 2, "return_address": 0x77,
    "bundle_active": True, "bundle_body_active": True, "condition_set": True,
    "bpc": 0x400, "bundle_sequential_pc": 0x404,
    "frame_stack_return_target": 0x404, "commit_argument": 1,
    "barg": {"block_type": "standard", "transfer_type": "conditional",
             "taken": True, "bpcn": 0x500},
    "header": {"operation": {"class": "Control"},
               "dim": {"0": 4, "2": 7},
               "ior": {"dst": 1, "src": [2, 3, 4], "count": 3},
               "catr": {"atomic": True}},
    "sysreg": {"0x0f01": 0x500, "0x1f01": 0x540, "0x5f30": 3},
    "frame_template": {"kind": "Entry", "pc": 0x420, "begin": 9, "end": 12,
                       "count": 4, "size": 64, "caller_sp": 0x900,
                       "stack_adjusted": True, "progress": 2,
                       "values": [1, 2, 3, 4]},
    "reservation": {"valid": True, "address": 0x40, "size": 4},
    "trap": {"1": {"trapno": 0x4000000000000023, "traparg0": 0x420,
                   "context_valid": True, "source_acr": 2,
                   "context": {"pc": 0x410, "bundle_active": True,
                               "barg": {"block_type": "system",
                                        "transfer_type": "fallthrough",
                                        "taken": True, "bpcn": 0}}}},
    "queues": [{"address": 0x40, "capacity": 5, "count": 2,
                "suspended": True, "corrupt": False, "entries": [7, 8]},
               {"address": 0x80, "capacity": 0, "count": 0,
                "suspended": False, "corrupt": False, "entries": []}],
    "system": {},
}


def migrate(machine, path):
    machine.qmp.command("migrate", uri=f"file:{path}")
    for _ in range(200):
        status = machine.qmp.command("query-migrate").get("status")
        if status in ("completed", "failed"):
            return status
        time.sleep(0.05)
    return "timeout"


def monitor(qmp, line):
    return qmp.command("human-monitor-command", **{"command-line": line})


def make_disk(qmp, path):
    """An empty qcow2 image, made by the emulator itself."""
    def create(**options):
        qmp.command("blockdev-create", **{"job-id": "make"}, options=options)
        for _ in range(200):
            job = qmp.command("query-jobs")[0]
            if job["status"] == "concluded":
                break
            time.sleep(0.02)
        assert "error" not in job, job
        qmp.command("job-dismiss", id="make")

    create(driver="file", filename=path, size=0)
    qmp.command("blockdev-add", **{"node-name": "image"}, driver="file",
                filename=path)
    create(driver="qcow2", file="image", size=1 << 26)


class Migration(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "state")

    def tearDown(self):
        self.folder.cleanup()

    def test_round_trip(self):
        source = Machine(QEMU, ARGS)
        try:
            source.set_state(RICH)
            source.rsp.write(0x123, b"payload")
            before = source.get_state()
            self.assertEqual(migrate(source, self.path), "completed")
        finally:
            source.close()
        target = Machine(QEMU, ARGS + ["-incoming", f"file:{self.path}"])
        try:
            for _ in range(200):
                if target.qmp.command("query-status")["status"] != "inmigrate":
                    break
                time.sleep(0.05)
            self.assertEqual(target.get_state(), before)
            self.assertEqual(target.rsp.read(0x123, 7), b"payload")
        finally:
            target.close()

    def test_savevm(self):
        """A snapshot in a disk image brings the machine back to its moment."""
        disk = self.path + ".qcow2"
        args = ["-M", "pto-virt", "-m", "16M", "-no-shutdown"]
        maker = Machine(QEMU, args)
        try:
            make_disk(maker.qmp, disk)
        finally:
            maker.close()
        m = Machine(QEMU, args + ["-drive",
                                  f"if=none,format=qcow2,file={disk}"])
        try:
            # C.MOVI of some number to some place, again and again
            m.rsp.write(0x80000000, bytes.fromhex("d60f") * 64)
            state = m.get_state()
            state["pc"] = 0x80000000
            m.set_state(state)
            for _ in range(5):
                m.rsp.step()
            before = m.get_state()
            self.assertEqual(monitor(m.qmp, "savevm here"), "")
            for _ in range(5):
                m.rsp.step()
            m.rsp.write(0x80001000, b"later")
            self.assertNotEqual(m.get_state(), before)
            self.assertEqual(monitor(m.qmp, "loadvm here"), "")
            self.assertEqual(m.get_state(), before)
            self.assertEqual(m.rsp.read(0x80001000, 5), bytes(5))
        finally:
            m.close()

    def test_damaged_stream(self):
        source = Machine(QEMU, ARGS)
        try:
            source.set_state(RICH)
            self.assertEqual(migrate(source, self.path), "completed")
        finally:
            source.close()
        with open(self.path, "rb") as stream:
            good = stream.read()
        # The register count of the frame template: far more than 22
        at = good.find(bytes([1, 1, 0, 0, 9, 12, 4, 2]))
        self.assertGreater(at, 0)
        bad = bytearray(good)
        bad[at + 6] = 200
        with open(self.path, "wb") as stream:
            stream.write(bad)
        done = subprocess.run(
            [QEMU, *ARGS, "-display", "none", "-nodefaults", "-S",
             "-incoming", f"file:{self.path}"], timeout=60, check=False,
            stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
