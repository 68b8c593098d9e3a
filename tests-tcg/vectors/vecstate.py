# SPDX-License-Identifier: GPL-2.0-or-later
"""From a vector to the CPU's `arch-state` and back to the vector's `final`.

The property uses the key names of the vectors, plain integers for numbers and
the reset value for every key that is absent.
"""

STOP, MAX_STEPS = "stop-address", "max-steps"
MISALIGNED, OUTSIDE = "fetch-misaligned", "fetch-out-of-range"

# Bookkeeping of the model that produced the vectors, no architectural result
MODEL_ONLY = frozenset([
    "aux", "last_maintenance_operand", "control_request_operand",
    "last_memory_command_address", "last_memory_command_size",
    "last_frame_size", "tiles", "shared", "generations",
])
# Results of the run itself, compared apart from the state
RUN_KEYS = frozenset(["rejected", "steps", "stop_reason", "mem",
                      "header_scalar_attempts", "numeric_flags"])
FAULT_KEYS = frozenset(["last_fault", "pc", "trap", "rejected"])

KINDS = {
    "standard": "standard", "floating": "floating", "system": "system",
    "tile-memory": "tile-memory", "tile-element": "tile-element",
    "tile-matrix": "tile-matrix", "frame-template": "frame-template",
}


def number(value):
    """Numbers are integers or 0x strings."""
    return int(value, 0) if isinstance(value, str) else value


