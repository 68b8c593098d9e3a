#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The vector runner itself: wrong vectors must fail, unusable lines must be
named, whatever the file is called.

usage: test-runner.py --qemu QEMU --host-build DIR
"""
import argparse
import json
import lzma
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import numcase as nc                                        # noqa: E402

DATA = os.path.join(HERE, "data")
NUMERIC = ("compare-minmax elementwise matrix matrix-mx postprocess reduction "
           "scalar-fp sfu sort tcvt").split()
options = None


def sample(name, seed=1, count=2):
    """Some cases of every operation of a file."""
    cases = {}
    for _, line in nc.read_lines(os.path.join(DATA, name + ".jsonl.xz")):
        case = json.loads(line)
        cases.setdefault(case.get("op", case.get("form")), []).append(case)
    pick = random.Random(seed)
    return [c for group in cases.values()
            for c in pick.sample(group, min(count, len(group)))]


def flip(value):
    """The same JSON form with one bit of one element changed."""
    if isinstance(value, dict):
        key = sorted(value)[0]
        return {**value, key: flip(value[key])}
    if isinstance(value, list):
        return [flip(value[0])] + value[1:]
    if isinstance(value, int):
        return value ^ 1
    digit = value[-1]
    return value[:-1] + f"{int(digit, 16) ^ 1:X}"


def nan_first(case):
    """Post-processing of a NaN, which the live program may leave out."""
    return case["op"].startswith("FPATR") and case["acc"] == "FP32" \
        and int(case["x"][0], 16) & 0x7fffffff > 0x7f800000


class RunnerTest(unittest.TestCase):
    def run_file(self, lines, *args, name="x.jsonl", packed=False):
        """(exit status, text, (passed, failed, skipped))."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name)
            opener = lzma.open if packed else open
            with opener(path, "wt", encoding="utf-8") as f:
                for line in lines:
                    f.write((line if isinstance(line, str)
                             else json.dumps(line)) + "\n")
            done = subprocess.run(
                [sys.executable, os.path.join(HERE, "run-vectors.py"),
                 "--qemu", options.qemu, "--host-build", options.host_build,
                 "--max-report", "1000", *args, path],
                capture_output=True, text=True, check=False, timeout=300)
        self.assertNotIn("Traceback", done.stderr + done.stdout)
        last = re.fullmatch(r"(\d+) passed, (\d+) failed, (\d+) skipped",
                            done.stdout.splitlines()[-1])
        self.assertTrue(last, done.stdout)
        return done.returncode, done.stdout, tuple(map(int, last.groups()))

    def test_renamed(self):
        """Names of files and cases do not matter; kinds may be mixed."""
        cases = [c for n in NUMERIC for c in sample("numeric/" + n, count=1)]
        cases += sample("scalar-alu", count=1)[:10] + sample("tile-tlsu")[:4]
        random.Random(2).shuffle(cases)
        for i, case in enumerate(cases):
            case["id"] = f"case {i}"
        status, text, counts = self.run_file(cases, name="hidden", packed=True)
        self.assertEqual((status, counts[1]), (0, 0), text)
        self.assertEqual(sum(counts), len(cases))

    def check_wrong(self, place):
        for name in NUMERIC:
            wrong = []
            for case in sample("numeric/" + name, seed=3, count=1):
                if case.get("canon") or nan_first(case):
                    continue
                key = "D" if "D" in case else "r" if "r" in case else "index"
                case[key] = flip(case[key])
                wrong.append(case)
            with self.subTest(name=name):
                status, text, counts = self.run_file(wrong, "--numeric", place)
                self.assertEqual(status, 1)
                self.assertEqual(counts, (0, len(wrong), 0), text)
                self.assertIn("expected", text)

    def test_wrong_results_on_tools(self):
        self.check_wrong("tool")

    def test_wrong_results_live(self):
        self.check_wrong("live")

    def test_wrong_flags(self):
        wrong = []
        for name in ("elementwise", "tcvt", "scalar-fp", "reduction"):
            for case in sample("numeric/" + name, seed=5, count=1):
                case["flags"] = sorted(set(case["flags"]) ^ {"DZ"})
                if case.get("canon"):
                    continue
                if "x" not in case:
                    if not isinstance(case.get("ef"), list):
                        continue
                    case["ef"] = [ef ^ 2 for ef in case["ef"]]
                    case["flags"] = [
                        n for n, b in nc.FLAGS.items()
                        if any(ef & b for ef in case["ef"])]
                wrong.append(case)
        for place in ("tool", "live"):
            with self.subTest(place=place):
                status, text, counts = self.run_file(wrong, "--numeric", place)
                self.assertEqual((status, counts), (1, (0, len(wrong), 0)),
                                 text)
                self.assertNotIn("flags: not those", text)

    def test_unusable_lines(self):
        good = sample("numeric/sort", count=1)[0]
        unknown = {**good, "op": "TNOSUCH"}
        short = {**good, "r": good["r"][:-1] or ["0x00", "0x00"]}
        big = {**good, "x": ["0x1" + "0" * 16] * len(good["x"])}
        typed = {**good, "type": "FP33"}
        missing = {k: v for k, v in good.items() if k != "descending"}
        state = sample("scalar-alu", count=1)[0]
        no_pc = {k: v for k, v in state.items() if k != "pc"}
        flags = {**good, "flags": ["XX"]}
        lines = [good, "{", "[1]", '{"id": "x"}', unknown, short, big, typed,
                 missing, no_pc, {**state, "mem": "x"}, "", good, flags]
        status, text, counts = self.run_file(lines)
        self.assertEqual((status, counts), (1, (2, 11, 0)), text)
        for number, words in ((2, "JSON"), (3, "object"), (4, "neither"),
                              (5, "unknown"), (6, "elements"), (7, "bits"),
                              (8, "FP33"), (9, "descending"), (10, "pc"),
                              (11, "malformed"), (14, "flags")):
            self.assertRegex(text, rf"x\.jsonl:{number}\b[^\n]*\n[^\n]*"
                                   rf"{words}")

    def test_unusable_files(self):
        for name, content in (("gone.jsonl", None), ("empty.jsonl", b""),
                              ("cut", b"\xfd7zXZ\0\0\x04")):
            with self.subTest(name=name), \
                    tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, name)
                if content is not None:
                    with open(path, "wb") as f:
                        f.write(content)
                done = subprocess.run(
                    [sys.executable, os.path.join(HERE, "run-vectors.py"),
                     path], capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (1, ""))
                self.assertIn(name, done.stdout)

    def test_rejected_blocks(self):
        """A block that the machine rejects fails; the next ones still run."""
        case = next(c for c in sample("numeric/elementwise", count=1000)
                    if c["op"] == "TDIV" and c["type"] == "S32")
        bad = {**case, "b": ["0x00000000"] * len(case["b"])}
        status, text, counts = self.run_file([case, bad, case], "--numeric",
                                             "live")
        self.assertEqual((status, counts), (1, (2, 1, 0)), text)
        self.assertIn("integer divisor is zero", text)

    def test_program(self):
        """The program of a case assembles."""
        case = sample("numeric/matrix", count=1)[0]
        done = subprocess.run(
            [sys.executable, os.path.join(HERE, "live-numeric"), "program",
             case["id"], os.path.join(DATA, "numeric/matrix.jsonl.xz")],
            capture_output=True, text=True, check=True)
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "case.s")
            with open(source, "w", encoding="utf-8") as f:
                f.write(done.stdout)
            subprocess.run(
                [os.path.join(options.host_build, "tests-tcg/as/pto-as"),
                 "-I", os.path.join(HERE, "../lib"), "-o",
                 os.path.join(folder, "case.elf"), source], check=True)


def main():
    global options
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--qemu", required=True)
    parser.add_argument("--host-build", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
