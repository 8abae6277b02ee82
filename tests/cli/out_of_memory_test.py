# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/main.cpp, runtime/host/MemoryLimit.cpp.
"""Where memory ends, a command ends with an error and writes nothing."""
import resource

from command import W, check, finish, neurite


def limit(megabytes):
    """Lets a process have so much data, as `ulimit -d` does."""
    return lambda: resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20,) * 2)


study = W / "net"
done = neurite("generate", study, "--neurons", "20000", "--steps", "5")
check(done.returncode == 0, done.stderr)
image = W / "net.nrt"
compiling = ("compile", f"{study}.npz", "--target", "loihi1-study", "--threads", "1")

# Wherever it ends: while the file is read, which is an error of that file, or later.
said = []
for megabytes in range(80, 150, 10):
    done = neurite(*compiling, "-o", image, preexec_fn=limit(megabytes))
    said.append(done.stderr)
    ended = done.returncode == 1 and "memory" in done.stderr and not list(W.glob("*.nrt*"))
    check(ended or done.returncode == 0, f"{megabytes} MB: {done.returncode} {done.stderr}")
    image.unlink(missing_ok=True)
check("error: out of memory: this needs more than the 0.1 GB that it could have; a smaller "
      "network, fewer samples or fewer --threads need less" in "".join(said), said)

done = neurite("run", f"{study}.npz", "--target", "loihi1-study", "--out", W / "out",
               preexec_fn=limit(100))
check(done.returncode == 1 and "memory" in done.stderr, f"run: {done.returncode} {done.stderr}")
check(not (W / "out").exists(), "half a result")

done = neurite(*compiling, "-o", image)
check(done.returncode == 0 and image.exists(), done.stderr)
finish()
