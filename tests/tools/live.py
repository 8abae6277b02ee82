# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs the pinned tools and records them again: live.py DENDROLITH FOLDER [TOOL ...].

FOLDER/venv is made once, with what dependencies.txt and requirements.txt pin.
Recordings are equal to the shipped ones (spikes, and potentials to 1e-5), or the tool has
changed; then the tools read files that `export --format nir` wrote, and give the same
spikes. `--keep` ships what was recorded.
"""
import json
import pathlib
import shutil
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent
SHIPPED = HERE / "recordings"


def install(folder):
    python = folder / "venv" / "bin" / "python"
    done = folder / "venv" / "installed"
    if done.exists():
        return python
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    pip = [python, "-m", "pip", "install", "-r"]
    subprocess.run([*pip, HERE / "dependencies.txt"], check=True)
    # Tools ask for versions of nir and for drivers that they do not need.
    subprocess.run([*pip, HERE / "requirements.txt", "--no-deps"], check=True)
    done.touch()
    return python


def differences(tool, fresh):
    """What is not as it was recorded, by network."""
    old, new = np.load(SHIPPED / f"{tool}.npz"), np.load(fresh / f"{tool}.npz")
    told = [json.loads(str(one["about"])) for one in (old, new)]
    found = []
    if told[0]["versions"][tool] != told[1]["versions"][tool]:
        found.append(f"version {told[1]['versions'][tool]}")
    for name in sorted(set(told[0]["networks"]) | set(told[1]["networks"])):
        one, other = (each["networks"].get(name) for each in told)
        if one is None or other is None or ("error" in one) != ("error" in other):
            found.append(f"{name}: recorded or exported in one of both alone")
    for key in sorted(set(old.files) & set(new.files) - {"about"}):
        if key.endswith("/net"):
            continue
        a, b = (np.asarray(each[key], float) for each in (old, new))
        gap = abs(a - b).max() if a.shape == b.shape else np.inf
        if gap > 1e-5 * max(1, abs(a).max()):
            found.append(f"{key}: differs by {gap:.2g}")
    return found


def main(binary, folder, *tools):
    keep = "--keep" in tools
    tools = [one for one in tools if one != "--keep"] or sorted(
        path.stem for path in SHIPPED.glob("*.npz"))
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    python, wrong = install(folder), 0
    for tool in tools:
        subprocess.run([python, HERE / "record.py", folder / "recordings", tool], check=True)
        if keep:
            shutil.copy(folder / "recordings" / f"{tool}.npz", SHIPPED)
            continue
        found = differences(tool, folder / "recordings")
        print(f"{tool}: " + ("as recorded" if not found else "; ".join(found)), flush=True)
        wrong += bool(found)
    if not keep:
        wrong += subprocess.run([python, HERE / "readers.py", binary]).returncode
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
