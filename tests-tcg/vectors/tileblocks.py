# SPDX-License-Identifier: GPL-2.0-or-later
"""From a numeric tile case to the blocks that compute it.

runs_of() returns the runs of a case. Long vectors are cut into tiles of at
most TILE_LIMIT bytes; the flags are those of a whole tile. What no program
can do raises NotExpressible; elements left out of a case are counted in the
list that the caller passes.
"""
import numcase as nc
from tileprog import Run, cube_bytes, pow2, size_code

TILE_LIMIT = 32768
COLS = 64
SCALAR_SAMPLES = 2          # elements tried in the tile-scalar form

CANONICAL_NAN = 0x7fc00000
GROUP_CODES = {8: 1, 16: 2, 32: 3, 48: 4, 64: 5, 80: 6, 96: 7, 112: 8, 128: 9}

VECTOR_MODES = frozenset((2, 4, 12, 18, 20, 23, 28, 33, 36, 37, 38, 39))


class NotExpressible(Exception):
    """No program can bring this about; the text says why."""


def bits_of(dtype):
    return nc.TYPES[dtype]


class Piece:
    """Elements first .. first + n - 1 of a vector as a tile."""

    def __init__(self, first, n):
        self.first, self.n = first, n
        if n < COLS:
            self.shape, self.cols = (1, n), pow2(n)
        else:
            self.shape, self.cols = (-(-n // COLS), COLS), COLS

    def of(self, values):
        return values[self.first:self.first + self.n]

    def flags(self, ef):
        out = 0
        for f in self.of(ef):
            out |= f
        return out

    def bytes(self, bits):
        return (self.shape[0] * self.cols * bits + 7) // 8


def pieces(total, bits, limit=TILE_LIMIT):
    room = limit * 8 // bits
    return [Piece(at, min(room, total - at)) for at in range(0, total, room)]


def same_storage(piece, *widths):
    """Size code for each element width so that all tiles have the same
    storage rows, as conversions demand."""
    rows = max([piece.shape[0]] +
               [max(1024 // (piece.cols * b), 1) for b in widths])
    rows = pow2(rows)
    return [size_code(rows * piece.cols * b // 8) for b in widths]


# ---- element operations ----------------------------------------------------

def element_runs(case, left_out):
    bits = bits_of(case.type)
    names = case.sources
    for p in pieces(len(case.r), bits):
        run = Run(f"{case.op} {case.type} elements from {p.first}")
        code = size_code(p.bytes(bits))
        tiles = [run.load(h, case.type, bits, p.of(getattr(case, n)), p.shape,
                          p.cols, code) for h, n in zip("TUM", names)]
        d, = run.tile_op(case.op, case.type, [lambda: run.dims(
            p.shape[1], p.shape[0], p.cols)], tiles,
            [("N", bits, p.shape, code, None)])
        run.get_flags(p.flags(case.ef))
        run.store(d, case.type, p.of(case.r))
        yield run
    yield from cube_element_runs(case)
    if len(names) == 2:
        yield from scalar_runs(case)
        yield from expand_runs(case, case.op[1:], case.type, case.type)


class CubePiece:
    """The first elements of a vector in one CUBE layout, rows before
    columns."""

    def __init__(self, total, layout, *widths):
        rows = min(total, int(layout[1:]))
        self.layout, self.shape = layout, (rows, min(-(-total // rows), COLS))
        self.n = min(total, rows * self.shape[1])
        self.codes = [size_code(cube_bytes(b, self.shape, layout))
                      for b in widths]

    def of(self, values):
        return values[:self.n]

    def flags(self, ef):
        out = 0
        for f in self.of(ef):
            out |= f
        return out


# TRECIP takes row-major tiles only
ROW_MAJOR_ONLY = frozenset(["TRECIP"])


def cube_element_runs(case):
    bits = bits_of(case.type)
    if bits == 64 or case.op in ROW_MAJOR_ONLY:
        return
    for layout in ("M16", "M32"):
        p = CubePiece(len(case.r), layout, bits)
        run = Run(f"{case.op} {case.type} in CUBE_{layout}")
        tiles = [run.load_cube(h, case.type, bits, p.of(getattr(case, n)),
                               p.shape, layout)
                 for h, n in zip("TUM", case.sources)]
        d, = run.tile_op(case.op, case.type,
                         [lambda: run.dims(p.shape[1], p.shape[0])], tiles,
                         [("N", bits, p.shape, p.codes[0], layout)])
        run.get_flags(p.flags(case.ef))
        run.store(d, case.type, p.of(case.r))
        yield run


def scalar_runs(case):
    """The tile-scalar form on some elements."""
    bits = bits_of(case.type)
    for i in range(0, min(SCALAR_SAMPLES, len(case.r))):
        run = Run(f"{case.op}S {case.type} element {i}")
        s = run.load("T", case.type, bits, [case.a[i]], (1, 1))
        ior = run.scalars(case.b[i])
        d, = run.tile_op(case.op + "S", case.type,
                         [lambda: run.dims(1, 1, 1), ior], [s],
                         [("N", bits, (1, 1), 1, None)])
        run.get_flags(case.ef[i])
        run.store(d, case.type, [case.r[i]])
        yield run


EXPANDED = frozenset("ADD SUB MUL DIV MAX MIN EXPDIF".split())


def expand_runs(case, name, source, dest):
    """Rows (columns) of one element meet in a broadcast."""
    if name not in EXPANDED:
        return
    widths = bits_of(source), bits_of(dest)
    for way in ("ROW", "COL"):
        for p in pieces(len(case.r), max(widths), 512):
            op = f"T{way}EXPAND{name}"
            run = Run(f"{op} {source} elements from {p.first}")
            p.cols = 1 if way == "ROW" else pow2(p.n)
            p.shape = (p.n, 1) if way == "ROW" else (1, p.n)
            codes = same_storage(p, *widths)
            tiles = [run.load(h, source, widths[0], p.of(v), p.shape, p.cols,
                              codes[0])
                     for h, v in (("T", case.a), ("U", case.b))]
            attributes = [lambda: run.dims(p.shape[1], p.shape[0], p.cols)]
            if dest != source:
                attributes.append(lambda: run.datr(dtype=dest, pad="Null"))
            d, = run.tile_op(op, source, attributes, tiles,
                             [("N", widths[1], p.shape, codes[1], None)])
            run.get_flags(p.flags(case.ef))
            run.store(d, dest, p.of(case.r))
            yield run


def expdif_runs(case, left_out):
    yield from expand_runs(case, "EXPDIF", case.srctype, case.dsttype)
    if case.diff:
        yield from difference_runs(case)


def difference_runs(case):
    """The rounded difference itself, by TCVT and TSUB; its flags are not in
    the vector."""
    widths = bits_of(case.srctype), bits_of(case.dsttype)
    for p in pieces(len(case.r), max(widths)):
        run = Run(f"difference of {case.srctype} elements from {p.first}")
        codes = same_storage(p, *widths)

        def dims():
            run.dims(p.shape[1], p.shape[0], p.cols)
        tiles = []
        for h, v in (("T", case.a), ("U", case.b)):
            tile = run.load(h, case.srctype, widths[0], p.of(v), p.shape,
                            p.cols, codes[0])
            if case.dsttype != case.srctype:
                tile, = run.tile_op(
                    "TCVT", case.srctype,
                    [lambda: run.datr(dtype=case.dsttype, pad="Null"), dims],
                    [tile], [(h, widths[1], p.shape, codes[1], None)])
            tiles.append(tile)
        d, = run.tile_op("TSUB", case.dsttype, [dims], tiles,
                         [("N", widths[1], p.shape, codes[1], None)])
        run.flags = None
        run.store(d, case.dsttype, p.of(case.diff), "diff")
        yield run


def compare_runs(case, left_out):
    """TCMP, and TCMPS on some elements."""
    for relation in nc.RELATIONS:
        for p in pieces(len(case.a), bits_of(case.type)):
            yield compare_run(case, relation, p, False)
        for i in range(min(SCALAR_SAMPLES, len(case.a))):
            yield compare_run(case, relation, Piece(i, 1), True)


def compare_run(case, relation, p, scalar):
    """A select of two constants makes the predicate visible."""
    bits = bits_of(case.type)
    one = {64: 0x3ff0000000000000, 32: 0x3f800000}.get(bits, 1)
    op = "TCMPS" if scalar else "TCMP"
    run = Run(f"{op} {relation} {case.type} elements from {p.first}")
    code = size_code(p.bytes(bits))

    def dims():
        run.dims(p.shape[1], p.shape[0], p.cols)

    def fill(hand, value):
        ior = run.scalars(value)
        return run.tile_op("TEXPANDS", case.type, [dims, ior], [],
                           [(hand, bits, p.shape, code, None)])[0]
    attributes = [lambda: run.datr(cmode=relation, dtype="FP64"), dims]
    operands = [("T", case.a)] if scalar else [("T", case.a), ("U", case.b)]
    tiles = [run.load(h, case.type, bits, p.of(v), p.shape, p.cols, code)
             for h, v in operands]
    if scalar:
        attributes.append(run.scalars(case.b[p.first]))
    mask, = run.tile_op(op, case.type, attributes, tiles,
                        [("M", 1, p.shape, code, None)])
    run.get_flags(p.flags(case.ef))
    chosen = [mask, fill("T", one), fill("U", 0)]
    d, = run.tile_op("TSEL", case.type, [dims], chosen,
                     [("N", bits, p.shape, code, None)])
    run.store(d, case.type, [one * v for v in p.of(case.r[relation])])
    return run


# ---- conversions -----------------------------------------------------------

def tcvt_runs(case, left_out):
    if case.canon:
        raise NotExpressible("Canonicalize needs a row-major private "
                             "accumulator, which no program can make")
    widths = bits_of(case.src), bits_of(case.dst)
    for mode in case.rmodes:
        for p in pieces(len(case.r), max(widths)):
            run = Run(f"TCVT {case.src} to {case.dst} {mode} sat {case.sat} "
                      f"elements from {p.first}")
            codes = same_storage(p, *widths)
            s = run.load("T", case.src, widths[0], p.of(case.a), p.shape,
                         p.cols, codes[0])
            d, = run.tile_op("TCVT", case.src, [
                lambda: run.datr(dtype=case.dst, rmode=mode, sat=case.sat,
                                 pad="Null"),
                lambda: run.dims(p.shape[1], p.shape[0], p.cols)], [s],
                [("N", widths[1], p.shape, codes[1], None)])
            run.get_flags(p.flags(case.ef))
            run.store(d, case.dst, p.of(case.r))
            yield run
    if 64 not in widths:
        for i, mode in enumerate(case.rmodes):
            yield cube_tcvt_run(case, mode, ("M16", "M32")[i & 1], widths)


def cube_tcvt_run(case, mode, layout, widths):
    p = CubePiece(len(case.r), layout, *widths)
    run = Run(f"TCVT {case.src} to {case.dst} {mode} sat {case.sat} in "
              f"CUBE_{layout}")
    s = run.load_cube("T", case.src, widths[0], p.of(case.a), p.shape, layout)
    d, = run.tile_op("TCVT", case.src, [
        lambda: run.datr(dtype=case.dst, rmode=mode, sat=case.sat,
                         pad="Null"),
        lambda: run.dims(p.shape[1], p.shape[0])], [s],
        [("N", widths[1], p.shape, p.codes[1], layout)])
    run.get_flags(p.flags(case.ef))
    run.store(d, case.dst, p.of(case.r))
    return run


def quant_runs(case, left_out):
    widths = bits_of(case.src), bits_of(case.dst)
    narrow = case.dst if case.op == "TQUANT" else case.src
    zp = case.zp & 255
    if narrow == "S8" and zp > 127:
        zp -= 256
    for p in pieces(len(case.r), max(widths)):
        run = Run(f"{case.op} {case.src} to {case.dst} {case.rmode} "
                  f"elements from {p.first}")
        codes = [size_code(p.bytes(b)) for b in widths]
        s = run.load("T", case.src, widths[0], p.of(case.a), p.shape, p.cols,
                     codes[0])
        ior = run.scalars(case.scale, zp)
        d, = run.tile_op(case.op, case.src, [
            lambda: run.datr(dtype=case.dst, rmode=case.rmode, sat=case.sat),
            lambda: run.dims(p.shape[1], p.shape[0], p.cols), ior], [s],
            [("N", widths[1], p.shape, codes[1], None)])
        run.get_flags(p.flags(case.ef))
        run.store(d, case.dst, p.of(case.r))
        yield run


# ---- rows ------------------------------------------------------------------

INDEX_TYPES = frozenset("S32 U32 FP32 S16 U16 FP16 BF16 S8 U8".split())


def reduction_runs(case, left_out):
    name = case.op[len(nc.REDUCE):]
    index = name.startswith("ARG")
    if index and case.type not in INDEX_TYPES:
        raise NotExpressible(f"no argument reduction of {case.type}")
    bits, n = bits_of(case.type), len(case.x)
    dest = "U32" if index else case.type
    for way in ("ROW", "COL"):
        run = Run(f"T{way}{name} {case.type}")
        shape = (1, n) if way == "ROW" else (n, 1)
        cols = pow2(n) if way == "ROW" else 1
        s = run.load("T", case.type, bits, case.x, shape, cols)
        d, = run.tile_op(f"T{way}{name}", case.type,
                         [lambda: run.dims(shape[1], shape[0], cols)], [s],
                         [("N", bits_of(dest), (1, 1), 1, None)])
        run.get_flags(case.flags)
        run.store(d, dest, [case.result], "index" if index else "r")
        yield run


def sort_runs(case, left_out):
    bits = bits_of(case.type)
    if case.op == "TSORT":
        n = len(case.x)
        shape, cols = (1, n), pow2(n)
        codes = [size_code((cols * b + 7) // 8) for b in (bits, 32)]
        # the index tile has as many storage rows as the data
        rows = (128 << codes[0] - 1) * 8 // (cols * bits)
        codes[1] = size_code(rows * cols * 4)
        run = Run(f"TSORT {case.type} group {case.group}")
        s = run.load("T", case.type, bits, case.x, shape, cols, codes[0])
        ior = run.scalars(case.descending)
        values, index = run.tile_op(
            "TSORT", case.type, [lambda: run.dims(case.group), ior], [s],
            [("N", bits, shape, codes[0], None),
             ("M", 32, shape, codes[1], None)])
        run.get_flags(case.flags)
        run.store(values, case.type, case.r)
        run.store(index, "U32", case.index, "index")
    else:
        n = len(case.r)
        run = Run(f"TMRGSORT {case.type}")
        tiles = [run.load(h, case.type, bits, v, (1, len(v)))
                 for h, v in (("T", case.a), ("U", case.b))]
        ior = run.scalars(case.descending)
        d, = run.tile_op("TMRGSORT", case.type, [ior], tiles,
                         [("N", bits, (1, n),
                           size_code((pow2(n) * bits + 7) // 8), None)])
        run.get_flags(case.flags)
        run.store(d, case.type, case.r)
    yield run


# ---- matrix ----------------------------------------------------------------

def transposed(values, rows, cols):
    return [values[r * cols + c] for c in range(cols) for r in range(rows)]


def start_of(op):
    """TMATMUL_MX_BIAS is written BSTART.TMATMULMX.BIAS."""
    return "BSTART." + op.replace("_MX", "MX").replace("_", ".")


def matrix_runs(case, left_out):
    m, n, k = case.M, case.N, case.K
    if m > 32:
        raise NotExpressible("more than the 32 rows of one PE")
    layouts = [x for x in ("M16", "M32") if m <= int(x[1:])]
    for layout in layouts:
        yield product_run(case, case.op, layout)
    if m == 1:
        yield product_run(case, case.op.replace("TMATMUL", "TGEMV"),
                          layouts[0])
    yield from cooperative_runs(case)


def product_run(case, op, layout):
    m, n, k = case.M, case.N, case.K
    groups = (k + 31) // 32
    at, bt, acc = case.atype, case.btype, case.acctype
    run = Run(f"{op} {at} x {bt}, {layout}")
    bits = bits_of(acc)
    code = size_code(cube_bytes(bits, (m, n), layout))
    sources = []
    if case.C is not None:
        sources.append(run.load_cube("U", acc, bits, case.C, (m, n), layout,
                                     code))
    sources.append(run.load_cube("T", at, bits_of(at), case.A, (m, k), layout))
    if case.SA is not None:
        sources.append(run.load_cube("M", "E8M0", 8, case.SA, (m, groups),
                                     "M32"))
    sources.append(run.load_cube("U", bt, bits_of(bt), case.B, (k, n), "N8"))
    if case.SB is not None:
        sources.append(run.load_cube(
            "M", "E8M0", 8, transposed(case.SB, groups, n), (n, groups),
            "M32"))
    finish_product(run, case, op, layout, sources, [], 0, 0)
    return run


def finish_product(run, case, op, layout, sources, shared, trans_a, trans_b):
    """The product itself, and D."""
    m, n, k = case.M, case.N, case.K
    acc, bits = case.acctype, bits_of(case.acctype)
    if case.bias is not None:
        sources.append(run.load("M", acc, bits, case.bias, (1, n)))
    attributes = [f"B.FPATR None, None, 0, 0, 0, 0, 0, {trans_a}, {trans_b}, 0"]
    if case.btype != case.atype:
        attributes.append(lambda: run.datr(dtype=case.btype))
    attributes.append(lambda: run.dims(m, n, k))
    attributes += [f"B.IOS {s}, mask=1111" for s in shared]
    code = size_code(cube_bytes(bits, (m, n), layout))
    d, = run.block(f"{start_of(op)} {case.atype}", attributes, sources,
                   [("N", bits, (m, n), code, layout)])
    run.get_flags(case.flags)
    # a cooperative product gives every PE a tile of its own
    run.store(d, acc, case.D, "D", "0001" if shared else "1111")


class SharedOperand:
    """A matrix with its scales as Shared registers want it: row-major, the
    columns a power of two, both transposed or none."""

    def __init__(self, dtype, values, shape, scales, scale_shape, trans):
        self.parts = [(dtype, bits_of(dtype), values, shape)]
        if scales is not None:
            self.parts.append(("E8M0", 8, scales, scale_shape))
        if trans:
            self.parts = [(t, b, transposed(v, *s), s[::-1])
                          for t, b, v, s in self.parts]
        self.possible = all(s[1] == pow2(s[1]) for _, _, _, s in self.parts)

    def load(self, run, first):
        return [run.load_shared(first + i, *part)
                for i, part in enumerate(self.parts)]


def cooperative_runs(case):
    """The operands of the right side, or of both, in Shared registers."""
    m, n, k = case.M, case.N, case.K
    groups = (k + 31) // 32
    if m > 16 or n != pow2(n) or k != pow2(k):
        return
    for trans_a, trans_b in ((None, 0), (None, 1), (0, 0), (1, 1)):
        right = SharedOperand(case.btype, case.B, (k, n), case.SB,
                              (groups, n), trans_b)
        left = SharedOperand(case.atype, case.A, (m, k), case.SA,
                             (m, groups), trans_a)
        if not right.possible or trans_a is not None and not left.possible:
            continue
        where = "B" if trans_a is None else "A and B"
        run = Run(f"{case.op} {case.atype} x {case.btype}, Shared {where}"
                  f"{', transposed' if trans_b else ''}")
        acc, bits = case.acctype, bits_of(case.acctype)
        sources, shared = [], []
        if case.C is not None:
            sources.append(run.load_cube("U", acc, bits, case.C, (m, n),
                                         "M16"))
        if trans_a is None:
            for h, (dtype, b, values, shape), layout in zip(
                    "TM", left.parts, ("M16", "M32")):
                sources.append(run.load_cube(h, dtype, b, values, shape,
                                             layout))
        else:
            shared += left.load(run, 0)
        shared += right.load(run, len(shared))
        finish_product(run, case, case.op, "M16", sources, shared,
                       trans_a or 0, trans_b)
        yield run


# ---- post-processing -------------------------------------------------------

def kept_elements(case, left_out):
    """Positions whose accumulator a product can have: C + A x B turns every
    NaN into the canonical one."""
    if case.acc != "FP32":
        return list(range(len(case.x)))
    keep = [i for i, v in enumerate(case.x)
            if v & 0x7fffffff <= 0x7f800000 or v == CANONICAL_NAN]
    if len(keep) < len(case.x):
        left_out.append((len(case.x) - len(keep), "NaN bits that an "
                         "accumulator of a product never has"))
    return keep


def post_run(what, acc, x, attributes, sources, destinations, scalars=()):
    """D = post(C + A x B) with C = x and a product of -0: it changes no
    accumulator, not even -0. @sources: loaders called in order."""
    run = Run(what)
    n = len(x)
    left, zero, nought = {"FP32": ("FP16", 0x8000, 0), "S32": ("S8", 0, 0),
                          "U32": ("U8", 0, 0)}[acc]
    c = run.load_cube("U", acc, 32, x, (1, n), "M16")
    a = run.load_cube("T", left, bits_of(left), [zero], (1, 1), "M16")
    b = run.load_cube("M", left, bits_of(left), [nought] * n, (1, n), "N8")
    tiles = [c, a, b] + [load(run) for load in sources]
    lines = [f(run) if callable(f) else f for f in attributes]
    if scalars:
        lines.append(run.scalars(*scalars))
    made = run.block(f"BSTART.TMATMUL.ACC {left}",
                     [*lines, lambda: run.dims(1, n, 1)], tiles, destinations)
    return run, made


def fpatr(mode=0, relu=0, group=0, row_max=0, group_max=0, init=0, max_abs=0):
    return (f"B.FPATR {mode or 'None'}, {relu or 'None'}, {group}, {row_max}, "
            f"{group_max}, {init}, {max_abs}, 0, 0, 0")


def conversion_runs(case, left_out):
    keep = kept_elements(case, left_out)
    if not keep:
        raise NotExpressible("NaN bits that an accumulator of a product "
                             "never has")
    x = [case.x[i] for i in keep]
    n, bits = len(x), bits_of(case.dst)
    sources, scalars = [], []
    for values, vector in ((case.qparam, case.mode in VECTOR_MODES),
                           (case.alpha, case.relu == 3)):
        if values is None:
            continue
        if vector:
            kept = [values[i] for i in keep]
            sources.append(lambda run, v=kept: run.load("M", "U64", 64, v,
                                                        (1, n)))
        else:
            scalars.append(values[0])
    left = {"FP32": "FP16", "S32": "S8", "U32": "U8"}[case.acc]
    code = size_code(cube_bytes(bits, (1, n), "M16"))
    if not case.mode:
        code = size_code(cube_bytes(32, (1, n), "M16"))
    run, (d,) = post_run(
        f"mode {case.mode} relu {case.relu} {case.rmode} sat {case.sat}",
        case.acc, x,
        [fpatr(case.mode, case.relu),
         lambda run: datr_line(run, left, case.rmode, case.sat)],
        sources, [("N", bits, (1, n), code, "M16")], scalars)
    flags = 0
    for i in keep:
        flags |= case.ef[i]
    run.get_flags(flags)
    run.store(d, case.dst, [case.r[i] for i in keep])
    yield run


def datr_line(run, dtype, rmode, sat):
    """The B.DATR line itself, for lists of attributes."""
    run.datr(dtype=dtype, rmode=rmode, sat=sat)
    return run.lines.pop()


def maximum_runs(case, left_out):
    grouped = case.op == "FPATR_GROUPMAX"
    init = None if grouped else case.init
    if len(kept_elements(case, [])) < len(case.x):
        raise NotExpressible("NaN bits that an accumulator of a product "
                             "never has")
    x, width = case.x, 1
    if grouped:
        if case.group_n not in GROUP_CODES:
            raise nc.BadCase(f"group_n: no code for {case.group_n}")
        # a row of GroupMaxOut has a power of two of columns: groups that
        # repeat the last element, which leaves its own group as it is
        width = pow2(len(case.r))
        if width > len(case.r):
            x = x + [x[-1]] * (case.group_n * (width - 1) + 1 - len(x))
    n = len(x)
    code = size_code(cube_bytes(32, (1, n), "M16"))
    sources = []
    if init is not None:
        sources.append(lambda run: run.load("M", case.acc, 32, [init],
                                            (1, 1)))
    run, (d, maximum) = post_run(
        case.op, case.acc, x,
        [fpatr(group=GROUP_CODES[case.group_n] if grouped else 0,
               row_max=int(not grouped), group_max=int(grouped),
               init=int(init is not None), max_abs=case.max_abs)],
        sources, [("N", 32, (1, n), code, "M16"),
                  ("T", 32, (1, width), size_code(width * 4), None)])
    run.get_flags(case.flags)
    run.store(maximum, case.acc, case.r)
    run.store(d, case.acc, x, "D")
    yield run


_FAMILIES = {
    "EXPDIF": expdif_runs, "TCMP": compare_runs, "TCVT": tcvt_runs,
    "TQUANT": quant_runs, "TDEQUANT": quant_runs, "TSORT": sort_runs,
    "TMRGSORT": sort_runs, "TFMA": element_runs, "FPATR": conversion_runs,
    "FPATR_ROWMAX": maximum_runs, "FPATR_GROUPMAX": maximum_runs,
    **dict.fromkeys(nc.UNARY | nc.BINARY, element_runs),
    **dict.fromkeys(nc.REDUCTIONS, reduction_runs),
    **dict.fromkeys(nc.MATRIX, matrix_runs),
}


def expressible(op):
    return op in _FAMILIES


def runs_of(case, left_out):
    return list(_FAMILIES[case.op](case, left_out))
