#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Scalar speed against qemu-system-riscv64 on the same algorithms.

The two sides alternate; the figure is the best of the runs, in nanoseconds of
processor time a round, with the start-up of each machine taken off.  Not a
test: it never fails on a figure.
"""
import argparse
import os
import shutil
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from benchlib import cpu_model, processor_time, pto_command     # noqa: E402

FINISHER = 0x100000


# The handful of RV64 encodings that the loops need.

def r_type(funct7, funct3, rd, rs1, rs2):
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x33


def i_type(opcode, funct3, rd, rs1, imm):
    return (imm & 0xfff) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode


def store(funct3, rs1, rs2, imm):
    return ((imm >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 |
            (imm & 31) << 7 | 0x23)


def bne(rs1, rs2, offset):
    return ((offset >> 12 & 1) << 31 | (offset >> 5 & 63) << 25 | rs2 << 20 |
            rs1 << 15 | 1 << 12 | (offset >> 1 & 15) << 8 |
            (offset >> 11 & 1) << 7 | 0x63)


def jal(rd, offset):
    return ((offset >> 20 & 1) << 31 | (offset >> 1 & 0x3ff) << 21 |
            (offset >> 11 & 1) << 20 | (offset >> 12 & 0xff) << 12 |
            rd << 7 | 0x6f)


def addi(rd, rs1, imm):
    return i_type(0x13, 0, rd, rs1, imm)


def auipc(rd, pages):
    return pages << 12 | rd << 7 | 0x17


def li(rd, value):
    low = (value & 0xfff ^ 0x800) - 0x800
    return [(value - low & 0xfffff000) | rd << 7 | 0x37,
            i_type(0x1b, 0, rd, rd, low)]


def finish():
    return li(5, FINISHER) + li(6, 0x5555) + [store(2, 5, 6, 0), jal(0, 0)]


def riscv_xorshift(rounds):
    xor = r_type(0, 4, 10, 10, 11)
    return li(12, rounds) + li(10, 88172645) + [
        i_type(0x13, 1, 11, 10, 13), xor,
        i_type(0x13, 5, 11, 10, 7), xor,
        i_type(0x13, 1, 11, 10, 17), xor,
        addi(12, 12, -1), bne(12, 0, -28)] + finish()


def riscv_copy(rounds):
    inner = [i_type(3, 3, 13, 10, 0), store(3, 11, 13, 0), addi(10, 10, 8),
             addi(11, 11, 8), addi(12, 12, -1), bne(12, 0, -20)]
    outer = [auipc(10, 16), auipc(11, 17), addi(12, 0, 512)] + inner + \
        [addi(14, 14, -1)]
    return li(14, rounds // 512) + outer + [bne(14, 0, -4 * len(outer))] + \
        finish()


def riscv_call(rounds):
    return li(12, rounds) + [
        jal(1, 16), addi(12, 12, -1), bne(12, 0, -8), jal(0, 12),
        addi(10, 10, 1), i_type(0x67, 0, 0, 1, 0)] + finish()


LOOPS = {"xorshift": riscv_xorshift, "copy": riscv_copy, "call": riscv_call}


def loop_command(options, folder, name, rounds):
    return pto_command(options, folder, os.path.join(HERE, name + ".s"),
                       rounds)


def riscv_command(options, folder, name, rounds):
    image = os.path.join(folder, f"{name}-{rounds}.bin")
    with open(image, "wb") as f:
        for word in LOOPS[name](rounds):
            f.write(struct.pack("<I", word & 0xffffffff))
    return [options.riscv, "-M", "virt", "-bios", "none", "-display", "none",
            "-monitor", "none", "-serial", "none", "-device",
            f"loader,file={image},addr=0x80000000"]


def measure(sides, folder, name, options):
    """Best processor time a round, in ns, of each side."""
    commands = [(side(options, folder, name, options.rounds),
                 side(options, folder, name, 512)) for side in sides]
    best = [float("inf")] * len(sides)
    for _ in range(options.runs):
        for i, (long_run, short_run) in enumerate(commands):
            spent = processor_time(long_run) - processor_time(short_run)
            best[i] = min(best[i], spent)
    return [b / options.rounds * 1e9 for b in best]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--qemu", default="qemu-system-pto")
    parser.add_argument("--pto-as", default="pto-as")
    parser.add_argument("--riscv", default="qemu-system-riscv64")
    parser.add_argument("--rounds", type=int, default=200_000_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    sides = [loop_command]
    if shutil.which(options.riscv):
        sides.append(riscv_command)
    print(cpu_model())
    with tempfile.TemporaryDirectory() as folder:
        for name in LOOPS:
            ns = measure(sides, folder, name, options)
            line = f"{name:10} pto {ns[0]:7.2f} ns/round"
            if len(ns) == 2:
                line += f"  riscv64 {ns[1]:7.2f} ns/round" \
                        f"  speed {ns[1] / ns[0]:.2f} of riscv64"
            print(line, flush=True)


if __name__ == "__main__":
    main()
