#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Guest programs that migrate to a new process again and again while they run.

What they print and their exit status must be those of an undisturbed run:
waiting PEs, open Shared generations, sleepers, timers, reservations, queues,
half-done templates, saved contexts and tiles all have to travel.
"""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent
sys.path.insert(0, str(TOP / 'pylib'))

from ptolink import LinkError, Machine                      # noqa: E402

# program: PEs
PROGRAMS = {'restart': 1, 'generation': 1, 'shared-rounds': 4,
            'cooperative': 4, 'events': 4, 'timer': 1, 'shared': 2, 'torture': 4,
            'trap-numbers': 1}


class Hopper:
    """One guest, moved from process to process."""

    def __init__(self, options, image, pes, folder):
        self.options, self.folder = options, folder
        self.console = folder / 'console'
        self.console.write_bytes(b'')
        self.state = folder / 'state'
        self.args = ['-M', 'pto-virt', '-smp', f'cores=1,threads={pes}', '-m',
                     '16M', '-no-shutdown', '-kernel', str(image), '-chardev',
                     f'file,id=con,path={self.console},append=on',
                     '-serial', 'chardev:con']
        self.machine = Machine(options.qemu, self.args)
        self.hops = 0

    def status(self):
        return self.machine.qmp.command('query-status')['status']

    def ended(self):
        return self.status() == 'shutdown'

    def wait_while(self, status):
        for _ in range(400):
            if self.status() != status:
                return
            time.sleep(0.01)
        raise LinkError(f'stays in state {status}')

    def hop(self):
        qmp = self.machine.qmp
        if self.status() == 'running':
            qmp.command('stop')
        if self.ended():
            return
        qmp.command('migrate', uri=f'file:{self.state}')
        for _ in range(400):
            how = qmp.command('query-migrate').get('status')
            if how in ('completed', 'failed'):
                break
            time.sleep(0.01)
        if how != 'completed':
            raise LinkError(f'migration {how}')
        self.machine.close()
        self.machine = Machine(self.options.qemu, self.args +
                               ['-incoming', f'file:{self.state}'])
        self.wait_while('inmigrate')
        self.hops += 1

    def close(self):
        self.machine.close()
        return self.console.read_bytes()


def undisturbed(options, image, pes):
    run = subprocess.run([options.qemu, '-M', 'pto-virt', '-smp',
                          f'cores=1,threads={pes}', '-m', '16M', '-nographic',
                          '-kernel', image], stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, timeout=60, check=False)
    if run.returncode:
        raise LinkError(f'status {run.returncode} without any hop')
    return run.stdout


def hop_about(options, rng, image, pes, folder):
    h = Hopper(options, image, pes, folder)
    try:
        for _ in range(options.hops):
            h.machine.qmp.command('cont')
            time.sleep(rng.uniform(0.0005, 0.02))
            if h.ended():
                break
            h.hop()
        if not h.ended():
            h.machine.qmp.command('cont')
            h.wait_while('running')
    finally:
        text = h.close()
    return text, h.hops


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--qemu', default=os.environ.get(
        'QEMU', 'qemu-system-pto'))
    parser.add_argument('--as', dest='assembler', default=os.environ.get(
        'PTO_AS', 'pto-as'))
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--hops', type=int, default=8,
                        help='of each program')
    parser.add_argument('--only', help='programs whose name has this')
    options = parser.parse_args()
    passed = failed = hops = 0
    for name, pes in PROGRAMS.items():
        if options.only and options.only not in name:
            continue
        rng = random.Random(f'{options.seed}/{name}')
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            image = folder / 'guest.elf'
            subprocess.run([options.assembler, '-I', TOP / 'lib', '-o', image,
                            TOP / 'guest' / (name + '.s')], check=True)
            try:
                wanted = undisturbed(options, image, pes)
                text, n = hop_about(options, rng, image, pes, folder)
                good = text == wanted
                hops += n
                if not good:
                    print(f'{name}, {n} hops, seed {options.seed}: '
                          f'{text!r} instead of {wanted!r}')
            except (LinkError, subprocess.TimeoutExpired) as exc:
                good = False
                print(f'{name}, seed {options.seed}: {exc}')
        passed += good
        failed += not good
    print(f'{hops} hops')
    print(f'{passed} passed, {failed} failed')
    return bool(failed)


if __name__ == '__main__':
    sys.exit(main())
