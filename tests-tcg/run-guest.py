#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Assemble and run the guest programs.

usage: run-guest.py [-h] [-v] --qemu QEMU --as PTO_AS [PROGRAM...]

Without a PROGRAM all of tests-tcg/guest run. The first comment lines of a
program say how:

    // cpu: pto pto-ref     CPU models to run it on
    // smp: 4               PEs, default 1
    // expect: TEXT         line of the console
    // status: N            exit status, default 0
    // machine: OPTIONS     added to -M pto-virt
    // accel: multi single icount
                            execution modes to run it in, default multi
    // timeout: SECONDS     default 60
"""

import argparse
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

ACCELERATION = {
    'multi': ['-accel', 'tcg,thread=multi'],
    'single': ['-accel', 'tcg,thread=single'],
    'icount': ['-icount', 'shift=0'],
}


def directives(path):
    found = {'cpu': 'pto', 'accel': 'multi'}
    for line in path.read_text(encoding='utf-8').splitlines():
        m = re.match(r'//\s*(cpu|smp|expect|status|machine|accel|timeout)'
                     r':\s*(.*)', line)
        if m:
            found[m[1]] = m[2].strip()
        elif not line.startswith('//'):
            break
    return found


def assemble(assembler, path, image):
    run = subprocess.run([assembler, '-I', HERE / 'lib', '-o', image, path],
                         capture_output=True, text=True)
    return run.stderr if run.returncode else None


def run_one(qemu, image, cpu, accel, how, verbose):
    """None, or what went wrong."""
    machine = 'pto-virt'
    if 'machine' in how:
        machine += ',' + how['machine']
    command = [qemu, '-M', machine, '-cpu', cpu, '-nodefaults', '-display',
               'none', '-serial', 'stdio', '-monitor', 'none',
               '-kernel', str(image), *ACCELERATION[accel]]
    if 'smp' in how:
        command += ['-smp', f'cores=1,threads={how["smp"]}']
    try:
        run = subprocess.run(command, capture_output=True, timeout=int(
            how.get('timeout', '60')), stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return 'timeout'
    text = run.stdout.decode('utf-8', 'replace')
    if verbose and text:
        print(text.rstrip())
    if run.returncode != int(how.get('status', '0')):
        return (f'status {run.returncode}: {text.strip()} '
                f'{run.stderr.decode("utf-8", "replace").strip()}')
    if 'expect' in how and how['expect'] not in text:
        return f'console: {text.strip()!r}'
    return None


def main():
    parser = argparse.ArgumentParser(
        description='Assemble and run the guest programs.')
    parser.add_argument('--qemu', required=True)
    parser.add_argument('--as', required=True, dest='assembler')
    parser.add_argument('-v', '--verbose', action='store_true')
    parser.add_argument('program', nargs='*', type=pathlib.Path)
    args = parser.parse_args()
    programs = args.program or sorted((HERE / 'guest').glob('*.s'))
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        image = pathlib.Path(folder, 'image.elf')
        for path in programs:
            how = directives(path)
            problem = assemble(args.assembler, path, image)
            for cpu, accel in itertools.product(how['cpu'].split(),
                                                how['accel'].split()):
                wrong = problem or run_one(args.qemu, image, cpu, accel, how,
                                           args.verbose)
                if wrong:
                    failed += 1
                    print(f'FAIL {path.name} ({cpu}, {accel}): {wrong}')
                else:
                    passed += 1
                    if args.verbose:
                        print(f'ok   {path.name} ({cpu}, {accel})')
    print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
