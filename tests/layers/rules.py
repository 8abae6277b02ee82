# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which part of the tree may include which: the tables of layers_test.py."""

# Layer -> our own layers it may include besides itself.
LAYER_MAY = {
    "targets": set(),
    "dialects": set(),
    "runtime": {"targets"},
    "compiler": {"dialects", "targets", "runtime"},
    "simulator": {"runtime", "targets"},
}

# Headers that include nothing and need no library: every layer may include them.
FOR_EVERYONE = {"targets/support/Versions.h"}

# A leaf may include every layer, and only these may include it.
LEAVES = {
    "runtime/session": {"runtime/options", "runtime/driver", "runtime/explore",
                        "runtime/python"},
    "runtime/options": {"runtime/driver", "runtime/explore"},
    "runtime/explore": {"runtime/driver", "runtime/python"},
    "runtime/driver": set(),
    "runtime/python": set(),
}

# Room -> rooms of its own layer that it may include besides itself, its sub-rooms
# and the files that lie loose above it. In the order in which they are built: a
# room stands below every room that it names.
ROOM_MAY = {
    "targets/support": set(),
    "targets/loader": {"targets/support"},
    "targets/loader/chip": set(),
    "targets/loader/yaml": {"targets/loader/chip"},
    "targets/loader/files": {"targets/loader/chip", "targets/loader/yaml"},
    "targets/loader/read": {"targets/loader/chip", "targets/loader/yaml",
                            "targets/loader/files"},
    "targets/loader/price": {"targets/loader/chip", "targets/loader/yaml",
                             "targets/loader/files"},
    "targets/mesh": {"targets/support", "targets/loader/chip"},
    "dialects/report": set(),
    "dialects/dend": {"dialects/report"},
    "dialects/dend/reference": set(),
    "dialects/dend/fast": {"dialects/dend/reference"},
    "dialects/chip": {"dialects/report"},
    "runtime/host": set(),
    "runtime/host/mpi": set(),
    "runtime/arrays": {"runtime/host"},
    "runtime/microcode": {"runtime/host", "runtime/arrays"},
    "runtime/image": {"runtime/host", "runtime/arrays", "runtime/microcode"},
    "runtime/validate": {"runtime/host", "runtime/arrays", "runtime/microcode",
                         "runtime/image"},
    "runtime/explore/tune": set(),
    "runtime/explore/point": set(),
    "runtime/explore/study": {"runtime/explore/point"},
    "runtime/explore/stages": {"runtime/explore/point", "runtime/explore/study"},
    "runtime/explore/analysis": {"runtime/explore/point", "runtime/explore/study",
                                 "runtime/explore/stages"},
    "runtime/explore/page": {"runtime/explore/point", "runtime/explore/study",
                             "runtime/explore/analysis"},
    "runtime/explore/ask": {"runtime/explore/point", "runtime/explore/study",
                            "runtime/explore/analysis"},
    "runtime/explore/store": {"runtime/explore/point", "runtime/explore/study",
                              "runtime/explore/ask"},
    "runtime/explore/workers": {"runtime/explore/point", "runtime/explore/study",
                                "runtime/explore/stages", "runtime/explore/store"},
    "compiler/transforms": set(),
    "compiler/transforms/network": set(),
    "compiler/transforms/structure": {"compiler/transforms/network"},
    "compiler/transforms/quantise": {"compiler/transforms/network",
                                     "compiler/transforms/structure"},
    "compiler/transforms/schedule": {"compiler/transforms/network"},
    "compiler/transforms/rewrites": {"compiler/transforms/network",
                                     "compiler/transforms/quantise"},
    "compiler/transforms/engines": {"compiler/transforms/network",
                                    "compiler/transforms/structure"},
    "compiler/lava": {"compiler/transforms/network"},
    "compiler/import": {"compiler/lava"},
    "compiler/import/common": set(),
    "compiler/import/hdf5": {"compiler/import/common"},
    "compiler/import/mlir": {"compiler/import/common"},
    "compiler/import/study": {"compiler/import/common"},
    "compiler/import/npz": {"compiler/import/common", "compiler/import/study"},
    "compiler/import/npz/common": set(),
    "compiler/import/npz/mmdend": {"compiler/import/npz/common"},
    "compiler/import/npz/dendricl": {"compiler/import/npz/common"},
    "compiler/import/npz/elm": {"compiler/import/npz/common"},
    "compiler/import/npz/dendattn": {"compiler/import/npz/common"},
    "compiler/import/nir": {"compiler/import/common", "compiler/import/hdf5"},
    "compiler/import/lava": {"compiler/import/common", "compiler/import/hdf5",
                             "compiler/lava"},
    "compiler/mapping": set(),
    "compiler/mapping/network": set(),
    "compiler/mapping/result": {"compiler/mapping/network"},
    "compiler/mapping/in_order": {"compiler/mapping/network",
                                  "compiler/mapping/result"},
    "compiler/mapping/objective": {"compiler/mapping/network",
                                   "compiler/mapping/result"},
    "compiler/mapping/explain": {"compiler/mapping/network",
                                 "compiler/mapping/result",
                                 "compiler/mapping/objective"},
    "compiler/mapping/cluster": {"compiler/mapping/network",
                                 "compiler/mapping/result"},
    "compiler/mapping/candidates": {"compiler/mapping/network",
                                    "compiler/mapping/result",
                                    "compiler/mapping/in_order",
                                    "compiler/mapping/objective",
                                    "compiler/mapping/cluster"},
    "compiler/mapping/constraints": {"compiler/mapping/network",
                                     "compiler/mapping/result",
                                     "compiler/mapping/in_order",
                                     "compiler/mapping/objective",
                                     "compiler/mapping/cluster",
                                     "compiler/mapping/candidates"},
    "compiler/lowering": {"compiler/transforms", "compiler/mapping"},
    "compiler/lowering/microcode": set(),
    "compiler/emit": {"compiler/lowering"},
    "compiler/pipelines": {"compiler/transforms", "compiler/import",
                           "compiler/mapping", "compiler/lowering",
                           "compiler/emit"},
    "compiler/pipelines/samples": set(),
    "compiler/pipelines/few_bits": {"compiler/pipelines/samples"},
    "compiler/native": set(),
    "compiler/native/code": set(),
    "compiler/native/body": {"compiler/native/code"},
    "compiler/native/program": {"compiler/native/code"},
    "compiler/export/lava": {"compiler/transforms", "compiler/lava",
                             "compiler/lowering", "compiler/pipelines"},
    "compiler/export/netx": {"compiler/lava", "compiler/import/hdf5",
                             "compiler/import/lava"},
    "compiler/tools": {"compiler"},
    "simulator/functional/neuron": set(),
    "simulator/functional/delivery": {"simulator/functional/neuron"},
    "simulator/functional/machine": {"simulator/functional/neuron",
                                     "simulator/functional/delivery"},
    "simulator/functional/rows": {"simulator/functional/neuron",
                                  "simulator/functional/delivery",
                                  "simulator/functional/machine"},
    "simulator/events": {"simulator/functional"},
    "simulator/energy": {"simulator/events"},
    "simulator/record": {"simulator/functional", "simulator/events"},
    "simulator/ranks": {"simulator/functional", "simulator/events",
                        "simulator/record"},
    "simulator/report": {"simulator/events", "simulator/energy",
                         "simulator/record"},
    "simulator/report/result": set(),
    "simulator/report/text": {"simulator/report/result"},
    "simulator/report/compare": {"simulator/report/result",
                                 "simulator/report/text"},
    "simulator/report/paper": {"simulator/report/text"},
    "simulator/report/html": {"simulator/report/result",
                              "simulator/report/text"},
    "simulator/timing": {"simulator/functional", "simulator/events",
                         "simulator/record", "simulator/ranks"},
    "simulator/timing/kernel": {"simulator/timing/barrier"},
    "simulator/timing/phases": set(),
    "simulator/timing/work": {"simulator/timing/phases", "simulator/events",
                              "simulator/functional", "simulator/record"},
    "simulator/timing/barrier": {"simulator/events", "simulator/functional"},
}

