# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hostile results (result.json, tables.json)."""
import copy
import hashlib
import json
import os

from corpus import cuts, flips


def build(corpus):
    good = corpus.folder / "good/result"
    corpus.run("run", corpus.folder / "good/net.nir", "--target", "loihi1", "--input",
               corpus.folder / "good/x.npy", "--out", good)
    data = (good / "result.json").read_bytes()
    tables = json.loads((good / "tables.json").read_bytes())

    def case(name, content, *patterns, **options):
        def make(path):
            path.mkdir()
            if callable(content):
                content(path / "result.json")
            else:
                (path / "result.json").write_bytes(
                    content if isinstance(content, bytes) else content.encode())
        corpus.file("result", name, make, *patterns, place=rf"{name}/(result|tables)\.json|^the result's|"
                    "^target '", **options)

    def changed(name, keys, value, *patterns, **options):
        result = json.loads(data)
        at = result
        for key in keys[:-1]:
            at = at[key]
        at[keys[-1]] = value
        case(name, json.dumps(result), *patterns, **options)

    def beside(name, change, *patterns, **options):
        """The result with other tables, which it takes for its own."""
        changed_tables, result = copy.deepcopy(tables), json.loads(data)
        change(changed_tables, result)
        content = json.dumps(changed_tables)
        result["hashes"]["tables_sha256"] = hashlib.sha256(content.encode()).hexdigest()

        def make(path):
            path.write_text(json.dumps(result))
            (path.parent / "tables.json").write_text(content)
        case("tables_" + name, make, *patterns, **options)

    case("pipe", os.mkfifo, "regular file")
    case("endless", lambda p: p.symlink_to("/dev/zero"), "regular file")
    case("folder", lambda p: p.mkdir(), "regular file|directory")
    case("empty", b"", "JSON")
    for length, content in cuts(data.rstrip(), 8):  # without the last line's end it is whole
        case(f"cut{length}", content, r"result\.json:\d+:\d+")
    for bit, content in flips(data, 24):
        case(f"flip{bit}", content, harmless=True)
    case("deep_lists", "[" * 100_000, "nesting|levels")
    case("deep_objects", '{"a":' * 100_000, "nesting|levels")
    case("twice", '{"counts": {}, "counts": {}}', "counts", "twice")
    case("escape", '{"a\\u001b[2J": 1, "a\\u001b[2J": 1}', "twice")
    case("not_utf8", data.replace(b"loihi1", b"\xff\xfe", 1), "JSON")
    case("nul", data + b"\0", "JSON")
    case("nan", data.replace(b'"peak_rss_bytes": ', b'"peak_rss_bytes": NaN, "x": ', 1), "JSON")
    counter = ("counts", "total", "messages")
    for name, value in (("2_63", 2**63), ("2_64", 2**64), ("2_70", 2**70), ("negative", -1),
                        ("real", 1.5), ("text", "7"), ("nothing", None), ("list", [1])):
        changed("counter_" + name, counter, value, "messages")
    changed("counter_1e400", counter, "@", "messages", harmless=False)
    corpus.cases.pop()
    path = corpus.folder / "result/counter_1e400/result.json"
    path.write_text(path.read_text().replace('"@"', "1e400"))
    corpus.add("result", path.parent, ["JSON"])
    most = 2**63 - 1
    core = next(iter(tables["counts"]["cores"]))

    def overflow(table, result):
        table["counts"]["cores"][core]["messages"] = most
        result["counts"]["host"]["messages"] = most
    beside("overflow", overflow, "messages", "sum")
    changed("host_exceeds", ("counts", "host", "messages"), most, "messages")
    changed("time_2_63", ("times",), {"run_ps": 2**63}, "run_ps")
    changed("time_negative", ("times",), {"run_ps": -5}, "run_ps")
    beside("core_id", lambda t, r: t["counts"]["cores"].update({"99999999999": {}}), "99999999999")
    beside("core_id_odd", lambda t, r: t["counts"]["cores"].update({"../0": {}}), "cores")
    beside("empty", lambda t, r: t.clear(), "counts")
    beside("links_number", lambda t, r: t["counts"].update(links=7), "links")
    beside("links_odd", lambda t, r: t["counts"].update(
        links=[{"from": 2**40, "to": 0, "flits": 1}]), "links")
    changed("other_hash", ("hashes", "tables_sha256"), "0" * 64, harmless=True)
    changed("no_samples", ("samples",), 0, "samples")
    changed("samples_2_63", ("samples",), 2**63, "samples")
    changed("schema", ("schema",), 3, "schema")
    changed("counter_unknown", ("counts", "host", "wa\x1brp"), 1, "not a counter")
    changed("target_yaml", ("target", "yaml"), "{[", "sha256 is of")
    changed("target_other", ("target", "yaml"), "name: x", "sha256 is of")
    changed("target_file", ("target", "file"), "\x1b[2J/../../etc/passwd", harmless=True)
    for name, counts in (("long", [[1, 2, 3]]), ("short", [[]]), ("deep", [[[1]]]), ("flat", 7)):
        changed(f"confusion_{name}", ("confusion",), {"classes": 1, "counts": counts},
                harmless=True)
    changed("timing", ("timing", "name"), "tomo\x1brrow", "")
    for key in ("counts", "target", "timing", "times", "latency", "summary", "warnings", "hashes", "neurobench", "fit",
                "quantisation", "schedule", "spike_values", "saturations", "mapping", "model"):
        for name, value in (("list", [1]), ("text", "x"), ("nothing", None)):
            changed(f"{key}_{name}", (key,), value, harmless=True)
        result = copy.deepcopy(json.loads(data))
        del result[key]
        case(f"{key}_missing", json.dumps(result), f"'{key}'")
