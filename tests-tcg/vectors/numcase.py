# SPDX-License-Identifier: GPL-2.0-or-later
"""Reading of vector files: which kind a case is, and the numeric cases with
their operands as integers.

Everything is decided by the content of a line. A line that cannot be used
raises BadCase with a text for the reader, before anything runs.
"""
import functools
import json
import lzma
import operator

TYPES = {
    "FP64": 64, "FP32": 32, "TF32": 32, "HF32": 32, "FP16": 16, "BF16": 16,
    "HiF8": 8, "E4M3": 8, "E5M2": 8, "E3M2": 8, "E2M3": 8, "E2M1X2": 4,
    "E1M2X2": 4, "E8M0": 8, "HiF4X2": 4, "S64": 64, "S32": 32, "S16": 16,
    "S8": 8, "S4X2": 4, "U64": 64, "U32": 32, "U16": 16, "U8": 8, "U4X2": 4,
}
ROUNDING = ("NONE", "RNE", "RTZ", "RDN", "RUP", "RNA", "RTO", "RHB")
SCALAR_ROUNDING = ("RNE", "RDN", "RUP", "RTZ")     # CORE_STATE code order
RELATIONS = ("EQ", "NE", "LT", "GT", "LE", "GE")
FLAGS = {"NV": 1, "DZ": 2, "OF": 4, "UF": 8, "NX": 16}

BINARY = frozenset("TADD TSUB TMUL TDIV TREM TAND TOR TXOR TSHL TSHR TMAX "
                   "TMIN".split())
UNARY = frozenset("TABS TNEG TRELU TNOT TEXP TLOG TSQRT TRSQRT "
                  "TRECIP".split())
REDUCE = "T{ROW,COL}"
REDUCTIONS = frozenset(REDUCE + n for n in
                       ("SUM", "PROD", "MAX", "MIN", "ARGMAX", "ARGMIN"))
MATRIX = frozenset("TMATMUL" + n for n in
                   ("", "_BIAS", "_ACC", "_MX", "_MX_BIAS", "_MX_ACC"))
POST = frozenset(["FPATR", "FPATR_ROWMAX", "FPATR_GROUPMAX"])
SCALAR_UNARY = frozenset("FABS FSQRT FRECIP FEXP".split())
SCALAR_BINARY = frozenset("FADD FSUB FMUL FDIV FMIN FMAX FEQ FNE FLT FGE FEQS "
                          "FNES FLTS FGES".split())
SCALAR_FUSED = frozenset("FMADD FMSUB FNMADD FNMSUB".split())
SCALAR_CONVERT = frozenset("FCVT FCVTA FCVTM FCVTN FCVTP FCVTZ SCVTF "
                           "UCVTF".split())
SCALAR = SCALAR_UNARY | SCALAR_BINARY | SCALAR_FUSED | SCALAR_CONVERT


class BadCase(Exception):
    """A line that is no usable vector."""


def _integer(text, key):
    if isinstance(text, bool) or not isinstance(text, (int, str)):
        raise BadCase(f"{key}: {text!r} is no number")
    try:
        return int(text, 0) if isinstance(text, str) else text
    except ValueError:
        raise BadCase(f"{key}: {text!r} is no number") from None


