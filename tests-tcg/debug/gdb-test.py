#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Batch sessions of the stock debuggers: gdb-multiarch must accept the
description without any setting by the user and show, step, break and watch; a
program is debugged by its sources in both.  What is not installed is
skipped."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

QEMU = os.environ.get("QEMU", "qemu-system-pto")
GDB = os.environ.get("GDB") or shutil.which("gdb-multiarch")

NOP = "0x76d6"          # C.MOVI -5, ->r14

LLDB = os.environ.get("LLDB") or shutil.which("lldb")
PTO_AS = os.environ.get("PTO_AS", "pto-as")
HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..")

PROGRAM = """.include "crt0.s"
main:
    mv ra, ->s7
    CALL twice
    CALL twice
    RETURN s7
twice:
    addi s1, 2, ->s1
    RETURN
"""

GDB_SOURCE = """
set pagination off
set confirm off
source {top}/target-pto/gdb/pto.py
target remote {socket}
break main
continue
x/2i $pc
next
next
printf "s1=%ld\\n", $r12
break twice
continue
bt
finish
printf "s1=%ld\\n", $r12
pto-block
pto-tiles
kill
"""

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


def talk(folder, debugger, arguments=()):
    """Output of a debugger on a stopped machine; its stub is at `socket`."""
    path = os.path.join(folder, "socket")
    qemu = subprocess.Popen(
        [QEMU, "-display", "none", "-nodefaults", "-S", *arguments,
         "-gdb", f"unix:{path},server=on,wait=off"])
    try:
        for _ in range(100):
            if os.path.exists(path):
                break
            time.sleep(0.05)
        return subprocess.run(debugger, timeout=60, text=True, check=False,
                              cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT).stdout
    finally:
        qemu.kill()
        qemu.wait()


def program(folder):
    """Assemble PROGRAM: the executable and the copy for lldb."""
    source = os.path.join(folder, "prog.s")
    with open(source, "w", encoding="ascii") as out:
        out.write(PROGRAM)
    subprocess.run([PTO_AS, "-I", os.path.join(TOP, "tests-tcg/lib"),
                    "-o", "prog.elf", "--lldb", "prog.lldb", "prog.s"],
                   check=True, cwd=folder)


class Source(unittest.TestCase):
    """Lines, calls and returns of a program in PTO assembly."""

    @unittest.skipUnless(GDB, "gdb-multiarch is not installed")
    def test_gdb(self):
        with tempfile.TemporaryDirectory() as folder:
            program(folder)
            script = os.path.join(folder, "script")
            with open(script, "w", encoding="ascii") as out:
                out.write(GDB_SOURCE.format(top=TOP, socket="socket"))
            text = talk(folder, [GDB, "-nx", "-batch", "-x", script,
                                 "prog.elf"], ["-kernel",
                                               folder + "/prog.elf"])
        self.assertRegex(text, r"=> 0x\w+ <main>:\s+c.movr ra, ->s7")
        self.assertRegex(text, r"main\+2>:\s+BSTART DIRECT")
        self.assertRegex(text, r"(?s)s1=2.*#0 +twice .*prog.s:8\n"
                         r"#1 .* in main .*prog.s:6.*s1=4")
        self.assertRegex(text, r"tpc [0-9a-f]{16} ring 0")
        self.assertIn("PE 0 (core 0): 0 of 262144 bytes used", text)

    @unittest.skipUnless(LLDB, "lldb is not installed")
    def test_lldb(self):
        commands = ["target create --arch riscv64 prog.lldb",
                    "process connect unix-connect://socket",
                    "breakpoint set -n twice", "continue", "bt", "next",
                    "register read r12", "kill"]
        with tempfile.TemporaryDirectory() as folder:
            program(folder)
            commands[1] = f"process connect unix-connect://{folder}/socket"
            text = talk(folder, [LLDB, "-x", "-b"] +
                        [w for c in commands for w in ("-o", c)],
                        ["-kernel", folder + "/prog.elf"])
        self.assertRegex(text, r"frame #0: .*twice.* at prog.s:\d")
        self.assertRegex(text, r"frame #1: .*main.* at prog.s:4")
        self.assertRegex(text, r"r12 = 0x0*2")


@unittest.skipUnless(GDB, "gdb-multiarch is not installed")
class Session(unittest.TestCase):
    def test_session(self):
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "script")
            with open(script, "w", encoding="ascii") as out:
                out.write(SCRIPT.format(socket="socket", nop=NOP))
            text = talk(folder, [GDB, "-nx", "-batch", "-x", script],
                        ["-M", "pto-ref", "-cpu", "pto-ref"])
        for wanted in ("arch-ok", "r3=1234 x11=1234", "tq1=7", "pc=402",
                       "break=404"):
            self.assertIn(wanted, text)
        self.assertRegex(text, r"block\s+0x[0-9a-f]+")
        self.assertNotRegex(text, r"(?i)warning: .*(architecture|register)",
                            text)
        self.assertTrue(re.search(r"0x400.*:\s+0x76d6\s+0x76d6", text), text)


if __name__ == "__main__":
    sys.exit(unittest.main())
