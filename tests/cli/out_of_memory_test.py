# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests runtime/driver/main.cpp, runtime/host/MemoryLimit.cpp.
"""Where memory ends, a command ends with an error and writes nothing."""
import resource

from command import W, check, finish, dendrolith


def limit(megabytes):
    """Lets a process have so much data, as `ulimit -d` does."""
    return lambda: resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20,) * 2)


study = W / "net"
done = dendrolith("generate", study, "--neurons", "20000", "--steps", "5")
check(done.returncode == 0, done.stderr)
image = W / "net.dlp"
compiling = ("compile", f"{study}.npz", "--target", "loihi1-study", "--threads", "1")

# Wherever it ends. In the end there is enough.
codes = []
for megabytes in range(80, 200, 20):
    done = dendrolith(*compiling, "-o", image, preexec_fn=limit(megabytes))
    codes.append(done.returncode)
    ended = done.returncode == 1 and "memory" in done.stderr and not list(W.glob("*.dlp*"))
    check(ended or done.returncode == 0, f"{megabytes} MB: {done.returncode} {done.stderr}")
    image.unlink(missing_ok=True)
check(codes[0] == 1 and codes[-1] == 0, codes)

done = dendrolith("run", f"{study}.npz", "--target", "loihi1-study", "--out", W / "out",
               preexec_fn=limit(100))
check(done.returncode == 1 and "memory" in done.stderr, f"run: {done.returncode} {done.stderr}")
check(not (W / "out").exists(), "half a result")
finish()
