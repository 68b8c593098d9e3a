#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Run golden vectors on a live machine.

State vectors run on `-M pto-ref -cpu pto-ref`: the state is loaded through the
CPU's `arch-state`, memory through the debug stub, and every instruction
attempt is one single step; or, with --mode run, the program runs freely to a
breakpoint at one of its stop addresses.  Numeric vectors are handed to the
tile core's tool.
"""
import argparse
import json
import lzma
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "pylib"))

from ptolink import LinkError, Machine                      # noqa: E402
import compare                                              # noqa: E402
import vecstate as vs                                       # noqa: E402


class Session:
    """One live process for one RAM size, restarted when it dies."""

    def __init__(self, options, ram):
        self.options, self.ram = options, ram
        self.machine = None
        self.breakpoints = set()

    def start(self):
        args = ["-M", f"pto-ref,ram-bytes={self.ram}", "-cpu", "pto-ref",
                "-accel", "tcg", *self.options.qemu_arg]
        self.machine = Machine(self.options.qemu, args,
                               ram_size=max(self.ram, 8192),
                               timeout=self.options.timeout, with_qmp=False)
        self.breakpoints = set()

    def stop(self):
        if self.machine:
            status = self.machine.close()
            self.machine = None
            return status
        return None

    def load(self, case, memory):
        """Bring memory and the CPU into the case's initial state."""
        m = self.machine
        now = m.ram[:self.ram]
        if now != memory:
            changed = [at for at in range(0, self.ram, 64)
                       if now[at:at + 64] != memory[at:at + 64]]
            start = end = changed[0]
            for at in changed + [self.ram + 512]:
                if at - end > 256:      # a packet costs more than its bytes
                    m.rsp.write(start, memory[start:end])
                    start = at
                end = at + 64
        m.set_state(vs.initial_state(case))

    def run_stepping(self, case):
        """The README's loop; (reason, steps, rejected attempts)."""
        m = self.machine
        stop = {vs.number(a) for a in case.get("stop", [])}
        limit = case["max_steps"]
        pc, steps, rejected = vs.number(case["pc"]), 0, []
        while True:
            if pc in stop:
                return vs.STOP, steps, rejected
            if steps == limit:
                return vs.MAX_STEPS, steps, rejected
            if pc & 1:
                return vs.MISALIGNED, steps, rejected
            if pc + 8 > self.ram and vs.fetch_outside(pc, m.ram[:self.ram]):
                return vs.OUTSIDE, steps, rejected
            before = pc
            m.rsp.step()
            pc, fault, address, _ = m.attempt()
            if fault != "None":
                rejected.append({"step": steps, "fault": fault,
                                 "address": address, "pc": before})
            steps += 1

    def set_breakpoints(self, addresses):
        """Exactly @addresses are breakpoints afterwards."""
        for address in self.breakpoints - addresses:
            self.machine.rsp.breakpoint(address, insert=False)
        for address in addresses - self.breakpoints:
            self.machine.rsp.breakpoint(address)
        self.breakpoints = addresses

    def run_free(self, case):
        """Run to a breakpoint at a stop address; None where the machine did
        not reach one.  Rejected attempts before the last cannot be seen."""
        m = self.machine
        stops = {vs.number(a) for a in case["stop"]}
        self.set_breakpoints(stops)
        if m.rsp.cont(timeout=self.options.free_timeout) is None:
            return None
        pc, _, _, cycle = m.attempt()
        if pc not in stops:
            return None
        return vs.STOP, cycle - vs.number(case.get("cycle", 0)), None

    def run_case(self, case):
        """Differences (empty: passed)."""
        lines = None
        if self.options.mode != "step" and self.may_run_free(case):
            lines = self.attempt_case(case, self.run_free)
            if not lines:
                return []
            # A full stepping run shows more, for instance where it went wrong
            if self.options.mode == "run":
                return lines
        self.set_breakpoints(set())
        again = self.attempt_case(case, self.run_stepping)
        if lines and not again:
            return ["passes stepping, but not running freely:"] + lines
        return again

    @staticmethod
    def may_run_free(case):
        """The run ends at a stop address, in a program of its own (tile and
        delta files: a rejected attempt ends the run)."""
        return "ram" in case and case["final"]["stop_reason"] == vs.STOP \
            and vs.number(case["pc"]) not in map(vs.number, case["stop"])

    def attempt_case(self, case, run):
        memory = vs.initial_memory(case)
        self.load(case, bytes(memory))
        result = run(case)
        if result is None:
            return ["free run did not end at a stop address"]
        reason, steps, rejected = result
        m = self.machine
        state = m.get_state()
        final = case["final"]
        out = compare.differences(final["stop_reason"], reason, "stop_reason")
        out += compare.differences(final["steps"], steps, "steps")
        if rejected is not None:
            out += compare.differences(
                vs.numbers(final.get("rejected", [])), rejected, "rejected")
        want, have = vs.normal_final(case), vs.normal_state(state, case)
        if case.get("compare") == "faults":
            want = {k: v for k, v in want.items() if k in vs.FAULT_KEYS}
            have = {k: v for k, v in have.items() if k in vs.FAULT_KEYS}
            return out + compare.differences(want, have)
        out += compare.differences(want, have)
        flags = have.get("core_state", 0) >> 32 & 0x1f
        out += compare.differences(vs.number(final.get("numeric_flags", 0)),
                                   flags, "numeric_flags")
        out += compare.memory_differences(bytes(vs.expected_memory(case)),
                                          m.ram[:self.ram])
        return out


