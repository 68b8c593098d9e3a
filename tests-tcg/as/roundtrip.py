#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Text of every form assembles to the word it came from and back.

usage: roundtrip.py GENERATOR PTO_AS PTO_DIS
"""

import pathlib
import subprocess
import sys
import tempfile

BASE = '0x80000000'


def main():
    generator, assembler, disassembler = sys.argv[1:]
    rows = [line.split(' ', 1) for line in subprocess.run(
        [generator, BASE], check=True, text=True,
        capture_output=True).stdout.splitlines()]
    with tempfile.TemporaryDirectory() as d:
        source = pathlib.Path(d, 'all.s')
        image = pathlib.Path(d, 'all.bin')
        source.write_text('\n'.join(text for _, text in rows) + '\n')
        subprocess.run([assembler, '--binary', '--base', BASE, '-o', image,
                        source], check=True)
        got = image.read_bytes()
        texts = subprocess.run(
            [disassembler, '--plain', '--binary', BASE, image], check=True,
            text=True, capture_output=True).stdout.splitlines()
    bad = 0
    pos = 0
    for (word, text), again in zip(rows, texts):
        want = bytes.fromhex(word)
        have = got[pos:pos + len(want)]
        pos += len(want)
        if have != want or again != text:
            print(f'{text}: word {word}, got {have.hex()}, back {again}')
            bad += 1
    bad += abs(len(rows) - len(texts)) + (pos != len(got))
    print(f'{len(rows)} instructions, {bad} differences')
    print(f'{len(rows) - bad} passed, {bad} failed')
    return bad != 0


if __name__ == '__main__':
    sys.exit(main())
