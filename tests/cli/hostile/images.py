# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hostile program images: the message as text, changed, behind a true check sum."""
import hashlib
import re
import subprocess

from corpus import ROOT, cuts, flips

PROTO = ["--proto_path", str(ROOT), str(ROOT / "runtime/image/program.proto")]
HEADER = 11 + 64 + 1


def sealed(message):
    return b"DENDROLITH\n" + hashlib.sha256(message).hexdigest().encode() + b"\n" + message


def build(corpus):
    def coded(how, data):
        done = subprocess.run([corpus.protoc, f"--{how}=dendrolith.image.Program", *PROTO],
                              input=data, capture_output=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def case(name, content, *patterns, **options):
        # Damage to the chip's name ends at the search for its cost tables.
        corpus.file("image", name + ".dlp", content, *patterns,
                    place=rf"{name}\.dlp|^target '|input 'in'|'x\.npy'|\.yaml:\d+", **options)

    image = corpus.folder / "good/p.dlp"
    corpus.run("compile", corpus.folder / "good/net.nir", "--target", "loihi1", "--map-for", "cores",
               "-o", image)
    data = image.read_bytes()
    message = data[HEADER:]
    text = coded("decode", message).decode()
    corpus.odd_files("image", ".dlp")
    for length, content in cuts(data, 6):
        case(f"cut{length}", content, "")
    for bit, content in flips(data, 12):
        case(f"flip{bit}", content, "")
    for length, content in cuts(message, 12):
        case(f"cut_message{length}", sealed(content), harmless=True)
    for bit, content in flips(message, 60):
        case(f"flip_message{bit}", sealed(content), harmless=True)
    case("no_message", sealed(b""), "format version")
    case("deep", sealed(b"\x42\x7f" * 100_000), "")
    case("unknown_field", sealed(message + b"\xf8\x3f\x01"), "unknown")
    case("negative_length", sealed(message + b"\x12" + b"\xff" * 9 + b"\x01"), "malformed")

    def changed(name, pattern, to, *patterns, source=text, count=1, **options):
        result, done = re.subn(pattern, lambda m: m.expand(to) if "\\1" in to else to, source,
                               count=count, flags=re.M)
        assert done, name
        case(name, sealed(coded("encode", result.encode())), *patterns, **options)

    for name, pattern, to in (
            ("version", r"format_version: \d+", "format_version: 4294967295"),
            ("period_zero", r"period: \d+", "period: 0"),
            ("period_huge", r"period: \d+", "period: 4294967295"),
            ("depth_huge", r"depth: \d+", "depth: 4294967295"),
            ("size_huge", r"^  size: 3", "  size: 9223372036854775808"),
            ("shape_product", r"^  shape: 3", "  shape: 4294967296 shape: 4294967296"),
            ("shape_zero", r"^  shape: 3", "  shape: 0"),
            ("scale_nan", r"^  scale: \d.*", "  scale: nan"),
            ("scale_inf", r"^  scale: \d.*", "  scale: -inf"),
            ("ticks_huge", r"^  ticks: 1", "  ticks: 4294967295"),
            ("stride_huge", r"^  stride: 1", "  stride: 4294967295"),
            ("phase_huge", r"^  phase: \d+", "  phase: 4294967295"),
            ("no_core", r"^cores {", "cores { id: 0 }\ncores {"),
            ("core_id", r"^cores {", "cores { id: 4294967295"),
            ("count_zero", r"^    count: 3", "    count: 0"),
            ("count_huge", r"^    count: 3", "    count: 4294967295"),
            ("first_neuron", r"^    count: 3", "    count: 3 first_neuron: 18446744073709551615"),
            ("base_huge", r"^    count: 3", "    count: 3 base: 4294967294"),
            ("group_of_nobody", r'^    population: ".*"', '    population: "nobody"'),
            ("decay", r"decay_v: \d+", "decay_v: 5000"),
            ("threshold", r"threshold: \d+", "threshold: -2147483648"),
            ("vmin", r"vmin: -\d+", "vmin: 9223372036854775807"),
            ("vmin_low", r"vmin: -\d+", "vmin: -9223372036854775808"),
            ("wrap_bits", r"vmin: -\d+", "vmin: 0 input_wrap_bits: 200"),
            ("refractory", r"vmin: -\d+", "vmin: 0 refractory: 4294967295"),
            ("axons_odd", r'rows: "', 'rows: "x'),
            ("axons_core", r'rows: "\\\d+', 'rows: "\\377'),
            ("axons_begin", r'begin: "\\\d+', 'begin: "\\377'),
            ("axons_none", r'rows: ".*"', 'rows: ""'),
            ("lists_odd", r'lists: "', 'lists: "x'),
            ("lists_first", r'lists: "\\\d+', 'lists: "\\377'),
            ("weights_none", r'weights: ".*"', 'weights: ""'),
            ("in_axons_list", r'in_axons: "\\\d+', 'in_axons: "\\377'),
            ("in_axons_none", r'in_axons: ".*"', 'in_axons: ""'),
            ("name_path", r'name: "lif"', 'name: "../../x"'),
            ("name_escape", r'name: "lif"', 'name: "a\\033[2J"'),
            ("name_long", r'name: "lif"', f'name: "{"n" * 100_000}"'),
            ("no_output", r'population: "lif"\s+from', 'population: "gone" from'),
            ("output_state", r'from: "s"', 'from: "warp"'),
            ("decode", r'from: "s"', 'from: "s" decode: "last=-1"'),
            ("query", r"^  high: 1", "  high: 1 query: 4294967295 masks: 0"),
            ("input_range", r"^  high: 1", "  high: -9223372036854775808 kind: INTEGER"),
            ("input_kind", r"^  high: 1", "  high: 1 kind: INTEGER"),
            ("used_huge", r"^  used: \d+", "  used: 18446744073709551615"),
            ("target_yaml", r'target_yaml: ".*"', 'target_yaml: "{["'),
            ("target_empty", r'target_yaml: ".*"', 'target_yaml: ""'),
            ("target_path", r'target_name: ".*"', 'target_name: "/etc/passwd.yaml"'),
            ("target_dots", r'target_name: ".*"', 'target_name: "../../x"'),
            ("target_escape", r'target_name: ".*"', 'target_name: "a\\033[2J"')):
        harmless = name in ("used_huge", "target_path", "target_dots", "name_path", "input_kind",
                            "threshold", "vmin_low", "refractory", "target_escape")
        changed(name, pattern, to, harmless=harmless)

    # Sizes that agree with one another and not with the tables.
    vast = re.sub(r"^(  size|  shape|    count): 3", r"\1: 268435456", text, flags=re.M)
    case("vast", sealed(coded("encode", vast.encode())), "row bounds")

    program = corpus.folder / "good/n.dlp"
    corpus.run("compile", ROOT / "models/neurons/adaptive_lif.mlir", "--target", "loihi2", "-o",
               program)
    message = program.read_bytes()[HEADER:]
    code = coded("decode", message).decode()
    for bit, content in flips(message, 40):
        case(f"flip_program{bit}", sealed(content), harmless=True)
    for name, pattern, to in (
            ("registers", r"registers: \d+", "registers: 4294967295"),
            ("elements", r"^      elements: \d+", "      elements: 4294967295"),
            ("width", r"^      width: \d+", "      width: 65"),
            ("hold", r"^      hold: \d+", "      hold: 4294967295"),
            ("code_odd", r'code: "', 'code: "x'),
            ("code_none", r'code: ".*"', 'code: ""'),
            ("constants_none", r'constants: ".*"', 'constants: ""'),
            ("emission", r"kind: \w+", "kind: 77"),
            ("program_index", r"microcode {", "microcode { program: 4294967295"),
            ("params", r'params: ".*"', 'params: "x"')):
        if re.search(pattern, code, re.M):
            changed("program_" + name, pattern, to, source=code, harmless=name == "code_none")
