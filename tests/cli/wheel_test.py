# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/python/pyproject.toml, runtime/packages/Wheel.cmake, runtime/packages/Linking.cmake, runtime/driver/ShippedCommand.cpp,
# runtime/driver/DoctorCommand.cpp; runtime/python/dendrolith/binary.py.
"""The wheel, made of this build: its size and tag, an environment of each Python that is
here, a root with a C library and nothing else, and the results of the program of the build."""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import time
import urllib.request
import zipfile

from command import DENDROLITH, ROOT, W, check, finish

BUILD = pathlib.Path(DENDROLITH).resolve().parents[1]
OUT = BUILD / "wheel"
TUTORIALS = ("first_look", "first_dendrite", "energy_study", "explore_chip")


OLDEST = "http://archive.ubuntu.com/ubuntu/pool/main/g/glibc/libc6_2.27-3ubuntu1_amd64.deb"
OLDEST_SHA256 = "1e1eb86fd646aa68f7144ec692b837b6b352d215880c6a2d0c92c19d36938427"


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def run(*words, timeout=600, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=timeout, **options)


def results(folder):
    """What a run wrote, but for result.json, which has times in it."""
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
            for name in ("outputs.npy", "predicted.npy", "tables.json")}


def pythons():
    """Each Python from 3.9 on: the machine's and those of pyenv."""
    found = [pathlib.Path("/usr/bin/python3")]
    found += sorted(pathlib.Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser().glob(
        "versions/3.*/bin/python3"))
    return [python for python in found if python.exists() and
            run(python, "-c", "import sys; sys.exit(sys.version_info < (3, 9))").returncode == 0]


def quiet(folder):
    """No variable, and a home of its own."""
    return {"PATH": "/usr/bin:/bin", "HOME": str(folder), "TMPDIR": str(folder)}


FIRST = """
import dendrolith as dl, numpy as np, pathlib
lif = dl.shipped("models/lif")
net = dl.load(lif / "shapes_lif.nir")
program = dl.compile(net, "loihi1", calibrate=np.load(lif / "calib_x.npy"))
result = program.run(np.load(lif / "test_x.npy"), labels=np.load(lif / "test_y.npy"), engine="cycle")
print(result.accuracy, result.energy, result.latency)
"""


def in_environment(python, wheel, expected, first):
    """Installs the wheel where a path has a blank and a letter of its own."""
    folder = W / f"an envirönment {python.parents[1].name}"
    folder.mkdir()
    if run(python, "-m", "venv", folder / "v").returncode:
        print(f"skipped {python}: it has no venv")
        return None
    begin = time.time()
    done = run(folder / "v/bin/pip", "install", "-q", wheel)
    if done.returncode:
        print(f"skipped {python}: numpy cannot be installed: {done.stderr.strip()[-200:]}")
        return None
    installed = time.time()
    program, interpreter = folder / "v/bin/dendrolith", folder / "v/bin/python"
    done = run(program, "demo", "--out", folder / "demo", cwd=folder, env=quiet(folder))
    check(done.returncode == 0 and "Accuracy: 94.20 %" in done.stdout, f"{python}: demo: {done}")
    check(done.returncode or results(folder / "demo") == expected, f"{python}: other results")
    done = run(program, "explore", folder / "v/share/dendrolith/runtime/explore/study/example.yaml",
               "--dry-run", cwd=folder, env=quiet(folder))
    check(done.returncode == 0, f"{python}: README's study: {done.stderr}")
    begun = time.time()
    done = run(interpreter, "-c", FIRST, cwd=folder, env=quiet(folder))
    check(done.stdout == first, f"{python}: first result: {done}, expected {first}")
    print(f"{python}: installed in {installed - begin:.1f} s, first result of Python in "
          f"{time.time() - begun:.1f} s")
    done = run(program, "doctor", cwd=folder, env=quiet(folder))
    check(done.returncode == 0 and str(interpreter.parent / "python3") in done.stdout,
          f"{python}: doctor: {done}")
    return folder


def versions_differ(folder):
    """A package and a program of two versions say so, by doctor and from Python."""
    found = next((folder / "v/lib").glob("python3*/site-packages/dendrolith"))
    version = found / "version.py"
    kept = version.read_text()
    version.write_text(kept.replace("0.1.0", "0.0.9"))
    done = run(folder / "v/bin/python", "-c", FIRST, cwd=folder, env=quiet(folder))
    check(done.returncode and "0.0.9" in done.stderr and "pip install" in done.stderr,
          f"a program of another version: {done.stderr[-300:]}")
    version.write_text(kept)
    info = next(found.parent.glob("dendrolith-*.dist-info")) / "METADATA"
    info.write_text(info.read_text().replace("\nVersion: 0.1.0", "\nVersion: 0.0.9"))
    done = run(folder / "v/bin/dendrolith", "doctor", cwd=folder, env=quiet(folder))
    check(done.returncode == 1 and "0.0.9" in done.stderr and "pip install" in done.stderr,
          f"a package of another version: {done}")


def loader_of_lava(folder):
    """The package that loads exported networks into Lava came with it."""
    check((folder / "v/share/dendrolith/runtime/python/dendrolith_lava/lava_pb2.py").exists(),
          "dendrolith_lava has its message classes")


def optimiser(folder):
    """The program has a second name."""
    words = folder / "v/share/dendrolith/models/relay/relay.mlir", "--dend-expand-structure"
    beside = run(pathlib.Path(DENDROLITH).with_name("dendrolith-opt"), *words)
    done = run(folder / "v/bin/dendrolith-opt", *words, cwd=folder, env=quiet(folder))
    check(done.returncode == 0 and "dend.network" in done.stdout and done.stdout == beside.stdout,
          f"dendrolith-opt: {done.stderr[-300:]}")
    done = run(folder / "v/bin/dendrolith-opt", "--nothing", cwd=folder, env=quiet(folder))
    check(done.returncode == 1 and "--nothing" in done.stderr, f"dendrolith-opt: {done}")


