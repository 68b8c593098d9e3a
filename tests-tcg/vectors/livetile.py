# SPDX-License-Identifier: GPL-2.0-or-later
"""Numeric tile cases on a live machine, many in one boot."""
import os
import tempfile

import numcase as nc
from tileblocks import NotExpressible, runs_of
from tileprog import CORE_STATE_FLAGS, DONE, TRAPPED, Assembler, Batch

BATCH_RUNS = 40000
RESTARTS = 20
HERE = os.path.dirname(os.path.abspath(__file__))


def flag_names(flags):
    return " ".join(n for n, b in nc.FLAGS.items() if flags & b) or "none"


def run_differences(batch, index):
    """Lines about one run that QEMU has executed."""
    run = batch.runs[index]
    state, mark, number, argument = batch.record(index)
    if mark == TRAPPED:
        why = batch.faults.get(argument, f"number {number & 63}, "
                               f"argument {argument:#x}")
        return [f"{run.what}: trap, {why}"]
    out = []
    for result in run.outputs:
        out += result.differences(batch.bytes_at(result.at, result.size))
    flags = state >> CORE_STATE_FLAGS & 0x1f
    if run.flags is not None and flags != run.flags:
        out.append(f"flags: expected {flag_names(run.flags)}, "
                   f"got {flag_names(flags)}")
    return [f"{run.what}: {line}" for line in out]


class LiveTiles:
    """Runs cases; options: qemu, qemu_arg, cpu, live_timeout, host_build."""

    def __init__(self, options):
        self.options = options
        self.assembler = Assembler(
            os.path.join(options.host_build, "tests-tcg/as/pto-as"),
            os.path.join(HERE, "..", "lib"))

    def execute(self, runs, done):
        """Call done(run, lines) for each run; a run that ends QEMU itself
        fails and the rest goes on in a new process."""
        restarts = 0
        while runs:
            with tempfile.TemporaryDirectory() as folder:
                batch = Batch(runs, self.assembler, folder)
                problem = batch.execute(self.options)
            finished = 0
            for index, run in enumerate(batch.runs):
                if batch.record(index)[1] not in (DONE, TRAPPED):
                    break
                if run.what:
                    done(run, run_differences(batch, index))
                    finished += 1
            runs = runs[finished:]
            if not problem and not runs:
                return
            problem = problem or "the program ended too early"
            if runs:
                done(runs[0], [f"{runs[0].what}: {problem}"])
            restarts += 1
            for run in runs[1:] if restarts > RESTARTS else []:
                done(run, [f"{run.what}: not executed, {problem}"])
            runs = [] if restarts > RESTARTS else runs[1:]

    def run(self, cases):
        """(verdict, lines, reason) for each case."""
        results = [["passed", [], None] for _ in cases]
        self.left_out = {}
        owner, batch = {}, []

        def done(run, lines):
            result = results[owner.pop(id(run))]
            if lines:
                result[0] = "failed"
                result[1] += lines
        for index, case in enumerate(cases):
            skipped = []
            try:
                runs = runs_of(case, skipped)
            except NotExpressible as why:
                results[index] = ["skipped", [], str(why)]
                continue
            except nc.BadCase as bad:
                results[index] = ["failed", [str(bad)], None]
                continue
            for count, why in skipped:
                self.left_out[why] = self.left_out.get(why, 0) + count
            owner.update((id(run), index) for run in runs)
            batch += runs
            if len(batch) >= BATCH_RUNS:
                self.execute(batch, done)
                batch = []
        self.execute(batch, done)
        return results
