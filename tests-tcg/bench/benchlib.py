# SPDX-License-Identifier: GPL-2.0-or-later
"""What the benchmarks that run a machine have in common."""
import os
import resource
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
LIB = os.path.join(os.path.dirname(HERE), "lib")


def processor_time(command):
    """Seconds of processor time that @command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + \
        (after.ru_stime - before.ru_stime)


def pto_command(options, folder, source, rounds):
    """Assemble @source for that many rounds; the command that runs it."""
    name = os.path.splitext(os.path.basename(source))[0]
    elf = os.path.join(folder, f"{name}-{rounds}.elf")
    subprocess.run([options.pto_as, "-D", f"ROUNDS={rounds}", "-I",
                    os.path.dirname(source), "-I", LIB, "-o", elf, source],
                   check=True)
    return [options.qemu, "-M", "pto-virt", "-display", "none", "-monitor",
            "none", "-serial", "none", "-kernel", elf]


def cpu_model():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        for line in f:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return "unknown processor"
