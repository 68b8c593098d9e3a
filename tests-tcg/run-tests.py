#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The whole test suite: what `./configure-patch test` runs."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
COUNTS = re.compile(r'^(?:\w+: )?(\d+) passed, (\d+) failed'
                    r'(?:, (\d+) skipped)?$', re.M)
QTESTS = ['qom-test', 'device-introspect-test', 'test-hmp', 'qmp-cmd-test',
          'machine-none-test']


class Suite:
    def __init__(self, options):
        self.options = options
        self.passed = self.failed = self.skipped = 0

    def add(self, name, passed, failed, skipped=0, seconds=0.0):
        self.passed += passed
        self.failed += failed
        self.skipped += skipped
        print(f'{"ok  " if not failed else "FAIL"} {name:34} '
              f'{passed:6} passed, {failed} failed'
              + (f', {skipped} skipped' if skipped else '')
              + f'  ({seconds:.0f} s)', flush=True)

    def run(self, name, command, env=None, count=None, timeout=900):
        """Run @command; its counts are the last counting line it prints, or
        what @count makes of its output; a failing status is a failure."""
        only = self.options.only
        if only and only not in name:
            return
        start = time.monotonic()
        try:
            run = subprocess.run([str(c) for c in command],
                                 env={**os.environ, **(env or {})},
                                 stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, timeout=timeout)
            text, status = run.stdout.decode('utf-8', 'replace'), run.returncode
        except subprocess.TimeoutExpired as late:
            text = (late.stdout or b'').decode('utf-8', 'replace')
            text += f'\ntimed out after {timeout} s'
            status = -1
        counts = count(text) if count else self.counts(text)
        passed, failed, skipped = counts or (0, 0, 0)
        if not counts or (status and not failed):
            failed += 1
        if failed:
            tail = text.rstrip().splitlines()[-40:]
            print('\n'.join('    ' + line for line in tail))
        self.add(name, passed, failed, skipped, time.monotonic() - start)

    @staticmethod
    def counts(text):
        found = COUNTS.findall(text)
        if not found:
            return None
        return tuple(int(n or 0) for n in found[-1])


def tap_counts(text):
    ok = len(re.findall(r'^ok ', text, re.M))
    skipped = len(re.findall(r'^ok .*# SKIP', text, re.M))
    bad = len(re.findall(r'^not ok ', text, re.M))
    return (ok - skipped, bad, skipped) if ok or bad else None


def meson_counts(text):
    found = {k: int(n) for k, n in
             re.findall(r'^(Ok|Fail|Skipped|Timeout|Unexpected Pass):\s+(\d+)',
                        text, re.M)}
    if not found:
        return None
    failed = sum(found.get(k, 0) for k in ('Fail', 'Timeout',
                                           'Unexpected Pass'))
    return found.get('Ok', 0), failed, found.get('Skipped', 0)


def unittest_counts(text):
    ran = re.search(r'^Ran (\d+) tests?', text, re.M)
    if not ran:
        return None
    bad = sum(int(n) for n in
              re.findall(r'(?:failures|errors)=(\d+)', text))
    skipped = sum(int(n) for n in re.findall(r'skipped=(\d+)', text))
    return int(ran[1]) - bad - skipped, bad, skipped


def fuzz_counts(text):
    found = re.search(r'in (\d+) rounds, .*: (\d+) failed', text)
    return found and (int(found[1]) - int(found[2]), int(found[2]), 0)


def demo_counts(text):
    good = 'all 4096 elements equal the scalar result' in text
    return int(good), int(not good), 0


def host_tests(suite):
    suite.run('unit tests (tile core, tools)',
              ['meson', 'test', '-C', suite.options.host_build,
               '--no-rebuild', '--print-errorlogs'], count=meson_counts,
              timeout=1800)