class Report:
    """Counts per form or operation, and the failures."""

    def __init__(self, options):
        self.options = options
        self.rows = {}
        self.passed = self.failed = self.skipped = 0
        self.shown = 0

    def row(self, case):
        return case.get("form") or case.get("op") \
            or case["id"].rsplit("/", 1)[0]

    def add(self, case, verdict, lines=()):
        row = self.rows.setdefault(self.row(case), [0, 0, 0])
        row[("passed", "failed", "skipped").index(verdict)] += 1
        setattr(self, verdict, getattr(self, verdict) + 1)
        if verdict == "failed":
            self.shown += 1
            if self.shown <= self.options.max_report:
                print(f"FAIL {case['id']}")
                for line in lines[:self.options.max_lines]:
                    print(f"     {line}")
                if len(lines) > self.options.max_lines:
                    print(f"     … {len(lines) - self.options.max_lines} more")
            elif self.shown == self.options.max_report + 1:
                print("… more failures, not shown (--max-report)")
            sys.stdout.flush()

    def table(self):
        if not self.rows:
            return
        width = max(len(k) for k in self.rows)
        print(f"{'form or operation':{width}}  passed  failed  skipped")
        for key in sorted(self.rows):
            row = self.rows[key]
            if self.options.failed_rows and not row[1]:
                continue
            print(f"{key:{width}}  {row[0]:6}  {row[1]:6}  {row[2]:7}")


def read_cases(path):
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def is_numeric(path):
    for case in read_cases(path):
        return "final" not in case
    return False


def skip_reason(case):
    for key in ("superseded", "model_artifact"):
        if case.get(key):
            return key
    if vs.uses_replaced_encoding(case):
        return "superseded"
    return None


def crash_text(session, exc):
    status = session.stop()
    how = "still running" if status is None else f"exit status {status}"
    return f"QEMU stopped answering ({how}): {exc}"


def run_state_file(path, options, sessions, report):
    count = 0
    for case in read_cases(path):
        if options.filter and options.filter not in case["id"] \
                and options.filter != case.get("form") \
                and options.filter != case.get("op"):
            continue
        if options.limit and count >= options.limit:
            break
        count += 1
        reason = skip_reason(case)
        if reason and not options.all:
            report.add(case, "skipped")
            continue
        ram = vs.ram_bytes(case)
        session = sessions.setdefault(ram, Session(options, ram))
        try:
            if session.machine is None:
                session.start()
            lines = session.run_case(case)
        except LinkError as exc:
            lines = [crash_text(session, exc)]
        if reason:
            report.add(case, "skipped")
        else:
            report.add(case, "failed" if lines else "passed", lines)


def run_numeric_file(path, options, report):
    """The tool reads vectors on its standard input and ends with the same
    last line as this program."""
    if not options.numeric_tool:
        print(f"{path}: numeric vectors need --numeric-tool", file=sys.stderr)
        return False
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rb") as data:
        done = subprocess.run([options.numeric_tool, "-"], input=data.read(),
                              stdout=subprocess.PIPE, check=False)
    text = done.stdout.decode("utf-8", "replace").rstrip().splitlines()
    for line in text[:-1]:
        print(line)
    try:
        words = text[-1].replace(",", "").split()
        report.passed += int(words[0])
        report.failed += int(words[2])
        report.skipped += int(words[4]) if len(words) > 4 else 0
    except (IndexError, ValueError):
        print(f"{path}: {options.numeric_tool} ended with status "
              f"{done.returncode} and no summary", file=sys.stderr)
        return False
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE",
                        help=".jsonl or .jsonl.xz")
    parser.add_argument("--qemu", default="qemu-system-pto")
    parser.add_argument("--qemu-arg", action="append", default=[],
                        help="further argument for QEMU, may be repeated")
    parser.add_argument("--mode", choices=["auto", "step", "run"],
                        default="auto", help="run: tile programs run freely; "
                        "auto: they are repeated in steps after a difference; "
                        "step: every case in single steps")
    parser.add_argument("--filter", help="part of an id, a form or an "
                        "operation name")
    parser.add_argument("--limit", type=int, help="cases of each file")
    parser.add_argument("--all", action="store_true",
                        help="also execute superseded cases (not compared)")
    parser.add_argument("--numeric-tool", help="program for numeric vectors")
    parser.add_argument("--max-report", type=int, default=20)
    parser.add_argument("--max-lines", type=int, default=12)
    parser.add_argument("--no-table", action="store_true")
    parser.add_argument("--failed-rows", action="store_true",
                        help="only rows with a failure in the table")
    parser.add_argument("--timeout", type=float, default=30.0)
    parser.add_argument("--free-timeout", type=float, default=5.0)
    options = parser.parse_args()

    report, sessions, good = Report(options), {}, True
    began = time.monotonic()
    try:
        for path in options.files:
            if is_numeric(path):
                good &= run_numeric_file(path, options, report)
            else:
                run_state_file(path, options, sessions, report)
    finally:
        for session in sessions.values():
            session.stop()
    if not options.no_table:
        report.table()
    spent = time.monotonic() - began
    total = report.passed + report.failed
    print(f"{total} cases in {spent:.1f} s "
          f"({total / max(spent, 0.001):.0f}/s)")
    print(f"{report.passed} passed, {report.failed} failed, "
          f"{report.skipped} skipped")
    return 1 if report.failed or not good else 0


if __name__ == "__main__":
    sys.exit(main())
