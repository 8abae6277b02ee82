# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the end-to-end tests share: the commands, results, and a failing check."""
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed, results are not validated")
    jsonschema = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
DENDROLITH, DENDROLITH_OPT = sys.argv[1:3]
TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = pathlib.Path(TEMPORARY.name)


def dendrolith(*arguments):
    """Runs the command; returns what it printed."""
    return subprocess.run([DENDROLITH, *map(str, arguments)], check=True,
                          capture_output=True, text=True).stdout


SCHEMA = json.loads((ROOT / "runtime/result.schema.json").read_text())


def validate(result, part=""):
    """Holds a result against the schema, or with "tables" what lies beside it."""
    if jsonschema:
        schema = {**SCHEMA, "$ref": "#/$defs/" + part} if part else SCHEMA
        if part:
            schema = {key: schema[key] for key in ("$schema", "$ref", "$defs")}
        jsonschema.Draft202012Validator(schema).validate(result)
    return result


def result_of(folder):
    """The result of a folder that `run --out` wrote, valid and with its tables."""
    folder = pathlib.Path(folder)
    result = validate(json.loads((folder / "result.json").read_text()))
    data = (folder / "tables.json").read_bytes()
    assert result["hashes"]["tables_sha256"] == hashlib.sha256(data).hexdigest()
    return result


def sha_of(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def tables_of(folder):
    return validate(json.loads((pathlib.Path(folder) / "tables.json").read_text()), "tables")


def run(name, *arguments):
    """`dendrolith run ... --out`; returns (result.json, outputs, traces)."""
    out = FOLDER / name
    dendrolith("run", *arguments, "--out", out)
    result = result_of(out)
    traces = out / "traces.npz"
    loaded = dict(np.load(traces)) if traces.exists() else {}
    # A network may have several outputs, in outputs.npz.
    one = out / "outputs.npy"
    return result, np.load(one) if one.exists() else None, loaded


def without_host(result):
    """The result without what depends on the machine and the moment."""
    return {k: v for k, v in result.items()
            if k not in ("wall_s", "peak_rss_bytes")}


def check(condition, text):
    print(("ok: " if condition else "FAILED: ") + text, flush=True)
    if not condition:
        sys.exit(1)


def cosine(a, b):
    a, b = a.astype(float), b.astype(float)
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))
