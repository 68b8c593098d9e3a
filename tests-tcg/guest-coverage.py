#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Which instruction forms the guest programs contain.

Every form of target-pto/forms.def must stand in at least one program of
tests-tcg/guest, or in one that tests-tcg/forms makes; the names of the others
are printed.
"""
import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / 'forms'))

from programs import all_programs                           # noqa: E402


def all_forms():
    text = (HERE.parent / 'target-pto/forms.def').read_text(encoding='utf-8')
    return {m[1] for m in re.finditer(r'(?m)^([a-z]\w*)\s', text)}


def forms_of(tools, program, folder):
    image = folder / (program.stem + '.elf')
    subprocess.run([tools / 'pto-as', '-I', HERE / 'lib', '-o', image,
                    program], check=True)
    text = subprocess.run([tools / 'pto-dis', '--forms', image], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return set(text.split())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--tools', required=True, type=pathlib.Path,
                        help='folder of pto-as and pto-dis')
    options = parser.parse_args()
    programs = sorted((HERE / 'guest').glob('*.s'))
    forms, seen = all_forms(), set()
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        for made in all_programs():
            source = pathlib.Path(folder) / (made.name + '.s')
            source.write_text(made.text(), encoding='ascii')
            programs.append(source)
        jobs = [pool.submit(forms_of, options.tools, p, pathlib.Path(folder))
                for p in programs]
        for job in jobs:
            seen |= job.result()
    missing = sorted(forms - seen)
    for name in missing:
        print('in no guest program:', name)
    print(f'{len(forms) - len(missing)} passed, {len(missing)} failed')
    return bool(missing)


if __name__ == '__main__':
    sys.exit(main())
