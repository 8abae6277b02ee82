# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hostile NIR files."""
import zlib

import h5py
import numpy as np

from corpus import cuts, flips


def network(path, change=None):
    """Four inputs, Affine, three LIF neurons, one output; `change(file, nodes)`."""
    with h5py.File(path, "w") as file:
        file["version"] = "1.0"
        file["node/type"] = "NIRGraph"
        nodes = file.create_group("node/nodes")
        node(nodes, "in", "Input", shape=np.array([4]))
        node(nodes, "fc", "Affine", weight=np.full((3, 4), 0.5, "f4"), bias=np.zeros(3))
        node(nodes, "lif", "LIF", tau=np.full(3, 0.01), r=np.ones(3), v_leak=np.zeros(3),
             v_threshold=np.ones(3))
        node(nodes, "out", "Output", shape=np.array([3]))
        edges(file, [("in", "fc"), ("fc", "lif"), ("lif", "out")])
        if change:
            change(file, nodes)


def node(nodes, name, kind, **fields):
    group = nodes.create_group(name)
    group["type"] = kind
    for key, value in fields.items():
        group[key] = value


def edges(file, pairs):
    replace(file["node"], "edges", np.array(pairs, dtype=h5py.string_dtype()))


def replace(group, key, value, **options):
    if key in group:
        del group[key]
    group.create_dataset(key, data=value, **options)


def unwritten(group, key, shape, kind="f4", **options):
    del group[key]
    group.create_dataset(key, shape, kind, **options)