def numbers(value):
    """The same tree with every 0x string as an integer and no nulls in
    objects."""
    if isinstance(value, dict):
        return {k: numbers(v) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [numbers(v) for v in value]
    if isinstance(value, str) and value.startswith("0x"):
        return int(value, 16)
    return value


def ram_bytes(case):
    return case.get("ram", 4096)


def initial_memory(case):
    image = bytearray(ram_bytes(case))
    for address, text in case.get("mem", []):
        data = bytes.fromhex(text)
        at = number(address)
        image[at:at + len(data)] = data
    return image


def expected_memory(case):
    image = initial_memory(case)
    for address, text in case["final"].get("mem", []):
        data = bytes.fromhex(text)
        at = number(address)
        image[at:at + len(data)] = data
    return image


def initial_state(case):
    """Value for the property `arch-state`."""
    acr = case.get("acr", 0)
    state = {"pc": number(case["pc"]), "acr": acr, "core_state": acr,
             "system": {}, "agent": case.get("agent", 0)}
    if case.get("body_entry") == "none" \
            and case["final"].get("header_scalar_attempts"):
        state["body_entry"] = "none"
    gpr = {pe: {r: number(v) for r, v in regs.items()}
           for pe, regs in case.get("gpr", {}).items() if regs}
    if gpr:
        state["gpr"] = gpr
    for queue in ("t", "u"):
        if queue in case:
            values = [None if v is None else number(v) for v in case[queue]]
            state[queue] = (values + [None] * 4)[:4]
    if "sysreg" in case:
        state["sysreg"] = {k: number(v) for k, v in case["sysreg"].items()}
    bundle = case.get("bundle")
    if bundle:
        state["bundle_active"] = bundle.get("active", False)
        state["bundle_body_active"] = bundle.get("body", False)
        state["barg"] = {
            "block_type": KINDS[bundle.get("kind", "standard")],
            "transfer_type": bundle.get("transfer", "fallthrough"),
            "taken": bundle.get("taken", False),
            "bpcn": number(bundle.get("bpcn", 0)),
        }
        state["bundle_sequential_pc"] = number(bundle.get("sequential", 0))
        state["bpc"] = number(bundle.get("bpc", 0))
    if "return_address" in case:
        state["return_address"] = number(case["return_address"])
    if "cycle" in case:
        state["cycle"] = number(case["cycle"])
    if "reserve" in case:
        address, size = case["reserve"]
        state["reservation"] = {"valid": True, "address": number(address),
                                "size": size}
    return state


def _sparse_gpr(tree):
    return {int(pe): {int(r): v for r, v in regs.items() if v}
            for pe, regs in tree.items() if any(regs.values())}


def _queue(entries):
    out = []
    for entry in entries:
        if isinstance(entry, dict):
            entry = entry["value"] if entry.get("valid") else None
        out.append(entry)
    while out and out[-1] is None:
        out.pop()
    return out


def _trap(tree):
    out = {}
    for ring, bank in tree.items():
        keep = {k: bank[k] for k in ("trapno", "traparg0", "context_valid",
                                     "source_acr", "mcopy_progress",
                                     "frame_progress") if bank.get(k)}
        if not keep.get("context_valid"):
            keep.pop("source_acr", None)
        if keep:
            out[int(ring)] = keep
    return out


def _sysreg(tree):
    return {int(k, 16): v for k, v in tree.items() if v}


def _normal(tree):
    """Common normal form of `final` and of `arch-state`."""
    out = dict(numbers(tree))
    out["gpr"] = _sparse_gpr(out.get("gpr", {}))
    for queue in ("t", "u"):
        out[queue] = _queue(out.get(queue, []))
    out["trap"] = _trap(out.get("trap", {}))
    out.setdefault("last_fault", {"code": "None", "address": 0})
    out["last_fault"].pop("rule", None)
    out.get("range_group", {}).pop("binding", None)
    out.get("frame_template", {}).pop("values", None)
    fpatr = out.get("header", {}).get("fpatr", {})
    if not fpatr.get("c_scale"):
        fpatr.pop("c_scale", None)
    if not out.get("reservation", {}).get("valid"):
        out["reservation"] = {"valid": False}
    if "barg" not in out:
        out["barg"] = {"block_type": "standard", "taken": False, "bpcn": 0,
                       "transfer_type": "fallthrough"}
    for key in ("queues",):
        out[key] = sorted(out.get(key, []), key=lambda q: q["address"])
    return {k: v for k, v in out.items()
            if v not in (0, False, None, "", [], {})}


def normal_final(case):
    """What the machine must show, without the run's own results."""
    final = {k: v for k, v in case["final"].items()
             if k not in MODEL_ONLY and k not in RUN_KEYS}
    changed = _sysreg(numbers(final.pop("sysreg", {})))
    initial = _sysreg({k: number(v)
                       for k, v in case.get("sysreg", {}).items()})
    out = _normal(final)
    # `final` lists only registers that changed (a change to zero is listed
    # as zero, which is the same as absent here)
    for key, value in numbers(case["final"].get("sysreg", {})).items():
        if not value:
            initial.pop(int(key, 16), None)
    sysreg = {**initial, **changed}
    if sysreg:
        out["sysreg"] = sysreg
    return out


def normal_state(state, case):
    """The machine's `arch-state` in the same form."""
    out = {k: v for k, v in state.items()
           if k not in MODEL_ONLY and k not in ("agent", "body_entry",
                                                "system")}
    if "basis" not in case:
        # the published model has no modifier groups
        out.pop("range_group", None)
    sysreg = _sysreg(out.pop("sysreg", {}))
    # ECONFIG is 3 in every ring after reset
    for ring in range(16):
        address = ring << 12 | 0xf07
        value = sysreg.get(address, 0)
        if value == 3:
            sysreg.pop(address)
    out = _normal(out)
    if sysreg:
        out["sysreg"] = sysreg
    return out


def _words(case):
    """Instructions of the program from its first PC on, as far as one can
    tell without running it."""
    image, at = initial_memory(case), number(case["pc"])
    for _ in range(64):
        if at + 4 > len(image) or at & 1:
            return
        word = int.from_bytes(image[at:at + 4], "little")
        if not word & 0xffff:
            return
        yield word
        at += instruction_length(word & 0xffff, word >> 16)


def uses_replaced_encoding(case):
    """A case of the published revision whose program has an encoding to which
    the implemented revision gives another meaning: B.IOS with a tile number
    above 63, bit 9 of B.FPATR."""
    if "basis" in case:
        return False
    for word in _words(case):
        if word & 0xf00871ff == 0x00001013 and word & 0x0c000000:
            return True
        if word & 0x7c7f == 0x2023 and word & 0x200:
            return True
    return False


def instruction_length(h, h2):
    """Length in bytes from the first two halfwords."""
    if h & 0xf == 0xe:
        return 6
    if h & 0x7f in (0x0f, 0x7f):
        return 8
    if h & 1:
        return 4
    if h & 0xf == 2 and h2 & 0xf83f == 0x5016:
        return 4
    return 2


def fetch_outside(pc, memory):
    """The instruction at pc does not lie wholly in memory."""
    if pc + 8 <= len(memory):
        return False
    if pc + 2 > len(memory):
        return True
    h = int.from_bytes(memory[pc:pc + 2], "little")
    h2 = int.from_bytes(memory[pc + 2:pc + 4], "little") \
        if pc + 4 <= len(memory) else 0
    return pc + instruction_length(h, h2) > len(memory)