def machine_tests(suite):
    o = suite.options
    qemu = o.qemu_build / 'qemu-system-pto'
    vectors = HERE / 'vectors'
    suite.run('demo', [qemu, '-M', 'pto-virt', '-nographic', '-kernel',
                       o.host_build / 'tests-tcg/demo/demo.elf'],
              count=demo_counts, timeout=120)
    suite.run('guest programs',
              [sys.executable, HERE / 'run-guest.py', '--qemu', qemu, '--as',
               o.host_build / 'tests-tcg/as/pto-as'])
    suite.run('random programs',
              [sys.executable, HERE / 'random/run-random.py', '--qemu', qemu,
               '--as', o.host_build / 'tests-tcg/as/pto-as'])
    tools = o.host_build / 'tests-tcg/as'
    suite.run('guest programs made from tables',
              [sys.executable, HERE / 'forms/run-forms.py', '--qemu', qemu,
               '--tools', tools])
    suite.run('guest coverage',
              [sys.executable, HERE / 'guest-coverage.py', '--tools', tools])
    suite.run('translation',
              [sys.executable, HERE / 'translate/translate-test.py'],
              env={'QEMU': str(qemu), 'PTO_AS':
                   str(o.host_build / 'tests-tcg/as/pto-as')},
              count=unittest_counts)
    suite.run('runs of four PEs over Shared tiles',
              [sys.executable, HERE / 'shared-runs.py', '--qemu', qemu,
               '--as', tools / 'pto-as'])
    suite.run('images and monitor',
              [sys.executable, HERE / 'smoke-test.py', '--qemu', qemu,
               '--as', o.host_build / 'tests-tcg/as/pto-as'])
    for path in sorted((vectors / 'data').glob('*.jsonl.xz')):
        suite.run('vectors ' + path.name.split('.')[0],
                  [sys.executable, vectors / 'run-vectors.py', '--qemu', qemu,
                   '--no-table', path])
    # The unit tests have run the same files on the tile core
    for path in sorted((vectors / 'data/numeric').glob('*.jsonl.xz')):
        suite.run(f'vectors {path.name.split(".")[0]} live on pto',
                  [sys.executable, vectors / 'run-vectors.py', '--qemu', qemu,
                   '--host-build', o.host_build, '--numeric', 'live',
                   '--no-table', path])
    suite.run('vector runner', [sys.executable, vectors / 'test-runner.py',
                                '--qemu', qemu, '--host-build', o.host_build],
              count=unittest_counts)
    for name in ('rsp-test', 'template-test', 'migrate-test', 'gdb-test'):
        suite.run(name, [sys.executable, HERE / 'debug' / (name + '.py')],
                  env={'QEMU': str(qemu),
                       'PTO_AS': str(o.host_build / 'tests-tcg/as/pto-as')},
                  count=unittest_counts)
    suite.run('hop-test (migration of running programs)',
              [sys.executable, HERE / 'debug/hop-test.py', '--qemu', qemu,
               '--as', tools / 'pto-as', '--hops', '5'])
    for cpu in ('pto-ref', 'pto'):
        suite.run(f'fuzz {cpu}', [sys.executable, HERE / 'fuzz/fuzz.py',
                                  '--qemu', qemu, '--cpu', cpu],
                  count=fuzz_counts)


def qemu_tests(suite):
    o = suite.options
    for name in QTESTS:
        suite.run('QEMU ' + name,
                  [o.qemu_build / 'tests/qtest' / name, '--tap', '-k'],
                  env={'QTEST_QEMU_BINARY':
                       str(o.qemu_build / 'qemu-system-pto')},
                  count=tap_counts)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--qemu-build', required=True, type=pathlib.Path)
    parser.add_argument('--qemu-src', required=True, type=pathlib.Path)
    parser.add_argument('--host-build', required=True, type=pathlib.Path)
    parser.add_argument('--only', help='run the parts whose name has this')
    options = parser.parse_args()
    suite = Suite(options)
    host_tests(suite)
    machine_tests(suite)
    qemu_tests(suite)
    print(f'{suite.passed} passed, {suite.failed} failed, '
          f'{suite.skipped} skipped')
    return suite.failed != 0 or not suite.passed


if __name__ == '__main__':
    sys.exit(main())
