# SPDX-License-Identifier: GPL-2.0-or-later
"""State vectors on a live `-M pto-ref -cpu pto-ref`.

The state is loaded through the CPU's `arch-state`, memory through the debug
stub, and every instruction attempt is one single step; or, with --mode run,
the program runs freely to a breakpoint at one of its stop addresses.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "pylib"))

from ptolink import LinkError, Machine, Refused                 # noqa: E402
import compare                                              # noqa: E402
import vecstate as vs                                       # noqa: E402

RAM_SIZES = range(4096, 65537)
TOO_MANY = 1000     # steps more than a vector expects


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
        limit = vs.number(case["max_steps"])
        patience = vs.number(case["final"]["steps"]) + TOO_MANY
        pc, steps, rejected = vs.number(case["pc"]), 0, []
        while True:
            if pc in stop:
                return vs.STOP, steps, rejected
            if steps == limit:
                return vs.MAX_STEPS, steps, rejected
            if steps > patience:
                return "goes on and on", steps, rejected
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


def malformed(exc):
    if isinstance(exc, KeyError):
        return f"the key {exc.args[0]} is missing"
    return f"malformed: {exc}"


class LiveStates:
    """Runs cases; options: qemu, qemu_arg, mode, all, timeout,
    free_timeout."""

    def __init__(self, options):
        self.options = options
        self.sessions = {}

    def run(self, case):
        """(verdict, lines, reason) of one case."""
        try:
            reason = skip_reason(case)
            if reason and not self.options.all:
                return "skipped", [], reason
            ram = vs.ram_bytes(case)
            if ram not in RAM_SIZES:
                return "failed", [f"ram: {ram!r} bytes"], None
            session = self.sessions.setdefault(ram,
                                               Session(self.options, ram))
            try:
                if session.machine is None:
                    session.start()
                lines = session.run_case(case)
            except Refused as exc:
                lines = [f"not a state of the machine: {exc}"]
            except LinkError as exc:
                lines = [crash_text(session, exc)]
        except (KeyError, ValueError, TypeError, AttributeError,
                IndexError) as exc:
            return "failed", [malformed(exc)], None
        except OSError as exc:
            return "failed", [f"{self.options.qemu}: {exc.strerror}"], None
        if reason:
            return "skipped", [], reason
        return "failed" if lines else "passed", lines, None

    def stop(self):
        for session in self.sessions.values():
            session.stop()
