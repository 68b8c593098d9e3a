#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Random halfwords in random block states: QEMU must survive all of them.

A round fills RAM with random code, loads a random architectural state through
the debug stub and lets the machine run for some milliseconds from several
addresses.  Whatever the guest does must end in traps; QEMU must still answer,
and its state must load again as it was read.
"""
import argparse
import os
import random
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "pylib"))

from ptolink import LinkError, Machine                      # noqa: E402

RAM = 16384
KINDS = ["standard", "floating", "system", "tile-memory", "tile-element",
         "tile-matrix", "frame-template"]
TRANSFERS = ["fallthrough", "direct", "conditional", "call", "return",
             "indirect", "indirect-call"]
# Words that open and fill blocks, so that deep states are reached
STARTS = [0x0000d881, 0x0000d001, 0x00201181, 0xd8111181, 0xd8011181,
          0xd8211181]


def value(rng):
    """Register contents: addresses in and around RAM, small, anything."""
    pick = rng.random()
    if pick < 0.4:
        return rng.randrange(RAM + 256)
    if pick < 0.6:
        return rng.randrange(64)
    if pick < 0.7:
        return (1 << 64) - 1 - rng.randrange(256)
    return rng.getrandbits(64)


def code(rng):
    """RAM contents: random halfwords, with block commands strewn in."""
    image = bytearray(rng.randbytes(RAM))
    for _ in range(rng.randrange(400)):
        at = rng.randrange(0, RAM - 4) & ~1
        word = rng.choice(STARTS) if rng.random() < 0.3 else \
            rng.getrandbits(32) & ~0x7f | rng.choice([0x01, 0x13, 0x23, 0x31,
                                                      0x41, 0x43, 0x53, 0x81])
        image[at:at + 4] = word.to_bytes(4, "little")
    for _ in range(rng.randrange(100)):
        at = rng.randrange(0, RAM - 2) & ~1
        image[at:at + 2] = b"\0\0"              # C.BSTOP
    return bytes(image)


def tile_binding(rng):
    out = {"size": rng.randrange(13), "pe_mask": rng.randrange(16),
           "last": rng.random() < 0.5}
    for key, top in (("dst", 4), ("src0", 64), ("src1", 64)):
        if rng.random() < 0.6:
            out[key] = rng.randrange(top)
    for key in ("subview0", "subview1", "assemble"):
        if rng.random() < 0.1:
            out[key] = view(rng)
    return out


def view(rng):
    return {"reg": rng.randrange(24), "uimm11": rng.randrange(2048),
            "size": rng.randrange(13), "offset": rng.randrange(16),
            "init": rng.random() < 0.5, "last": rng.random() < 0.5}


def shared_binding(rng):
    out = {"id": rng.randrange(64), "size": rng.randrange(13),
           "pe_mask": rng.randrange(16)}
    for key in ("subview", "assemble"):
        if rng.random() < 0.2:
            out[key] = view(rng)
    return out


def header(rng, kind):
    classes = {"tile-memory": "TileMemory", "tile-element": "TileElement",
               "tile-matrix": "TileMatrix"}
    out = {"operation": {"class": classes.get(kind, "Control")}}
    if kind in classes:
        selector = rng.randrange(128 if kind == "tile-element" else 32)
        out["operation"].update(selector=selector, data_type=rng.randrange(32))
        if kind == "tile-element":
            out["operation"]["mode"] = selector >> 5
    if rng.random() < 0.7:
        out["dim"] = {str(i): rng.choice([rng.randrange(20),
                                          rng.getrandbits(16)])
                      for i in range(3) if rng.random() < 0.7}
    if rng.random() < 0.6:
        out["ior"] = {"dst": rng.randrange(32),
                      "src": [rng.randrange(24) for _ in range(3)]}
    out["iot"] = [tile_binding(rng) for _ in range(rng.randrange(5))]
    out["ios"] = [shared_binding(rng) for _ in range(rng.randrange(3))]
    if rng.random() < 0.3:
        out["datr"] = {"data_type_present": True,
                       "data_type": rng.randrange(32),
                       "layout": rng.choice([0, 21, 22, 23, 24, 25, 26]),
                       "pad": rng.randrange(4), "cmode": rng.randrange(8),
                       "rmode": rng.randrange(8)}
    if rng.random() < 0.3 and kind == "tile-matrix":
        out["fpatr"] = {"pre_quant": rng.randrange(64),
                        "relu": rng.randrange(8), "group_n": rng.randrange(16),
                        "row_max_en": rng.random() < 0.3,
                        "trans_b": rng.random() < 0.3,
                        "c_scale": rng.random() < 0.3}
    return out


def templates(rng, pc):
    out = {}
    if rng.random() < 0.1:
        length = rng.randrange(64)
        out["mcopy_template"] = {
            "pc": pc, "destination": value(rng), "source": value(rng),
            "length": length, "progress": rng.randrange(length + 1)}
    if rng.random() < 0.1:
        count = rng.randrange(1, 23)
        out["frame_template"] = {
            "kind": rng.choice(["Entry", "Exit", "ReturnAddress",
                                "ReturnStack"]),
            "pc": pc, "begin": rng.randrange(2, 24),
            "end": rng.randrange(2, 24), "count": count,
            "progress": rng.randrange(count + 1), "caller_sp": value(rng),
            "stack_adjusted": rng.random() < 0.5}
    return out


def state(rng, files):
    """@files: register files that the CPU model shows."""
    pc = rng.randrange(RAM) & ~1
    kind = rng.choice(KINDS)
    out = {"pc": pc, "acr": rng.choice([0, 0, 1, 2, 15]), "system": {},
           "return_address": value(rng)}
    out["gpr"] = {str(pe): {str(r): value(rng) for r in range(1, 24)}
                  for pe in range(files)}
    for queue in ("t", "u"):
        fill = rng.randrange(5)
        out[queue] = [value(rng) for _ in range(fill)] + [None] * (4 - fill)
    out["sysreg"] = {f"{ring << 12 | 0xf01:#06x}": rng.randrange(RAM) & ~1
                     for ring in range(2)}
    for index in range(0xf40, 0xf52):
        if rng.random() < 0.3:
            out["sysreg"][f"{index:#06x}"] = value(rng)
    if rng.random() < 0.7:
        out["bundle_active"] = True
        out["bundle_body_active"] = rng.random() < 0.4
        out["bpc"] = value(rng)
        out["bundle_sequential_pc"] = value(rng)
        out["barg"] = {"block_type": kind,
                       "transfer_type": rng.choice(TRANSFERS),
                       "taken": rng.random() < 0.5, "bpcn": value(rng)}
        for key in ("commit_target_set", "condition_set",
                    "system_terminal_pending"):
            out[key] = rng.random() < 0.15
        if rng.random() < 0.8:
            out["header"] = header(rng, kind)
    if rng.random() < 0.2:
        out["reservation"] = {"valid": True, "address": rng.randrange(RAM),
                              "size": rng.choice([1, 2, 4, 8])}
    out.update(templates(rng, pc))
    return out


def one_round(machine, rng, options):
    machine.rsp.write(0, code(rng))
    machine.set_state(state(rng, 4 if options.cpu == "pto-ref" else 1))
    for _ in range(options.runs):
        machine.rsp.cont(timeout=options.slice)
        now = machine.get_state()
        if rng.random() < 0.2:
            machine.set_state(now)
            again = machine.get_state()
            for tree in (now, again):
                tree.pop("tiles"), tree.pop("shared")
                # the text of the violated rule is not part of the state
                tree.get("last_fault", {}).pop("rule", None)
            if now != again:
                changed = [k for k in now if now[k] != again.get(k)]
                raise AssertionError(f"state does not load again: {changed}")
        now["pc"] = rng.randrange(RAM) & ~1
        now["system"] = {}
        for key in ("tiles", "shared"):
            now.pop(key, None)
        machine.set_state(now)


def start(options):
    args = ["-M", "pto-ref", "-cpu", options.cpu, "-accel", "tcg",
            *options.qemu_arg]
    return Machine(options.qemu, args, ram_size=RAM, with_qmp=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--qemu", default="qemu-system-pto")
    parser.add_argument("--qemu-arg", action="append", default=[])
    parser.add_argument("--cpu", default="pto-ref")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=40,
                        help="8192 random halfwords each")
    parser.add_argument("--first", type=int, default=0,
                        help="number of the first round, to repeat one")
    parser.add_argument("--runs", type=int, default=6)
    parser.add_argument("--slice", type=float, default=0.004)
    options = parser.parse_args()

    failed, began, machine = 0, time.monotonic(), None
    for number in range(options.first, options.first + options.rounds):
        rng = random.Random(f"{options.seed}/{number}")
        try:
            if machine is None:
                machine = start(options)
            one_round(machine, rng, options)
        except (LinkError, AssertionError) as exc:
            failed += 1
            status = machine.close() if machine else None
            machine = None
            print(f"FAIL --cpu {options.cpu} --seed {options.seed} --first "
                  f"{number} --rounds 1: {exc} (exit status {status})",
                  flush=True)
    if machine:
        machine.close()
    print(f"{options.rounds * RAM // 2} halfwords in {options.rounds} rounds, "
          f"{time.monotonic() - began:.1f} s: {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
