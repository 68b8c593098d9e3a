# SPDX-License-Identifier: GPL-2.0-or-later
"""Readable differences between two states."""


def text(value):
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, int):
        return hex(value) if value > 9 else str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {text(v)}"
                               for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(text(v) for v in value) + "]"
    return str(value)


_MISSING = object()


def _name(path, key):
    if isinstance(key, int) and path.startswith("sysreg"):
        key = f"{key:#06x}"
    return f"{path}.{key}" if path else str(key)


def differences(expected, actual, path=""):
    """Lines "path: expected X, got Y"; nothing when equal."""
    if expected == actual:
        return []
    if isinstance(expected, dict) and isinstance(actual, dict):
        out = []
        for key in list(expected) + [k for k in actual if k not in expected]:
            out += differences(expected.get(key, _MISSING),
                               actual.get(key, _MISSING), _name(path, key))
        return out
    if isinstance(expected, list) and isinstance(actual, list) \
            and len(expected) == len(actual):
        out = []
        for i, (e, a) in enumerate(zip(expected, actual)):
            out += differences(e, a, f"{path}[{i}]")
        return out
    want = "absent" if expected is _MISSING else text(expected)
    have = "absent" if actual is _MISSING else text(actual)
    return [f"{path}: expected {want}, got {have}"]


def memory_differences(expected, actual, limit=8):
    """Runs of differing bytes."""
    if expected == actual:
        return []
    out, at, size = [], 0, len(expected)
    while at < size:
        if expected[at] == actual[at]:
            at += 1
            continue
        end = at
        while end < size and expected[end] != actual[end]:
            end += 1
        if len(out) == limit:
            return out + ["memory: more differences"]
        want, have = expected[at:end], actual[at:end]
        dots = "…" if end - at > 16 else ""
        out.append(f"memory {at:#x}..{end - 1:#x}: expected "
                   f"{want[:16].hex()}{dots}, got {have[:16].hex()}{dots}")
        at = end
    return out
