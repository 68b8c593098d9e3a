#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Random programs give the same results however they are executed.

Each program runs in normal mode, with one instruction in a TB, with -icount,
and in single steps of the debug stub; what it prints (registers, queues,
CYCLE, memory, trap signature) has to be the same.
"""
import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "pylib"))

from genprog import AREA, PRINTED, generate         # noqa: E402
from ptolink import LinkError, Machine              # noqa: E402

LIB = os.path.join(os.path.dirname(HERE), "lib")
FINISH = 0x80000008             # results are stored and printed from here on
MODES = {
    "normal": [],
    "one-insn": ["-accel", "tcg,one-insn-per-tb=on"],
    "icount": ["-icount", "shift=auto"],
}
STEPS = 20_000


class Failure(Exception):
    """A program that does not come to its end."""


def machine(model, image, console):
    return ["-M", "pto-virt", "-cpu", model, "-m", "128M",
            "-serial", f"file:{console}", "-kernel", image]


def printed(console):
    with open(console, encoding="ascii") as f:
        return f.read().split()


def run(options, model, image, console, extra, timeout=10):
    command = [options.qemu, "-display", "none", "-nodefaults",
               *machine(model, image, console), *extra]
    try:
        status = subprocess.run(command, timeout=timeout,
                                stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired as late:
        raise Failure(f"no end within {timeout} s") from late
    if status.returncode:
        raise Failure(f"status {status.returncode}")
    return printed(console)


def run_steps(options, model, image, console):
    m = Machine(options.qemu, machine(model, image, console), with_qmp=False)
    try:
        pc = b""
        for _ in range(STEPS):
            m.rsp.step()
            pc = int(m.rsp.ask("qpto.attempt").split(";")[0], 16)
            if pc == FINISH:
                break
        else:
            raise Failure(f"no end within {STEPS} steps")
        try:
            m.rsp.cont(20)
        except LinkError:
            pass
        m.process.wait(20)
    except subprocess.TimeoutExpired as late:
        raise Failure("no end after the steps") from late
    finally:
        m.close()
    return printed(console)


def name_of(index):
    if index < AREA // 4:
        return f"memory {8 * index - AREA:+d}"
    return (PRINTED + ["CYCLE"])[index - AREA // 4]


def differences(want, got):
    if len(want) != len(got):
        return f"{len(got)} words instead of {len(want)}"
    return ", ".join(f"{name_of(i)}: {g} instead of {w}"
                     for i, (w, g) in enumerate(zip(want, got))
                     if w != g)[:400]


def check(options, seed, model, folder):
    """Modes in which program @seed fails, as lines of text."""
    source = os.path.join(folder, "program.s")
    image = os.path.join(folder, "program.elf")
    console = os.path.join(folder, "console")
    with open(source, "w", encoding="ascii") as f:
        f.write(generate(seed, model, options.length))
    subprocess.run([options.assembler, "-I", LIB, "-o", image, source],
                   check=True)
    want, problems = None, []
    for mode in [*MODES, "step"]:
        try:
            got = (run_steps(options, model, image, console) if mode == "step"
                   else run(options, model, image, console, MODES[mode]))
            wrong = want and differences(want, got)
            want = want or got
        except Failure as failure:
            wrong = str(failure)
        if wrong:
            problems.append(f"{mode}: {wrong}")
        if not want:
            break
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--qemu", required=True)
    parser.add_argument("--as", required=True, dest="assembler")
    parser.add_argument("--first", type=int, default=1, help="first seed")
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--length", type=int, default=24,
                        help="statements of a program")
    parser.add_argument("--cpu", nargs="+", default=["pto", "pto-ref"])
    parser.add_argument("--print", action="store_true",
                        help="only print the source of the first seed")
    options = parser.parse_args()
    if options.print:
        print(generate(options.first, options.cpu[0], options.length), end="")
        return 0
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.seeds):
            for model in options.cpu:
                problems = check(options, seed, model, folder)
                for problem in problems:
                    print(f"FAIL seed {seed} ({model}) {problem}", flush=True)
                failed += bool(problems)
                passed += not problems
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
