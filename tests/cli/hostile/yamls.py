# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hostile chips and cost tables."""
import re

from corpus import ROOT, cuts


def texts(corpus, group, good):
    """What is no YAML of ours at all."""
    def case(name, content, *patterns):
        corpus.file(group, name + ".yaml", content, *patterns)

    corpus.odd_files(group, ".yaml")
    for length, content in cuts(good.encode(), 8):
        if content.strip() != good.encode().strip():  # more than the last line's end
            case(f"cut{length}", content, "")
    case("deep_lists", "name: " + "[" * 100_000, "nested|deep")
    case("deep_maps", "{a: " * 100_000, "nested|deep")
    case("deep_blocks", "\n".join(" " * i + "a:" for i in range(800)), "nested|deep")
    case("anchors", good + "x: &a [1]\ny: *a\n", "anchor")
    case("alias_bomb", "a: &a [x, x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]\n" for i in range(20)),
         "anchor")
    case("tag", good.replace("name:", "name: !!python/object/apply:os.system", 1), "tag")
    case("nul", good + "\0", "NUL")
    case("two_megabytes", "# " + "x" * 2_000_000, "1048576")
    case("many_keys", "".join(f"k{i}: 1\n" for i in range(5000)), "more than")
    case("duplicate", good + "\n" + good, "duplicate")
    case("second_document", good + "\n---\nname: x\n", "second document")
    case("utf16", good.encode("utf-16"), "")
    case("not_utf8", good.encode() + b"x: \xff\xfe\xc0\n", "")
    case("tabs", "name:\t- x\n\ty", "")
    case("list", "- name\n- mesh\n", "")
    case("unknown_escape", good + '"a\\x1b[2J": 1\n', "unknown key")
    case("unknown_lines", good + '"a\\nerror: b": 1\n', "unknown key")
    case("name_escape", good.replace("name: ", 'name: "a\\x1b[2J" # ', 1), "control")
    case("long_key", good + "k" * 900 + ": 1\n", "unknown key")
    case("long_value", good.replace("name: ", "name: [" + "v" * 500_000 + "] # ", 1),
         "name")


def build(corpus):
    chip = (ROOT / "targets/tiny/chip.yaml").read_text()
    texts(corpus, "target", chip)

    def number(name, key, value, *patterns):
        changed = re.sub(rf"(?m)^(  {key}: {{value: )[^,]*", rf"\g<1>{value}", chip, count=1)
        assert changed != chip, key
        corpus.file("target", name + ".yaml", changed, rf"{name}\.yaml:\d+:\d+", key, *patterns)

    for name, value in (("nan", ".nan"), ("inf", ".inf"), ("negative", "-1"), ("zero", "0"),
                        ("2_63", 2**63), ("2_64", 2**64), ("1e400", "1e400"), ("hex", "0x10"),
                        ("fraction", "1.5"), ("list", "[1]"), ("word", "many"), ("quoted", '"2"')):
        number("tiles_" + name, "tiles_x", value)
    for key in ("compartments_per_core", "max_delay", "weight_bits", "state_bits", "decay_bits",
                "weight_shift", "threshold_shift", "flit_bits", "refractory_max"):
        number(key + "_huge", key, 10**15 + 1)
    for name, base in (("dots", "../../../../etc/passwd"), ("self", "base_self"),
                       ("absolute", "/dev/zero"), ("escape", '"a\\x1b[2J"'), ("empty", '""')):
        corpus.file("target", f"base_{name}.yaml", f"name: x\nbase: {base}\n", "base")

    costs = (ROOT / "targets/loihi1/costs-davies2018.yaml").read_text()
    texts(corpus, "costs", costs)

    def price(name, change, *patterns):
        changed = change(costs)
        assert changed != costs, name
        corpus.file("costs", name + ".yaml", changed, rf"{name}\.yaml:\d+:\d+", *patterns)

    for name, value in (("nan", ".nan"), ("inf", ".inf"), ("negative", "-81"), ("1e400", "1e400"),
                        ("1e16", "1e16"), ("word", "free"), ("map", "{a: 1}")):
        price("price_" + name, lambda t, v=value: t.replace("value: 81", f"value: {v}", 1))
    price("unknown_event", lambda t: t.replace("events:", "events:\n  warp: unpriced", 1), "warp")
    price("kind", lambda t: t.replace("kind: pre-silicon", "kind: guess", 1), "guess")
    price("source", lambda t: re.sub("source: davies2018", "source: nobody", t, count=1), "nobody")