# Folders of which some loose files stand above the sub-rooms and some below. In all
# others loose files are one room: no sub-room that it includes may include it. The
# set may only shrink.
MIXED = {"simulator", "simulator/timing"}

# What breaks a rule above today: (file, what it includes) -> date and reason. The
# list may only shrink: an entry that no longer happens fails the test.
EXCEPTIONS = {}

# Who may include MLIR and LLVM, besides leaves and tests.
MLIR_MAY = {"dialects", "compiler"}

# Layer -> what its CMake must not mention.
LIBRARIES = {
    "targets": r"\b(MLIR|LLVM|SYSTEMC|systemc)\b|DendrolithRuntime",
    "runtime": r"\b(MLIR|LLVM|SYSTEMC|systemc)\b|DendrolithSimulator|DendrolithImport",
    "simulator": r"\b(MLIR|LLVM)\b|DendrolithDend|DendrolithMlir|DendrolithLowering",
    "compiler": r"SYSTEMC|systemc|DendrolithSimulator|DendrolithTiming",
    "dialects": r"SYSTEMC|systemc|DendrolithTargets|DendrolithRuntime",
}

# Packages of others, for some of which tests/compiler/lava/standin stands in.
THEIRS = {"lava", "scipy", "numpy", "h5py", "torch", "google", "lit"}

# Folder -> folders whose Python modules it may import besides its own.
PYTHON_MAY = {
    "models": set(),
    "runtime": set(),
    "compiler": set(),
    "simulator": set(),
    "targets": set(),
    "dialects": set(),
    "tests": {"models", "runtime"},
}
