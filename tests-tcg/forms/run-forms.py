#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Guest programs made from tables: scalar forms against results that Python
computes.

Each program is written, assembled and booted on both CPU models; its exit
status is the number of the first check that fails.  --keep DIR leaves the
sources there.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from programs import all_programs                           # noqa: E402


def build(program, tools, folder):
    source = folder / (program.name + '.s')
    image = folder / (program.name + '.elf')
    source.write_text(program.text(), encoding='ascii')
    subprocess.run([tools / 'pto-as', '-I', HERE.parent / 'lib', '-o', image,
                    source], check=True)
    return image


def boot(options, cpu, image):
    """None, or what went wrong."""
    try:
        run = subprocess.run([options.qemu, '-M', 'pto-virt', '-cpu', cpu,
                              '-nographic', '-kernel', image],
                             stdin=subprocess.DEVNULL, timeout=60,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             check=False)
    except subprocess.TimeoutExpired:
        return 'does not end'
    if run.returncode:
        return run.stdout.decode('utf-8', 'replace').strip()
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--qemu', required=True, type=pathlib.Path)
    parser.add_argument('--tools', required=True, type=pathlib.Path,
                        help='folder of pto-as')
    parser.add_argument('--keep', type=pathlib.Path)
    parser.add_argument('--only', help='programs whose name has this')
    options = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = options.keep or pathlib.Path(folder)
        folder.mkdir(exist_ok=True)
        for program in all_programs():
            if options.only and options.only not in program.name:
                continue
            image = build(program, options.tools, folder)
            for cpu in program.models:
                wrong = boot(options, cpu, image)
                passed += not wrong
                failed += bool(wrong)
                if wrong:
                    print(f'{program.name} on {cpu}: {wrong}')
    print(f'{passed} passed, {failed} failed')
    return bool(failed)


if __name__ == '__main__':
    sys.exit(main())
