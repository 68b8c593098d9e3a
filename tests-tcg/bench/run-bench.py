#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Run all benchmarks: scalar loops and tile blocks on the machine, then the
tile kernels.  Further arguments go to the scalar loops."""
import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--qemu", required=True)
    parser.add_argument("--host-build", required=True,
                        help="build folder of the host tools")
    options, rest = parser.parse_known_args()
    tools = os.path.join(options.host_build, "tests-tcg")
    kernels = os.path.join(tools, "bench")
    matrix = os.path.join(kernels, "bench-matrix")
    machine = ["--qemu", options.qemu,
               "--pto-as", os.path.join(tools, "as", "pto-as")]
    commands = [
        [sys.executable, os.path.join(HERE, "scalar", "bench-scalar.py"),
         *machine, *rest],
        [sys.executable, os.path.join(HERE, "tile", "bench-tile.py"),
         *machine, *(["--bench-matrix", matrix] if os.path.isfile(matrix)
                     else [])],
    ]
    if os.path.isdir(kernels):
        for name in sorted(os.listdir(kernels)):
            path = os.path.join(kernels, name)
            if name.startswith("bench-") and os.path.isfile(path) and \
                    os.access(path, os.X_OK):
                commands.append([path])
    status = 0
    for command in commands:
        print(f"== {os.path.basename(command[-1 if len(command) == 1 else 1])}",
              flush=True)
        status |= subprocess.run(command, check=False).returncode != 0
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
