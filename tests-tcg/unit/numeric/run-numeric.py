#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Feed compressed numeric vectors to the numeric-vectors tool.

usage: run-numeric.py TOOL FILE.jsonl.xz...

A skipped case is a failure: the files given here are covered completely.
"""
import lzma
import subprocess
import sys


def run(tool, path):
    with lzma.open(path, "rb") as data:
        done = subprocess.run([tool, "-"], input=data.read(),
                              stdout=subprocess.PIPE, check=False)
    text = done.stdout.decode("utf-8", "replace")
    print(path, text, sep="\n", end="")
    lines = text.splitlines()
    return done.returncode == 0 and bool(lines) and \
        lines[-1].endswith(" 0 failed, 0 skipped")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    results = [run(sys.argv[1], path) for path in sys.argv[2:]]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