def bomb(group, key, rows, columns):
    """Zeros: one compressed chunk per row of chunks, megabytes from kilobytes."""
    del group[key]
    data = group.create_dataset(key, (rows, columns), "u1", chunks=(rows // 64, columns),
                                compression="gzip")
    packed = zlib.compress(bytes(rows // 64 * columns), 9)
    for i in range(64):
        data.id.write_direct_chunk((i * (rows // 64), 0), packed)


def nest(nodes, depth):
    for _ in range(depth):
        nodes["deep/type"] = "NIRGraph"
        nodes["deep/edges"] = np.zeros((0, 2))
        nodes = nodes.create_group("deep/nodes")


def build(corpus):
    def case(name, change, *patterns, **options):
        # What does not fit the chip is found by its layer.
        corpus.file("nir", name + ".nir", lambda p: network(p, change), *patterns,
                    place=rf"{name}\.nir|^\w+: population 'lif'|^lif: ", **options)

    def field(name, at, key, value, *patterns, **options):
        case(name, lambda _, n: replace(n[at], key, value), at, *patterns, **options)

    network(corpus.folder / "good/net.nir")
    data = (corpus.folder / "good/net.nir").read_bytes()
    corpus.odd_files("nir", ".nir")
    for length, content in cuts(data, 8):
        corpus.file("nir", f"cut{length}.nir", content, "")
    for bit, content in flips(data, 40):
        corpus.file("nir", f"flip{bit}.nir", content, harmless=True)
    corpus.file("nir", "zeros.nir", data[:8] + bytes(4096), "damaged")

    # Links.
    def link(name, target, *patterns):
        def change(_, nodes):
            nodes["lif/extra"] = target(nodes) if callable(target) else target
        case(name, change, "extra", *patterns)

    link("cycle_hard", lambda n: n.file["node"], "second hard link")
    link("cycle_self", lambda n: n["lif"], "second hard link")
    link("cycle_soft", h5py.SoftLink("/node/nodes"), "soft link")
    link("soft_dangling", h5py.SoftLink("/nowhere"), "soft link")
    link("external_link", h5py.ExternalLink("/etc/passwd", "/"), "external link")
    link("external_self", h5py.ExternalLink("external_self.nir", "/node"), "external link")

    def other_file(_, nodes):
        del nodes["fc/weight"]
        nodes["fc"].create_dataset("weight", (3, 4), "f4",
                                   external=[("/etc/passwd", 0, 48)])
    case("external_data", other_file, "fc/weight", "another file")

    def virtual(_, nodes):
        layout = h5py.VirtualLayout((3, 4), "f4")
        layout[:] = h5py.VirtualSource("/etc/passwd", "x", (3, 4))
        del nodes["fc/weight"]
        nodes["fc"].create_virtual_dataset("weight", layout)
    case("virtual_data", virtual, "fc/weight", "another file")

    def groups(_, nodes):
        for _ in range(500):
            nodes = nodes.create_group("g")
    case("deep_groups", groups, "nested", "deep")
    case("deep_graphs", lambda _, n: nest(n, 30), harmless=True)
    case("deeper_graphs", lambda _, n: nest(n, 300), "nested", "deep")

    # Sizes.
    case("declared_only", lambda _, n: unwritten(n["fc"], "weight", (1 << 13, 1 << 14),
                                                 chunks=(64, 64)), "fc/weight", "stores none")
    case("huge_shape", lambda _, n: unwritten(n["fc"], "weight", (1 << 40, 1 << 22),
                                              chunks=(64, 64)), "fc/weight", "dimension")
    case("gzip_bomb", lambda _, n: bomb(n["fc"], "weight", 1 << 15, 1 << 15), "fc/weight")
    case("gzip_half_bomb", lambda _, n: bomb(n["fc"], "weight", 1 << 13, 1 << 13), "fc")
    case("many_groups", lambda _, n: [n.create_group(str(i)) for i in range(5000)], "'0'", "type")
    case("many_edges", lambda f, _: edges(f, [("in", "fc")] * (1 << 20)), "edges")
    case("long_name", lambda _, n: node(n, "x" * 60000, "Oops"), "unknown node type")
    case("long_type", lambda _, n: replace(n["lif"], "type", "y" * 10_000_000), "lif")
    case("no_columns", lambda _, n: replace(n["fc"], "weight", np.zeros((3, 0))), "fc")

    def shape(name, value, *patterns):
        field("shape_" + name, "in", "shape", value, *patterns)

    shape("negative", np.array([-4]), "-4")
    shape("zero", np.array([0]), "holds 0")
    shape("huge", np.array([1 << 40]), str(1 << 40)[:6])
    shape("product", np.array([10**9, 10**9]), "2\\^22")
    shape("beyond_double", np.array([1 << 62]), "2\\^53")
    shape("fraction", np.array([2.5]), "2.5")
    shape("nan", np.array([np.nan]), "(?i)nan")
    shape("long", np.ones(100_000), "shape")
    shape("text", "4", "shape")
    case("huge_input", lambda _, n: [replace(n[k], "shape", np.array([2**31 - 1]))
                                     for k in ("in", "out")], "shape|expected")

    def vast(file, nodes, size):
        for key in ("in", "out"):
            replace(nodes[key], "shape", np.array([size]))
        for key in ("tau", "r", "v_leak", "v_threshold"):
            replace(nodes["lif"], key, float(nodes["lif"][key][0]))
        edges(file, [("in", "lif"), ("lif", "out")])
        del nodes["fc"]
    case("vast_population", lambda f, n: vast(f, n, 10**9), r"2\^22")
    case("large_population", lambda f, n: vast(f, n, 2**22), "lif")

    # Numbers.
    for word, value in (("nan", np.nan), ("inf", np.inf), ("minus_inf", -np.inf)):
        for at, key, size in (("lif", "tau", 3), ("lif", "r", 3), ("lif", "v_leak", 3),
                              ("lif", "v_threshold", 3), ("fc", "bias", 3)):
            field(f"{key}_{word}", at, key, np.full(size, value), key, word.split("_")[-1])
    for word, value in (("zero", 0.0), ("minus_zero", -0.0), ("denormal", 5e-324),
                        ("tiny", 1e-300)):
        field("tau_" + word, "lif", "tau", np.full(3, value), "tau|dt|keeps")
    # Extreme, and numbers still: scaled to the chip's range.
    field("tau_huge", "lif", "tau", np.full(3, 1e308), harmless=True)
    field("weight_huge", "fc", "weight", np.full((3, 4), 1e308), harmless=True)
    field("threshold_negative", "lif", "v_threshold", np.full(3, -1.0), "threshold")
    field("threshold_denormal", "lif", "v_threshold", np.full(3, 5e-324),
          harmless=True)
    for word, value in (("nan", np.nan), ("zero", 0.0), ("negative", -1.0), ("inf", np.inf)):
        case("dt_" + word, lambda f, _, v=value: f["node"].create_dataset("metadata/dt", data=v),
             "dt")

    # Types of elements.
    complex_, text = np.ones((3, 4), "c8"), np.full((3, 4), b"1.0")
    for name, value in (("complex", complex_), ("text", text), ("opaque", np.zeros((3, 4), "V8")),
                        ("int_2_62", np.full((3, 4), 1 << 62)),
                        ("uint_2_64", np.full((3, 4), 2**64 - 1, "u8")),
                        ("longdouble", np.ones((3, 4), np.longdouble))):
        field("weight_" + name, "fc", "weight", value, "weight")
    case("weight_ragged", lambda _, n: (n["fc"].__delitem__("weight"), n["fc"].create_dataset(
        "weight", (3,), h5py.vlen_dtype("f4"))), "fc/weight")
    case("weight_reference", lambda _, n: (n["fc"].__delitem__("weight"), n["fc"].create_dataset(
        "weight", (3,), h5py.ref_dtype)), "fc/weight")
    case("weight_null", lambda _, n: (n["fc"].__delitem__("weight"), n["fc"].create_dataset(
        "weight", data=h5py.Empty("f4"))), "fc/weight", "null")
    case("weight_group", lambda _, n: (n["fc"].__delitem__("weight"), n["fc"].create_group(
        "weight")), "fc", "weight")
    case("filter_lzf", lambda _, n: replace(n["fc"], "weight", np.ones((3, 4)),
                                            compression="lzf"), "fc/weight", "filter")
    case("committed_type", lambda _, n: n["lif"].__setitem__("kind", np.dtype("f8")),
         "lif/kind", "neither")
    case("type_number", lambda _, n: replace(n["lif"], "type", 3.0), "lif", "type")
    case("type_two", lambda _, n: replace(n["lif"], "type", np.array([b"LIF", b"LI"])),
         "lif", "type")
    case("type_missing", lambda _, n: n["lif"].__delitem__("type"), "lif", "type")

    # Names and edges.
    for name, odd in (("escape", "a\x1b[31m"), ("lines", "a\nerror: b"), ("dots", ".."),
                      ("windows", "..\\..\\x")):
        case("name_" + name, lambda _, n, odd=odd: node(n, odd, "Oops"), "unknown node type")
        case("link_" + name, lambda _, n, odd=odd: n["lif"].__setitem__(
            odd, h5py.SoftLink("/x")), "soft link")
    case("name_not_utf8", lambda _, n: h5py.h5g.create(n.id, b"\xff\xfe\xc0"), "type")
    case("name_path", lambda _, n: node(n, "../../etc/passwd", "LIF"), "'..'", "/")
    case("edges_numbers", lambda f, _: replace(f["node"], "edges", np.ones((3, 2))), "edges")
    case("edges_triples", lambda f, _: edges(f, [("in", "fc", "lif")]), "edges")
    case("edges_odd", lambda f, _: edges(f, [("in\x1b[2J", "f\nc")]), "dangles")
    case("edges_self", lambda f, _: edges(f, [("in", "fc"), ("fc", "fc"), ("fc", "lif"),
                                              ("lif", "out")]), "fc")
    case("edges_backwards", lambda f, _: edges(f, [("out", "fc"), ("fc", "lif"), ("lif", "in")]),
         "'in'|'out'")
    case("edges_none", lambda f, _: edges(f, np.zeros((0, 2))), "no edge|nothing")
