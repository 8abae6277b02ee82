# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records NeuroBench's harness: neurobench_networks.py FILE writes three snnTorch networks
(dense, convolution with a pooling, recurrent), their input and the harness's figures."""
import contextlib
import io
import json
import sys
import warnings

import numpy as np

from networks import Case, SnnTorch
from record import file_of

SAMPLES, STEPS = 4, 50
STATIC = ("ParameterCount", "Footprint", "ConnectionSparsity")
WORKLOAD = ("ActivationSparsity", "SynapticOperations")


def networks(tool):
    import snntorch as snn
    import torch

    def leaky(n, output=False, beta=.9):
        return snn.Leaky(beta=tool.full(n, beta), threshold=tool.full(n, 1), init_hidden=True,
                         output=output)

    def conv(case):
        layer = torch.nn.Conv2d(2, 4, 3, padding=1, bias=False)
        layer.weight.data = torch.from_numpy(
            case.random.uniform(-.5, .8, layer.weight.shape).astype(np.float32))
        return layer

    def loop(case):
        return tool.loop(case, snn.RLeaky(beta=.9, linear_features=12, init_hidden=True))
    dense = lambda case: [tool.linear(case, 8, 12), leaky(12), tool.linear(case, 12, 6),
                          leaky(6, True, .8)]
    pooled = lambda case: [
        conv(case), snn.Leaky(beta=torch.full((4, 8, 8), .9), threshold=torch.full((4, 8, 8), 1.),
                              init_hidden=True),
        torch.nn.AvgPool2d(2), torch.nn.Flatten(), tool.linear(case, 64, 6), leaky(6, True, .8)]
    recurrent = lambda case: [tool.linear(case, 8, 12), loop(case), tool.linear(case, 12, 6),
                              leaky(6, True, .8)]
    return {"dense": (dense, (8,)), "pooled": (pooled, (2, 8, 8)),
            "recurrent": (recurrent, (8,))}


def harness(net, x):
    import neurobench.metrics.static as static
    import neurobench.metrics.workload as workload
    import torch
    from neurobench.benchmarks import Benchmark
    from neurobench.models import SNNTorchModel
    data = torch.utils.data.TensorDataset(x, torch.zeros(len(x)))
    bench = Benchmark(SNNTorchModel(net), torch.utils.data.DataLoader(data, batch_size=len(x)),
                      [], [], [[getattr(static, one) for one in STATIC],
                               [getattr(workload, one) for one in WORKLOAD]])
    return bench.run(quiet=True)


def main(path):
    import torch
    tool, arrays, figures = SnnTorch(), {}, {}
    for name, (make, shape) in networks(tool).items():
        case = Case(f"neurobench {name}", name, make)
        net = torch.nn.Sequential(*make(case))
        x = torch.from_numpy((case.random.random((SAMPLES, STEPS, *shape)) < .3)
                             .astype(np.float32))
        with torch.no_grad(), contextlib.redirect_stdout(io.StringIO()):
            figures[name] = harness(net, x)
            graph = tool.export(net, x[0])
        arrays[f"{name}/net"] = file_of(graph)
        arrays[f"{name}/x"] = x.numpy().astype(np.uint8)
    import neurobench
    about = {"neurobench": neurobench.__version__, "figures": figures}
    np.savez_compressed(path, about=json.dumps(about, default=float, indent=1), **arrays)
    print(json.dumps(about, default=float, indent=1))


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    main(sys.argv[1])
