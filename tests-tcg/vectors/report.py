# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts of cases by operation and place, differences, reasons."""
import sys

VERDICTS = ("passed", "failed", "skipped")
PLACES = ("tool", "live")


class Report:
    """A case passes where it passes in one place at least and fails in
    none."""

    def __init__(self, max_report=20, max_lines=12):
        self.max_report, self.max_lines = max_report, max_lines
        self.rows = {}
        self.totals = dict.fromkeys(VERDICTS, 0)
        self.reasons = {}
        self.shown = 0

    def add(self, row, name, outcomes, note=""):
        """@outcomes: place -> (verdict, lines, reason)."""
        cells = self.rows.setdefault(row, {})
        verdicts = set()
        for place, (verdict, _, reason) in outcomes.items():
            counts = cells.setdefault(place, dict.fromkeys(VERDICTS, 0))
            counts[verdict] += 1
            verdicts.add(verdict)
            if verdict == "skipped":
                self.reason(f"{place}: {reason or 'operation unknown'}")
        verdict = next(v for v in ("failed", "passed", "skipped")
                       if v in verdicts)
        self.totals[verdict] += 1
        if verdict == "failed":
            self.show(name, note, [
                f"{place}: {line}" if len(outcomes) > 1 else line
                for place, (_, lines, _) in outcomes.items()
                for line in self.cut(lines)])

    def reason(self, text, count=1):
        self.reasons[text] = self.reasons.get(text, 0) + count

    def cut(self, lines):
        if len(lines) <= self.max_lines:
            return lines
        return lines[:self.max_lines] + [
            f"… {len(lines) - self.max_lines} more"]

    def bad(self, where, text):
        """A line or a file that cannot be used."""
        self.totals["failed"] += 1
        self.show(where, "", [text])

    def show(self, name, note, lines):
        self.shown += 1
        if self.shown <= self.max_report:
            print(f"FAIL {name}{note}")
            for line in lines:
                print(f"     {line}")
        elif self.shown == self.max_report + 1:
            print("… more failures, not shown (--max-report)")
        sys.stdout.flush()

    def table(self, only_failed=False):
        rows = {k: v for k, v in self.rows.items()
                if not only_failed or any(c["failed"] for c in v.values())}
        if not rows:
            return
        places = [p for p in PLACES if any(p in v for v in rows.values())]
        width = max(map(len, [*rows, "form or operation"]))
        print(" " * width + "".join(f" | {p:^21}" for p in places))
        print(f"{'form or operation':{width}}"
              + " | passed failed skipped" * len(places))
        for key in sorted(rows):
            line = f"{key:{width}}"
            for p in places:
                c = rows[key].get(p)
                line += " | " + (f"{c['passed']:6} {c['failed']:6} "
                                 f"{c['skipped']:7}" if c else " " * 21)
            print(line.rstrip())

    def print_reasons(self):
        for text in sorted(self.reasons):
            print(f"skipped, {text}: {self.reasons[text]}")

    def summary(self):
        return ", ".join(f"{self.totals[v]} {v}" for v in VERDICTS)
