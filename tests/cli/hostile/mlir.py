# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hostile networks as text (.mlir) and bytecode (.mlirbc)."""
import subprocess

from corpus import ROOT, cuts, flips

TEXT = (ROOT / "models/neurons/lif.mlir").read_text()
REAL = (ROOT / "tests/cli/Inputs/two.mlir").read_text()


def build(corpus):
    def case(name, content, *patterns, **options):
        corpus.file("mlir", name + ".mlir", content, *patterns, **options)

    def changed(name, old, new, *patterns, source=REAL, **options):
        assert old in source, name
        case(name, source.replace(old, new), *patterns, **options)

    corpus.odd_files("mlir", ".mlir")
    for length, content in cuts(TEXT.encode(), 12):
        case(f"cut{length}", content, r"mlir:\d+:\d+|dend\.network", harmless=True)
    for bit, content in flips(TEXT.encode(), 40):
        case(f"flip{bit}", content, harmless=True)
    bytecode = subprocess.run([corpus.dendrolith_opt, "--emit-bytecode", "-"], input=TEXT.encode(),
                              capture_output=True, check=True).stdout
    for length, content in cuts(bytecode, 8):
        corpus.file("mlir", f"cut{length}.mlirbc", content, "")
    for bit, content in flips(bytecode, 60):
        corpus.file("mlir", f"flip{bit}.mlirbc", content, harmless=True)
    corpus.file("mlir", "garbage.mlirbc", b"ML\xefR" + bytes(range(256)) * 4, "")
    corpus.file("mlir", "endless.mlirbc", b"ML\xefR" + b"\xff" * 5000, "")

    # Depth and size of the text.
    for name, opening in (("brackets", "["), ("braces", "{a="), ("types", "tuple<"),
                          ("calls", "loc(callsite(")):
        case("deep_" + name, f"module attributes {{x = {opening * 200_000}", "")
    case("deep_regions", '"a.b"() ({' * 100_000, "")
    case("deep_comments", "/" * 1_000_000 + "\n" + "(" * 100_000, "")
    case("alias_cycle", "#a = [#b]\n#b = [#a]\n" + TEXT, r"mlir:\d+:\d+")
    case("alias_bomb", "#a0 = [1]\n" + "".join(
        f"#a{i + 1} = [#a{i}, #a{i}]\n" for i in range(40)) + TEXT, harmless=True)
    case("long_number", REAL.replace("[2]", "[" + "9" * 3000 + "]"), "")
    case("long_name", REAL.replace("@two", "@" + "n" * 100_000).replace("delay 1", "delay 0"), "")
    case("two_networks", REAL + REAL.replace("@two", "@three"), "expected one")
    case("no_network", "module {}", "expected one")
    case("other_dialect", 'func.func @f() { return }', r"mlir:\d+:\d+")
    case("other_operation", '"llvm.call"() : () -> ()', r"mlir:\d+:\d+")
    case("nul", REAL.replace("@two", "@t\0wo"), r"mlir:\d+:\d+")
    case("not_utf8", REAL.encode().replace(b"@two", b"@\xff\xfe"), r"mlir:\d+:\d+")
    case("odd_symbol", REAL.replace("@two", '@"a\\1B[2J\\0A error: b"').replace(
        "delay 1", "delay 0"), "")
    case("path_symbol", REAL.replace("@a", '@"../../x"'), harmless=True)

    # Numbers.
    for name, value in (("nan", "0x7FF8000000000000"), ("inf", "0x7FF0000000000000"),
                        ("denormal", "4.9e-324"), ("huge", "1.0e308"), ("overflow", "1.0e999"),
                        ("negative", "-1.0")):
        changed("theta_" + name, "dense<1.0>", f"dense<{value}>", harmless=True)
        changed("keep_" + name, "dense<0.5>", f"dense<{value}>", harmless=True)
    for name, size in (("zero", "0"), ("negative", "-1"), ("2_31", str(2**31)),
                       ("2_62", str(2**62)), ("2_64", str(2**64))):
        changed("population_" + name, "@lif[2]", f"@lif[{size}]", harmless=False)
        changed("input_" + name, "tensor<2xf64>", f"tensor<{size}xf64>")
    everything = REAL.replace("[2]", "[16777216]").replace("tensor<2xf64>", "tensor<16777216xf64>")
    case("vast", everything, "")
    case("splat_2_40", REAL.replace("@theta : tensor<f64> = dense<1.0> : tensor<f64>",
                                    f"@theta : tensor<{2**40}xf64> = dense<1.0> : "
                                    f"tensor<{2**40}xf64>"), "theta|mlir")
    changed("hex_short", "dense<1.0>", 'dense<"0x00">', r"mlir:\d+:\d+")
    changed("ragged", "dense<1.0> : tensor<f64>", "dense<[[1.0], [2.0, 3.0]]> : tensor<2x2xf64>",
            r"mlir:\d+:\d+")
    for value in ("-1", str(2**31), str(2**63), str(2**64)):
        changed(f"delay_{value}", "delay 1", f"delay {value}")
    for value in ("0", "-1", str(2**31), str(2**63)):
        changed(f"divide_{value}", "dend.clock @step",
                f"dend.clock @root\n  dend.clock @step divides @root by {value}")
    changed("extern_path", "@theta : tensor<f64> = dense<1.0> : tensor<f64>",
            '@theta : tensor<f64> extern "../../etc/passwd"', "theta")
    changed("width_zero", "fx<24, 0>", "fx<0, 0>", r"mlir:\d+:\d+", source=TEXT)
    changed("width_huge", "fx<24, 0>", "fx<4294967295, 0>", r"mlir:\d+:\d+", source=TEXT)
    changed("fraction_huge", "fx<24, 0>", "fx<24, 2147483647>", "", source=TEXT)
