#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Run guest/shared-rounds.s many times: four PEs, 64 Shared tiles in each
run; every run has to leave the same memory, in every execution mode.

The guest checks each stored element itself and prints a sum over all of them.
"""
import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODES = {'multi': ['-accel', 'tcg,thread=multi'],
         'single': ['-accel', 'tcg,thread=single'],
         'icount': ['-icount', 'shift=0']}


def run_once(options, image, mode):
    """What the guest printed, or what went wrong."""
    try:
        done = subprocess.run(
            [options.qemu, *MODES[mode], '-smp', 'cores=1,threads=4',
             '-nographic', '-kernel', image], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
            check=False)
    except subprocess.TimeoutExpired:
        return 'did not end in 60 s'
    text = done.stdout.decode('utf-8', 'replace').strip()
    return f'status {done.returncode}: {text}'


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--qemu', required=True)
    parser.add_argument('--as', dest='assembler', required=True)
    parser.add_argument('--runs', type=int, default=20)
    options = parser.parse_args()
    failed = 0
    seen = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        image = pathlib.Path(folder) / 'rounds.elf'
        subprocess.run([options.assembler, '-I', HERE / 'lib', '-o', image,
                        HERE / 'guest/shared-rounds.s'], check=True)
        # the deterministic mode is what all others have to agree with
        wanted = run_once(options, image, 'icount')
        for mode, runs in (('multi', options.runs), ('single', 3),
                           ('icount', 3)):
            for _ in range(runs):
                text = run_once(options, image, mode)
                good = text == wanted and text.startswith('status 0: sum')
                failed += not good
                if not good:
                    print(f'{mode}: {text}')
                seen[mode] += good
    print(wanted)
    print(f'{sum(seen.values())} passed, {failed} failed')
    return bool(failed)


if __name__ == '__main__':
    sys.exit(main())