class Case:
    """One numeric case. Values become attributes by the key's name."""

    def __init__(self, raw, where):
        self.raw, self.where = raw, where
        self.op = raw["op"]
        self.id = raw.get("id", where)
        try:
            _reader(self.op)(self)
        except BadCase as bad:
            raise BadCase(f"{self.op} {self.id}: {bad}") from None

    # ---- members ---------------------------------------------------------

    def need(self, key):
        if key not in self.raw:
            raise BadCase(f"the key {key} is missing")
        return self.raw[key]

    def number(self, key, fallback=None):
        if fallback is not None and key not in self.raw:
            value = fallback
        else:
            value = _integer(self.need(key), key)
        setattr(self, key, value)
        return value

    def within(self, key, low, high, fallback=None):
        value = self.number(key, fallback)
        if not low <= value <= high:
            raise BadCase(f"{key}: {value} is not in {low}..{high}")
        return value

    def choice(self, key, names, fallback=None):
        value = self.raw.get(key, fallback)
        if value is None:
            self.need(key)
        if not isinstance(value, str) or value not in names:
            raise BadCase(f"{key}: {value!r} is unknown")
        setattr(self, key, value)
        return value

    def type(self, key):
        return self.choice(key, TYPES)

    def hexes(self, key, text, digits, count):
        """@count elements of @digits hexadecimal digits each."""
        if not isinstance(text, str) or len(text) != digits * count:
            raise BadCase(f"{key}: expected {count} elements of {digits} "
                          f"digits each")
        try:
            return [int(text[i:i + digits], 16)
                    for i in range(0, len(text), digits)]
        except ValueError:
            raise BadCase(f"{key}: a digit is not hexadecimal") from None

    def values(self, key, bits, count=None):
        """Elements in any of the forms of the files; sets the attribute.
        @count: how many there must be."""
        text = self.need(key)
        if isinstance(text, list):
            out = [_integer(v, key) for v in text]
        elif isinstance(text, int):
            out = [_integer(text, key)]
        elif not isinstance(text, str):
            raise BadCase(f"{key}: {text!r} is no list of elements")
        elif "enc" in self.raw and not text.startswith("0x"):
            out = self.encoded(key, text, bits)
        else:
            out = [_integer(text, key)]
        for v in out:
            if not 0 <= v < 1 << bits:
                raise BadCase(f"{key}: {v:#x} has more than {bits} bits")
        if count is not None and len(out) == 1:
            out *= count
        if not out or count is not None and len(out) != count:
            raise BadCase(f"{key}: {len(out)} elements, expected "
                          f"{count or 'some'}")
        setattr(self, key, out)
        return out

    def encoded(self, key, text, bits):
        if self.raw["enc"] != "hex":
            raise BadCase(f"enc: {self.raw['enc']!r} is unknown")
        n = self.within("n", 1, 1 << 20)
        if text == "ALL":
            return list(range(256))
        if text.startswith("RANGE:"):
            first = _integer("0x" + text[6:], key)
            return list(range(first, first + n))
        if key == "a" and self.raw.get("a_scalar"):
            n = 1
        digits = bits // 4
        return self.hexes(key, text, digits, n)

    def flags_of(self, key="flags"):
        names = self.raw.get(key, [])
        if not isinstance(names, list) or any(
                not isinstance(n, str) or n not in FLAGS for n in names):
            raise BadCase(f"{key}: {names!r} are no flags")
        return sum(FLAGS[n] for n in set(names))

    def element_flags(self, count):
        """ef: one flag mask for each of @count elements."""
        ef = self.raw.get("ef")
        if ef is None:
            self.ef = [0] * count
        elif isinstance(ef, str):
            self.ef = self.hexes("ef", ef, 2, count)
        else:
            self.values("ef", 5, count)
        self.flags = self.flags_of()
        if functools.reduce(operator.or_, self.ef, 0) != self.flags:
            raise BadCase("flags: not those of all elements together (ef)")

    def results(self, bits, count):
        self.values("r", bits)
        if len(self.r) != count:
            raise BadCase(f"r: {len(self.r)} elements, expected {count}")
        self.element_flags(count)


# ---- one reader for each family ------------------------------------------

