# SPDX-License-Identifier: GPL-2.0-or-later
"""Numeric cases on the tile core, by the host tools."""
import os
import signal
import subprocess

import numcase as nc

NUMERIC = "unit/numeric/numeric-vectors"
KERNEL = "unit/vec/kernel-vectors"
MATRIX = "unit/matrix/matrix-vectors"


def tools_for(op):
    """The numeric engine element by element, and whole tile operations."""
    if op in nc.SCALAR:
        return [NUMERIC]
    if op in nc.MATRIX or op in nc.POST:
        return [MATRIX]
    return [NUMERIC, KERNEL]


class HostTools:
    """Runs cases; options: host_build."""

    def __init__(self, options):
        self.folder = os.path.join(options.host_build, "tests-tcg")

    def call(self, tool, cases):
        """(verdict, lines) of the cases, up to the one that ends the tool."""
        path = os.path.join(self.folder, tool)
        try:
            done = subprocess.run([path, "--verdicts", "-"],
                                  input=b"".join(c.line for c in cases),
                                  stdout=subprocess.PIPE, check=False)
        except OSError as exc:
            return [("failed", [f"{path}: {exc.strerror}"])] * len(cases)
        out, lines = [], []
        for line in done.stdout.decode("utf-8", "replace").splitlines():
            words = line.split()
            if words[:1] == ["verdict"]:
                out.append((words[2], lines))
                lines = []
            else:
                lines.append(line)
        if len(out) < len(cases):
            how = f"status {done.returncode}"
            if done.returncode < 0:
                how = signal.Signals(-done.returncode).name
            out.append(("failed", lines + [f"{tool} ended with {how}"]))
        return out[:len(cases)]

    def run_tool(self, tool, cases):
        out = []
        while len(out) < len(cases):
            out += self.call(tool, cases[len(out):])
        return out

    def run(self, cases):
        """(verdict, lines, reason) for each case."""
        results = [["skipped", [], "no host tool"] for _ in cases]
        for tool in (NUMERIC, KERNEL, MATRIX):
            mine = [i for i, c in enumerate(cases) if tool in tools_for(c.op)]
            if not mine:
                continue
            name = os.path.basename(tool)
            verdicts = self.run_tool(tool, [cases[i] for i in mine])
            for i, (verdict, lines) in zip(mine, verdicts):
                result = results[i]
                result[1] += [f"{name}: {line}" for line in lines]
                if verdict == "failed" or result[0] == "skipped":
                    result[0] = verdict
        return results
