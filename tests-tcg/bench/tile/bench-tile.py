#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tile blocks at guest level: header, decode, commit and the operation.

The matrix product is compared with the rate of bench-matrix, run in turns
with it.  The figure is the best of the runs, in processor time of a block
with the start-up of the machine taken off.  Not a test: it never fails on a
figure.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from benchlib import cpu_model, processor_time, pto_command     # noqa: E402

FLOPS = 2 * 32 * 128 * 128
# program, rounds, what it is
PROGRAMS = [
    ("matmul", 50_000, "FP32 TMATMUL 32x128x128"),
    ("add", 300_000, "FP32 TADD 64x64"),
    ("load", 300_000, "FP32 TLOAD 64x64"),
    ("small", 500_000, "FP32 TADD 1x4"),
    ("header", 2_000_000, "header of six commands, empty commit"),
]


def unit_rate(program):
    """GFLOP/s of the FP32 product that bench-matrix prints."""
    text = subprocess.run([program], check=True, capture_output=True,
                          text=True).stdout
    return float(re.search(r"^FP32\s+32x128x128\s+([\d.]+)", text, re.M)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--qemu", default="qemu-system-pto")
    parser.add_argument("--pto-as", default="pto-as")
    parser.add_argument("--bench-matrix", help="unit benchmark to compare with")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    print(cpu_model())
    with tempfile.TemporaryDirectory() as folder:
        commands = {}
        for name, rounds, _ in PROGRAMS:
            source = os.path.join(HERE, name + ".s")
            commands[name] = (pto_command(options, folder, source, rounds),
                              pto_command(options, folder, source, 16))
        best = dict.fromkeys(commands, float("inf"))
        unit = 0.0
        for _ in range(options.runs):
            for name, rounds, _ in PROGRAMS:
                long_run, short_run = commands[name]
                spent = processor_time(long_run) - processor_time(short_run)
                best[name] = min(best[name], spent / rounds)
                if name == "matmul" and options.bench_matrix:
                    unit = max(unit, unit_rate(options.bench_matrix))
    for name, _, what in PROGRAMS:
        line = f"{what:38} {best[name] * 1e6:8.3f} us/block"
        if name == "matmul":
            rate = FLOPS / best[name] * 1e-9
            line += f"  {rate:.2f} GFLOP/s"
            if unit:
                line += f", {rate / unit:.2f} of the kernel's {unit:.2f}"
        print(line)


if __name__ == "__main__":
    main()