def _operands(case, names, bits):
    """Operands of one length; a single element stands for all."""
    lists = [case.values(n, bits) for n in names]
    count = max(len(v) for v in lists)
    for name, v in zip(names, lists):
        if len(v) not in (1, count):
            raise BadCase(f"{name}: {len(v)} elements, expected {count}")
        setattr(case, name, v * (count // len(v)))
    return count


def _read_elements(case, names):
    bits = TYPES[case.type("type")]
    case.choice("rmode", ROUNDING, "NONE")
    case.sources = names
    case.results(bits, _operands(case, names, bits))


def _read_expdif(case):
    source = TYPES[case.type("srctype")]
    to = TYPES[case.type("dsttype")]
    case.results(to, _operands(case, ("a", "b"), source))
    case.diff = case.values("diff", to, len(case.r)) if "diff" in case.raw \
        else None


def _read_compare(case):
    count = _operands(case, ("a", "b"), TYPES[case.type("type")])
    relations = case.need("r")
    if not isinstance(relations, dict):
        raise BadCase("r: expected an object with the six relations")
    case.r = {}
    for name in RELATIONS:
        text = relations.get(name)
        if not isinstance(text, str) or len(text) != count \
                or set(text) - set("01"):
            raise BadCase(f"r.{name}: expected {count} digits 0 or 1")
        case.r[name] = [int(c) for c in text]
    case.element_flags(count)


def _read_tcvt(case):
    source, to = TYPES[case.type("src")], TYPES[case.type("dst")]
    case.within("sat", 0, 1)
    case.within("canon", 0, 1, 0)
    modes = case.need("rmodes")
    if not isinstance(modes, list) or not modes \
            or any(m not in ROUNDING for m in modes):
        raise BadCase(f"rmodes: {modes!r} are no rounding modes")
    case.rmodes = modes
    case.results(to, _operands(case, ("a",), source))


def _read_quant(case):
    source, to = TYPES[case.type("src")], TYPES[case.type("dst")]
    case.choice("rmode", ROUNDING)
    case.within("scale", 0, (1 << 32) - 1)
    case.number("zp")
    case.within("sat", 0, 1, 0)
    case.results(to, _operands(case, ("a",), source))


def _read_reduction(case):
    bits = TYPES[case.type("type")]
    case.values("x", bits)
    if case.number("n", len(case.x)) != len(case.x):
        raise BadCase(f"x: {len(case.x)} elements, expected {case.n}")
    if case.op[len(REDUCE):].startswith("ARG"):
        case.result = case.within("index", 0, len(case.x) - 1)
    else:
        case.result = case.values("r", bits, 1)[0]
    case.flags = case.flags_of()


def _read_sort(case):
    bits = TYPES[case.type("type")]
    case.within("descending", 0, 1)
    case.flags = case.flags_of()
    if case.op == "TSORT":
        case.within("group", 1, 64)
        case.values("x", bits)
        case.values("r", bits, len(case.x))
        case.values("index", 32, len(case.x))
    else:
        case.values("a", bits)
        case.values("b", bits)
        case.values("r", bits, len(case.a) + len(case.b))


def _read_matrix(case):
    m, n, k = (case.within(key, 1, 65535) for key in "MNK")
    at, bt, acc = (case.type(key) for key in ("atype", "btype", "acctype"))
    groups = (k + 31) // 32

    def matrix(key, kind, count, required=True):
        if not required and key not in case.raw:
            values = None
        else:
            values = case.hexes(key, case.need(key), TYPES[kind] // 4, count)
        setattr(case, key, values)

    matrix("A", at, m * k)
    matrix("B", bt, k * n)
    matrix("D", acc, m * n)
    matrix("C", acc, m * n, "ACC" in case.op)
    matrix("bias", acc, n, "BIAS" in case.op)
    wide = ("FP16", "BF16")
    matrix("SA", "E8M0", m * groups, "MX" in case.op and at not in wide)
    matrix("SB", "E8M0", groups * n, "MX" in case.op and bt not in wide)
    case.flags = case.flags_of()


def _read_post(case):
    case.type("acc")
    case.values("x", 32)
    if case.op == "FPATR":
        case.within("mode", 0, 63)
        case.within("relu", 0, 3)
        case.choice("rmode", ROUNDING)
        case.within("sat", 0, 1)
        count = len(case.x)
        for key, bits in (("qparam", 64), ("alpha", 64)):
            setattr(case, key, None)
            if key in case.raw:
                case.values(key, bits, count)
        if case.relu > 1 and case.alpha is None:
            case.need("alpha")
        case.results(TYPES[case.type("dst")], count)
        return
    case.within("max_abs", 0, 1)
    case.flags = case.flags_of()
    if case.op == "FPATR_GROUPMAX":
        columns = case.within("group_n", 1, 65535)
        case.values("r", 32, -(-len(case.x) // columns))
    else:
        case.init = case.values("init", 32, 1)[0] if "init" in case.raw \
            else None
        case.values("r", 32, 1)


def _read_scalar(case):
    if "srctype" in case.raw:
        case.within("srctype", 0, 3)
    else:
        case.choice("type", ("FP64", "FP32"))
    if case.op in SCALAR_CONVERT:
        case.within("dsttype", 0, 31)
    fixed = case.op in ("FCVTA", "FCVTM", "FCVTN", "FCVTP", "FCVTZ")
    case.choice("rmode", ROUNDING if fixed else SCALAR_ROUNDING, "RNE")
    names = "abc" if case.op in SCALAR_FUSED else \
        "ab" if case.op in SCALAR_BINARY else "a"
    case.results(64, _operands(case, names, 64))
    case.operands = list(zip(*(getattr(case, n) if n in names
                               else [0] * len(case.r) for n in "abc")))


_READERS = {
    "EXPDIF": _read_expdif, "TCMP": _read_compare, "TCVT": _read_tcvt,
    "TQUANT": _read_quant, "TDEQUANT": _read_quant, "TSORT": _read_sort,
    "TMRGSORT": _read_sort,
    "TFMA": lambda case: _read_elements(case, ("a", "b", "c")),
    **dict.fromkeys(UNARY, lambda case: _read_elements(case, ("a",))),
    **dict.fromkeys(BINARY, lambda case: _read_elements(case, ("a", "b"))),
    **dict.fromkeys(REDUCTIONS, _read_reduction),
    **dict.fromkeys(MATRIX, _read_matrix),
    **dict.fromkeys(POST, _read_post),
    **dict.fromkeys(SCALAR, _read_scalar),
}


def _reader(op):
    if op not in _READERS:
        raise BadCase("the operation is unknown")
    return _READERS[op]


# ---- files ----------------------------------------------------------------

def read_lines(path):
    """(line number, bytes) of the lines that are not empty; xz is known by
    its first bytes."""
    number = 0
    try:
        with open(path, "rb") as plain:
            packed = plain.peek(6)[:6] == b"\xfd7zXZ\0"
            lines = lzma.open(plain) if packed else plain
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield number, line
    except OSError as exc:
        raise BadCase(f"{path}: {exc.strerror or exc}") from None
    except (lzma.LZMAError, EOFError) as exc:
        raise BadCase(f"{path}: behind line {number}: {exc}") from None


def parse(line, where):
    """A Case, or the object of a state vector."""
    try:
        raw = json.loads(line)
    except ValueError as exc:
        raise BadCase(f"no JSON: {exc}") from None
    if not isinstance(raw, dict):
        raise BadCase("no JSON object")
    if "id" in raw and not isinstance(raw["id"], str):
        raise BadCase("id: expected a string")
    if "final" in raw:
        return raw
    if "op" not in raw:
        raise BadCase("neither a state vector (final) nor a numeric one (op)")
    if not isinstance(raw["op"], str):
        raise BadCase("op: expected a string")
    return Case(raw, where)
