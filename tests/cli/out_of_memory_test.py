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

# The process takes some 30 MB before it begins.
done = neurite(*compiling, "-o", image, preexec_fn=limit(100))
check(done.returncode == 1 and "error: out of memory: this needs more than the 0." in done.stderr,
      f"compile: {done.returncode} {done.stderr}")
check(not list(W.glob("*.nrt*")), "half an image")

done = neurite("run", f"{study}.npz", "--target", "loihi1-study", "--out", W / "out",
               preexec_fn=limit(100))
check(done.returncode == 1 and "error: out of memory" in done.stderr,
      f"run: {done.returncode} {done.stderr}")
check(not (W / "out").exists(), "half a result")

done = neurite(*compiling, "-o", image)
check(done.returncode == 0 and image.exists(), done.stderr)
finish()
