#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Run golden vectors.

Every line decides by its content where it runs, whatever its file is called.
State vectors run on a live `pto-ref` machine. Numeric vectors run on the tile
core by the host tools and on a live `-cpu pto` machine: the scalar ones as
instructions, the others as tile blocks between loads and stores.
"""
import argparse
import signal
import sys
import time

import numcase as nc
from livescalar import LiveScalars
from livestate import LiveStates
from livetile import LiveTiles
from numtools import HostTools
from report import Report
from tileprog import AssemblyError


def state_row(case):
    row = case.get("form") or case.get("op")
    if not isinstance(row, str):
        row = case.get("id", "?").rsplit("/", 1)[0]
    return row


def note_of(case):
    """What may explain a failure of a numeric case."""
    found = [f"{key} {' '.join(map(str, case.raw[key]))}"
             for key in ("contested", "choice")
             if isinstance(case.raw.get(key), list)]
    return f" ({', '.join(found)})" if found else ""


class Runner:
    def __init__(self, options):
        self.options = options
        self.report = Report(options.max_report, options.max_lines)
        self.states = LiveStates(options)

    def wanted(self, name, row):
        pattern = self.options.filter
        return not pattern or pattern in name or pattern == row

    def run_file(self, path):
        """State cases at once, the numeric ones of a file together."""
        numeric, count = [], 0
        try:
            for number, line in nc.read_lines(path):
                where = f"{path}:{number}"
                try:
                    case = nc.parse(line, where)
                except nc.BadCase as bad:
                    self.report.bad(where, str(bad))
                    continue
                state = isinstance(case, dict)
                name = case.get("id", where) if state else case.id
                if not self.wanted(name, state_row(case) if state
                                   else case.op):
                    continue
                count += 1
                if state:
                    self.report.add(state_row(case), f"{name} ({where})",
                                    {"live": self.states.run(case)})
                else:
                    case.line = line.rstrip(b"\r\n") + b"\n"
                    numeric.append(case)
                if count == self.options.limit:
                    break
        except nc.BadCase as bad:
            self.report.bad(path, str(bad))
            return
        if not count and not self.options.filter:
            self.report.bad(path, "no vectors")
        if numeric and not self.options.host_build:
            self.report.bad(path, "numeric vectors need --host-build DIR")
        elif numeric:
            self.run_numeric(numeric)

    def run_numeric(self, cases):
        outcomes = [{} for _ in cases]
        if self.options.numeric != "live":
            for outcome, result in zip(outcomes,
                                       HostTools(self.options).run(cases)):
                outcome["tool"] = result
        if self.options.numeric != "tool":
            self.run_live(cases, outcomes)
        for case, outcome in zip(cases, outcomes):
            self.report.add(case.op, f"{case.id} ({case.where})", outcome,
                            note_of(case))

    def run_live(self, cases, outcomes):
        for scalar, runner in ((True, LiveScalars), (False, LiveTiles)):
            mine = [i for i, c in enumerate(cases)
                    if (c.op in nc.SCALAR) == scalar]
            if not mine:
                continue
            live = runner(self.options)
            for i, result in zip(mine, live.run([cases[i] for i in mine])):
                outcomes[i]["live"] = result
            for why, count in live.left_out.items():
                self.report.reason(f"live, elements of cases: {why}", count)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE",
                        help=".jsonl or .jsonl.xz")
    parser.add_argument("--qemu", default="qemu-system-pto")
    parser.add_argument("--qemu-arg", action="append", default=[],
                        help="further argument for QEMU, may be repeated")
    parser.add_argument("--host-build", help="build folder of the host "
                        "tools, needed for numeric vectors")
    parser.add_argument("--numeric", choices=["both", "tool", "live"],
                        default="both", help="where numeric vectors run")
    parser.add_argument("--cpu", default="pto",
                        help="CPU model for numeric vectors")
    parser.add_argument("--mode", choices=["auto", "step", "run"],
                        default="auto", help="run: tile programs run freely; "
                        "auto: they are repeated in steps after a difference; "
                        "step: every case in single steps")
    parser.add_argument("--filter", help="part of an id, a form or an "
                        "operation name")
    parser.add_argument("--limit", type=int, help="cases of each file")
    parser.add_argument("--all", action="store_true",
                        help="also execute superseded cases (not compared)")
    parser.add_argument("--max-report", type=int, default=20)
    parser.add_argument("--max-lines", type=int, default=12)
    parser.add_argument("--no-table", action="store_true")
    parser.add_argument("--failed-rows", action="store_true",
                        help="only rows with a failure in the table")
    parser.add_argument("--timeout", type=float, default=30.0)
    parser.add_argument("--free-timeout", type=float, default=5.0)
    parser.add_argument("--live-timeout", type=float, default=300.0,
                        help="seconds for one boot with numeric vectors")
    return parser.parse_args()


def main():
    options = arguments()
    # ends the machines, too
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    runner = Runner(options)
    report = runner.report
    began = time.monotonic()
    try:
        for path in options.files:
            runner.run_file(path)
    except AssemblyError as exc:
        report.bad("assembler", str(exc))
    finally:
        runner.states.stop()
    if not options.no_table:
        report.table(options.failed_rows)
    report.print_reasons()
    spent = time.monotonic() - began
    total = report.totals["passed"] + report.totals["failed"]
    print(f"{total} cases in {spent:.1f} s "
          f"({total / max(spent, 0.001):.0f}/s)")
    print(report.summary())
    return 1 if report.totals["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