def tutorials(folder):
    """Each runs in an environment made of the wheel alone."""
    done = run(folder / "v/bin/pip", "install", "-q", "matplotlib", "h5py")
    if done.returncode:
        print("skipped the tutorials: matplotlib cannot be installed")
        return
    scripts = folder / "v/share/dendrolith/runtime/python/tutorial"
    for name in TUTORIALS:
        done = run(folder / "v/bin/python", scripts / f"{name}.py", folder / name, cwd=folder,
                   env=quiet(folder))
        check(done.returncode == 0, f"tutorial {name}: {done.stderr[-300:]}")


def newest_symbol(wheel):
    """The newest glibc that a symbol of the program asks for."""
    with zipfile.ZipFile(wheel) as archive:
        name, = (name for name in archive.namelist() if name.endswith("/bin/dendrolith"))
        program = archive.extract(name, W / "unpacked")
    asked = re.findall(r"Name: GLIBC_([0-9.]+)", run("readelf", "-V", program).stdout)
    return max(tuple(map(int, version.split("."))) for version in asked)


def oldest_libraries():
    """Folders of glibc 2.27, of Ubuntu 18.04, which is the last before 2.28 that is still had."""
    package, folder = W / "libc6.deb", W / "glibc 2.27"
    try:
        with urllib.request.urlopen(OLDEST, timeout=30) as answer:
            package.write_bytes(answer.read())
    except OSError as error:
        print(f"skipped glibc 2.27: {error}")
        return []
    check(hashlib.sha256(package.read_bytes()).hexdigest() == OLDEST_SHA256, "another libc6 than expected")
    run("dpkg-deb", "-x", package, folder)
    return [folder / "lib/x86_64-linux-gnu"]


def bare_root(wheel, expected, title, libraries):
    """A root with the C library and the wheel's files: no Python, no shell."""
    root = W / f"root {title}"
    root.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(root)
    data = next(root.glob("dendrolith-*.data/data"))
    (data / "bin/dendrolith").chmod(0o755)
    for name in ("ld-linux-x86-64.so.2", "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0"):
        found = next((path for path in libraries if (path / name).exists()), None)
        if not found:
            print(f"skipped {title}: {name} is not there")
            return
        for place in ("lib64", "lib/x86_64-linux-gnu"):
            (root / place).mkdir(parents=True, exist_ok=True)
            shutil.copy(found / name, root / place / name)
    (root / "proc").mkdir()
    (root / "out").mkdir()
    inside = data.relative_to(root)
    done = run("unshare", "--mount", "--map-root-user", "--pid", "--fork", "sh", "-c",
               f"mount -t proc proc '{root}/proc' && chroot '{root}' '/{inside}/bin/dendrolith' demo --out /out/demo")
    if done.returncode and "unshare" in done.stderr + done.stdout or "mount:" in done.stderr:
        print(f"skipped {title}: no root of one's own can be made here: {done.stderr.strip()}")
        return
    check(done.returncode == 0, f"{title}: {done.stderr[-300:]}")
    check(done.returncode or results(root / "out/demo") == expected, f"{title}: other results")
    print(f"{title}: the same results in a root with nothing else")


done = run(ROOT / "runtime/packages/wheel", BUILD, timeout=900)
if done.returncode:
    if "package index" in done.stderr:
        skip(done.stderr.strip().splitlines()[-1])
    check(False, f"the wheel cannot be made: {done.stderr}")
    finish()
wheel, = OUT.glob("dendrolith-*-py3-none-*manylinux_2_28_x86_64.whl")
sources, = OUT.glob("dendrolith-*.tar.gz")
print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB; {sources.stat().st_size / 1e6:.1f} MB of sources")
check(wheel.stat().st_size < 40e6, f"{wheel.stat().st_size} bytes")
newest = newest_symbol(wheel)
check(newest <= (2, 28), f"the program asks for a symbol of glibc {newest}, newer than 2.28")
# The sources are complete: they configure, which names each file that a folder lists.
with tarfile.open(sources) as archive:
    archive.extractall(W / "sources")
unpacked, = (W / "sources").iterdir()
done = run("cmake", "-S", unpacked / "source", "-B", W / "configured", "-G", "Ninja",
           "-DDENDROLITH_TESTS=OFF")
check(done.returncode == 0, f"the sources do not configure: {done.stderr[-500:]}")
done = run(DENDROLITH, "demo", "--out", W / "native")
check(done.returncode == 0, f"demo of the build: {done.stderr}")
expected = results(W / "native")
done = run(sys.executable, "-c", FIRST, env={**os.environ, "DENDROLITH_BIN": DENDROLITH,
                                             "PYTHONPATH": str(ROOT / "runtime/python")})
check(done.returncode == 0, f"first result of the build: {done.stderr}")
first = done.stdout
bare_root(wheel, expected, "glibc of this machine",
          [pathlib.Path("/lib64"), pathlib.Path("/lib/x86_64-linux-gnu")])
bare_root(wheel, expected, "glibc 2.31", [OUT / "archives/glibc/lib/x86_64-linux-gnu"])
bare_root(wheel, expected, "glibc 2.27", oldest_libraries())
folders = [folder for folder in (in_environment(python, wheel, expected, first) for python in pythons())
           if folder]
if folders:
    loader_of_lava(folders[-1])
    optimiser(folders[-1])
    tutorials(folders[-1])
    versions_differ(folders[0])
finish()
