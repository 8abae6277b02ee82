# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of convolutions, as files. Needs h5py."""
import sys

from support import ROOT, np

sys.path.insert(0, str(ROOT / "tests" / "compiler" / "import" / "nir"))
import random_graphs  # noqa: E402,F401


class Network:
    """Convolutions with IF neurons behind them, pooling between."""
    old = False

    def __init__(self, rng, shape, *layers):
        self.nodes = {"input": {"type": "Input", "shape": np.array(shape)}}
        for n, (channels, kernel, stride, pool, *more) in enumerate(layers):
            groups, dilation = more or (1, 1)
            if pool:
                kind = ("SumPool2d", "AvgPool2d")[n % 2]
                self.nodes[f"pool{n}"] = {
                    "type": kind, "kernel_size": np.int64(pool),
                    "stride": np.int64(pool), "padding": np.int64(0)}
                shape = (shape[0], shape[1] // pool, shape[2] // pool)
            weight = rng.normal(0.1, 1, (channels, shape[0] // groups, kernel, kernel))
            self.nodes[f"conv{n}"] = {
                "type": "Conv2d", "weight": weight / kernel, "bias": np.zeros(channels),
                "stride": np.int64(stride), "padding": np.int64(kernel // 2 * dilation),
                "dilation": np.int64(dilation), "groups": np.int64(groups)}
            shape = (channels, *((s - 1) // stride + 1 for s in shape[1:]))
            self.nodes[f"n{n}"] = {"type": "IF", "r": np.ones(shape),
                                   "v_threshold": np.full(shape, 1.5)}
        self.nodes["output"] = {"type": "Output", "shape": np.array(shape)}
        names = list(self.nodes)
        self.edges = list(zip(names, names[1:]))
