# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the allocator and the BLAS read only when a process starts.  Call
`restart()` from a training script before it imports numpy or torch."""
import os
import sys

# glibc returns every large tensor to the kernel unless told otherwise, and
# then most of the time goes into page faults.
MALLOC = {"MALLOC_MMAP_THRESHOLD_": "4000000000",
          "MALLOC_TRIM_THRESHOLD_": "8000000000",
          "MALLOC_TOP_PAD_": "268435456"}


def restart(**more):
    """Runs the script again with the settings, unless it already has them."""
    wanted = {**MALLOC, **more}
    if any(key not in os.environ for key in wanted):
        os.environ.update(wanted)
        os.execv(sys.executable, [sys.executable] + sys.argv)
