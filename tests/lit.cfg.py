# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One configuration for every lit suite under tests/. Run it through ctest
# (test `lit`), or `lit <build>/tests/lit`.
import os
import sys

import lit.formats

config.name = "dendrolith"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.dendrolith_build, "tests", "lit")
config.excludes = ["CMakeLists.txt", "Inputs"]
config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.dendrolith_build, "bin"),
        config.llvm_tools,
        config.environment["PATH"],
    ]
)

# Data that is not part of the repository: a test that needs it says
# `REQUIRES: shared` and is unsupported where it is missing.
shared = os.environ.get(
    "DENDROLITH_SHARED", os.path.join(config.dendrolith_source, "..", "shared")
)
if os.path.isdir(shared):
    config.available_features.add("shared")
    config.substitutions.append(("%shared", os.path.abspath(shared)))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%source", config.dendrolith_source))
