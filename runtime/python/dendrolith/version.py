# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The version, which is that of CMakeLists.txt (a test compares both)."""

__version__ = "0.1.0"
