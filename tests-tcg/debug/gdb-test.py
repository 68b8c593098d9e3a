#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A batch session of a stock gdb-multiarch: it must accept the description
without any setting by the user and show, step, break and watch.  Skipped
where gdb-multiarch is not installed."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

QEMU = os.environ.get("QEMU", "qemu-system-pto")
GDB = os.environ.get("GDB") or shutil.which("gdb-multiarch")

NOP = "0x76d6"          # C.MOVI -5, ->r14

SCRIPT = """
set pagination off
set confirm off
target remote {socket}
printf "arch-ok\\n"
set $r3 = 0x1234
printf "r3=%lx x11=%lx\\n", $r3, $x11
set $tq1 = 7
printf "tq1=%ld\\n", $tq1
set {{unsigned short}}0x400 = {nop}
set {{unsigned short}}0x402 = {nop}
set {{unsigned short}}0x404 = {nop}
set {{unsigned short}}0x406 = {nop}
set $pc = 0x400
stepi
printf "pc=%lx\\n", $pc
hbreak *0x404
continue
printf "break=%lx\\n", $pc
info registers bpc block fault
print/x $tile_t1
info threads
x/2xh 0x400
monitor info registers
detach
"""


@unittest.skipUnless(GDB, "gdb-multiarch is not installed")
class Session(unittest.TestCase):
    def test_session(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "gdb")
            script = os.path.join(folder, "script")
            with open(script, "w", encoding="ascii") as out:
                out.write(SCRIPT.format(socket=path, nop=NOP))
            qemu = subprocess.Popen(
                [QEMU, "-M", "pto-ref", "-cpu", "pto-ref", "-display", "none",
                 "-nodefaults", "-S", "-gdb", f"unix:{path},server=on,wait=off"])
            try:
                for _ in range(100):
                    if os.path.exists(path):
                        break
                    subprocess.run(["sleep", "0.05"], check=False)
                done = subprocess.run(
                    [GDB, "-nx", "-batch", "-x", script], timeout=40,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                    text=True, check=False)
            finally:
                qemu.kill()
                qemu.wait()
        text = done.stdout
        for wanted in ("arch-ok", "r3=1234 x11=1234", "tq1=7", "pc=402",
                       "break=404"):
            self.assertIn(wanted, text)
        self.assertRegex(text, r"block\s+0x[0-9a-f]+")
        self.assertNotRegex(text, r"(?i)warning: .*(architecture|register)",
                            text)
        self.assertTrue(re.search(r"0x400.*:\s+0x76d6\s+0x76d6", text), text)


if __name__ == "__main__":
    sys.exit(unittest.main())
