# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hostile arrays (.npy) as input, archives (.npz) as checkpoint."""
import io
import struct
import zlib

import numpy as np

from corpus import cuts, flips


def header(text, version=(1, 0), length=None):
    text = text.encode("latin1")
    size = len(text) if length is None else length
    return (b"\x93NUMPY" + bytes(version)
            + struct.pack("<H" if version[0] == 1 else "<I", size) + text)


def dictionary(descr="'<f8'", order="False", shape="(2, 4)"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"


def deflated(content, level=9):
    squeeze = zlib.compressobj(level, zlib.DEFLATED, -15)
    return squeeze.compress(content) + squeeze.flush()


def saved(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


class Zip:
    """An archive written by hand, every field open to lies."""

    def __init__(self):
        self.body, self.directory, self.entries = b"", b"", 0

    def add(self, name, content, body=None, at=None, **lies):
        name = name if isinstance(name, bytes) else name.encode()
        facts = dict(flags=0, method=8 if body else 0, crc=zlib.crc32(content),
                     packed=len(body or content), size=len(content), local=len(self.body), extra=b"", signature=0x04034b50)
        body = body or content
        facts.update(lies)
        if at is None:
            self.body += struct.pack("<IHHHHHIIIHH", facts["signature"], 20, facts["flags"],
                                     facts["method"], 0, 33, facts["crc"], facts["packed"],
                                     facts["size"], len(name), 0) + name + body
        else:
            facts["local"] = at
        self.directory += struct.pack(
            "<IHHHHHHIIIHHHHHII", 0x02014b50, 20, 20, facts["flags"], facts["method"], 0, 33,
            facts["crc"], facts["packed"], facts["size"], len(name), len(facts["extra"]), 0, 0,
            0, 0, facts["local"]) + name + facts["extra"]
        self.entries += 1
        return self

    def bytes(self, **lies):
        facts = dict(entries=self.entries, size=len(self.directory), offset=len(self.body))
        facts.update(lies)
        return self.body + self.directory + struct.pack(
            "<IHHHHIIH", 0x06054b50, 0, 0, facts["entries"], facts["entries"], facts["size"],
            facts["offset"], 0)


def build_input(corpus):
    def case(name, content, *patterns, **options):
        # A value is found by its input, sample, step and element.
        corpus.file("input", name + ".npy", content, *patterns,
                    place=rf"{name}\.npy|input 'in' is", **options)

    good = saved(np.eye(4)[:2])
    np.save(corpus.folder / "good/x.npy", np.eye(4)[:2])
    corpus.odd_files("input", ".npy")
    for length, content in cuts(good, 8):
        case(f"cut{length}", content, "")
    for bit, content in flips(good, 32):
        case(f"flip{bit}", content, harmless=True)
    for name, text in (
            ("negative_shape", dictionary(shape="(-2, 4)")),
            ("huge_axis", dictionary(shape="(4611686018427387904, 4)")),
            ("overflowing_product", dictionary(shape="(4294967296, 4294967296)")),
            ("hidden_product", dictionary(shape="(0, 9223372036854775808)")),
            ("axis_2_64", dictionary(shape="(18446744073709551616, 4)")),
            ("many_axes", dictionary(shape="(" + "1, " * 40 + "4)")),
            ("code", dictionary(shape="(__import__('os').system('touch pwned'), 4)")),
            ("unclosed", "{'descr': '<f8"), ("no_keys", "{}"), ("twice", dictionary()[:-3] +
                                                                "'shape': (2, 4)}"),
            ("list_shape", dictionary(shape="[2, 4]")), ("order_number", dictionary(order="1")),
            ("nested", "{" * 60000), ("escape", dictionary(descr="'<\x1b[2J'")),
            ("record", dictionary(descr="[('a', '<f8')]")),
            ("long_double", dictionary(descr="'<f16'")), ("date", dictionary(descr="'<M8[ns]'")),
            ("void", dictionary(descr="'|V8'")), ("object", dictionary(descr="'|O'"))):
        case(name, header(text) + bytes(64), "")
    case("header_2_32", header(dictionary(), (2, 0), 2**32 - 1), "header")
    case("header_long", header(dictionary() + " " * 70000, (2, 0)) + bytes(64), "header")
    case("version_9", header(dictionary(), (9, 0)) + bytes(64), "9")
    case("trailing", good + b"x", "too long")
    case("bool_7", header(dictionary("'|b1'")) + bytes([7] * 8), "7")
    case("pickle", saved(np.array([[{}]], dtype=object), allow_pickle=True), "pickle")
    for word, value in (("nan", np.nan), ("inf", np.inf), ("denormal", 5e-324), ("big", 1e300)):
        case("value_" + word, saved(np.full((2, 4), value)), "")
    case("int_2_60", saved(np.full((2, 4), 1 << 60)), r"2\^53")
    case("uint_2_64", saved(np.full((2, 4), 2**64 - 1, "u8")), r"2\^63")
    case("no_steps", saved(np.zeros((0, 4))), "")
    case("complex", saved(np.ones((2, 4), "c16")), "complex")


def build_checkpoint(corpus):
    def case(name, content, *patterns, **options):
        corpus.file("checkpoint", name + ".npz", content, *patterns, **options)

    rng = np.random.default_rng(1)
    members = {"W0": rng.normal(size=(4, 5)), "b0": np.zeros(4), "Wout": np.ones((2, 4)),
               "bout": np.zeros(2),
               "meta": np.array('{"neuron": "lif", "tau": 2.0, "layers": 1}')}

    def archive(**changes):
        result = Zip()
        for key, value in {**members, **changes}.items():
            result.add(key + ".npy", saved(value))
        return result

    good = archive().bytes()
    corpus.odd_files("checkpoint", ".npz")
    for length, content in cuts(good, 6):
        case(f"cut{length}", content, "")
    for bit, content in flips(good, 32):
        case(f"flip{bit}", content, harmless=True)
    array = saved(np.ones((3, 3)))
    meta = saved(members["meta"])
    for name, member in (("dots", "../../evil"), ("absolute", "/etc/passwd"),
                         ("escape", "a\x1b[2J"), ("lines", "a\nerror: b"), ("nul", "a\0b"),
                         ("empty", ""), ("long", "n" * 60000)):
        case("name_" + name, archive().add(member + ".npy", array).bytes(),
             harmless=True)
    case("name_no_array", archive().add("a.exe", array).bytes(), "NAME.npy")
    case("name_not_utf8", archive().add(b"\xff\xfe.npy", array).bytes(), harmless=True)
    case("twice", archive().add("W0.npy", array).bytes(), "W0", "twice")
    for name, lies in (("encrypted", dict(flags=1)), ("method", dict(method=12)),
                       ("crc", dict(crc=1)), ("size", dict(size=10**6)),
                       ("packed", dict(packed=2**32 - 2)), ("local", dict(local=2**32 - 2)),
                       ("signature", dict(signature=7))):
        case("lies_" + name, Zip().add("meta.npy", meta, **lies).bytes(), "")
    case("zip64_size", Zip().add("meta.npy", meta, size=2**32 - 1, packed=2**32 - 1, extra=struct
                                 .pack("<HHQQ", 1, 16, 2**63, 2**63)).bytes(), "")
    case("deflate_lie", Zip().add("meta.npy", meta, deflated(meta), size=2**31).bytes(), "")
    case("deflate_garbage", Zip().add("meta.npy", b"\xff" * 99, method=8).bytes(), "")
    case("more_entries", archive().bytes(entries=65000), "")
    case("directory_size", archive().bytes(size=2**32 - 2), "")
    case("directory_offset", archive().bytes(offset=2**32 - 2), "")
    many = Zip()
    for i in range(65000):
        many.add(f"{i}.npy", b"", at=0)
    case("many_members", many.bytes(), "")
    # 480 MB of booleans from 2 MB, eight times that once decoded; and eight
    # members of them.
    vast = header(dictionary("'|b1'", shape="(480000000,)")) + bytes(480_000_000)
    packed = deflated(vast, 1)
    bomb = Zip().add("meta.npy", meta).add("W0.npy", vast, packed)
    for key in ("b0", "Wout", "bout"):
        bomb.add(key + ".npy", saved(members[key]))
    case("bomb", bomb.bytes(), "W0")
    bomb = Zip()
    for i in range(8):
        bomb.add(f"W{i}.npy", vast, packed)
    # No constant asks for them, so that none is unpacked.
    corpus.file("weights", "bomb.npz", bomb.bytes(), "W", harmless=True)
    del vast
    for name, text in (("deep", "[" * 100_000), ("nan", '{"neuron": "lif", "tau": NaN}'),
                       ("huge_number", '{"neuron": "lif", "tau": 1e999, "layers": 1}'),
                       ("layers_2_63", '{"neuron": "lif", "tau": 2.0, "layers": 1e18}'),
                       ("layers_negative", '{"neuron": "lif", "tau": 2.0, "layers": -1}'),
                       ("escape", '{"neuron": "l\\u001b[2Jf"}'),
                       ("lines", '{"neuron": "l\\nerror: x"}'),
                       ("twice", '{"neuron": "lif", "neuron": "mmdend"}'), ("list", "[1]"),
                       ("null", "null"), ("tau_denormal", '{"neuron":"lif","tau":5e-324,"layers":1}'),
                       ("tau_nothing", '{"neuron": "lif", "tau": null, "layers": 1}')):
        case("meta_" + name, archive(meta=np.array(text)).bytes(), "meta")


def build(corpus):
    build_input(corpus)
    build_checkpoint(corpus)
