# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Spiking networks on simulated chips, from Python.

    import dendrolith as dl
    net = dl.load("net.nir")                        # or dl.from_layers([...])
    print(dl.check(net, ["loihi1", "loihi2"]))      # all that is wrong
    program = dl.compile(net, "loihi1", calibrate=x_calib)
    result = program.run(x, labels=y, engine="cycle", trace=["lif1:v"])
    result.accuracy, result.energy.low, result.latency.mean     # J and s of a sample

The package needs numpy alone and drives the binary `dendrolith` in processes of its
own; DENDROLITH_BIN names it where it is not found.
"""

from . import equations, torch
from .binary import shipped
from .circuit import Circuit
from .conventions import norse, sinabs, snntorch, spikingjelly
from .compare import Comparison
from .designs import Designs, explore
from .errors import DendrolithError, DendrolithWarning, Unfit, Unsupported, WorkerDied
from .events import events_to_frames
from .figures import figures
from .layers import (
    IF,
    LI,
    LIF,
    AvgPool2d,
    BatchNorm,
    Conv1d,
    Conv2d,
    CubaLI,
    CubaLIF,
    Delay,
    Flatten,
    I,
    Layer,
    Linear,
    MaxPool2d,
    Recurrent,
    Scale,
    SumPool2d,
    Threshold,
)
from .network import Network, check, compile, load
from .neuron import Neuron, Param, Port, State, neuron
from .nir_data import read_nir_data, write_nir_data
from .nir_file import from_layers
from .parts import Band, Energy, Latency, Score, Traces, Warned
from .program import Program
from .report import Finding, Report, Verdict
from .result import Result
from .study import Study
from .torch import TorchNetwork, from_torch
from .version import __version__
from .worker import close

__all__ = [
    "AvgPool2d",
    "Band",
    "BatchNorm",
    "Circuit",
    "Comparison",
    "Conv1d",
    "Conv2d",
    "CubaLI",
    "CubaLIF",
    "Delay",
    "Designs",
    "Energy",
    "Finding",
    "Flatten",
    "I",
    "IF",
    "LI",
    "LIF",
    "Latency",
    "Layer",
    "Linear",
    "MaxPool2d",
    "Network",
    "DendrolithError",
    "DendrolithWarning",
    "Neuron",
    "Param",
    "Port",
    "Program",
    "Recurrent",
    "Report",
    "Result",
    "Scale",
    "Score",
    "SumPool2d",
    "State",
    "Study",
    "Threshold",
    "TorchNetwork",
    "Traces",
    "Unfit",
    "Unsupported",
    "Verdict",
    "Warned",
    "WorkerDied",
    "__version__",
    "check",
    "close",
    "compile",
    "equations",
    "events_to_frames",
    "explore",
    "figures",
    "from_layers",
    "from_torch",
    "load",
    "neuron",
    "norse",
    "read_nir_data",
    "shipped",
    "sinabs",
    "snntorch",
    "spikingjelly",
    "torch",
    "write_nir_data",
]


def __getattr__(name: str) -> object:
    """Say what there is in place of a name that another tool has."""
    if name.startswith("_") or not name[:1].isupper():
        raise AttributeError(f"module 'dendrolith' has no attribute '{name}'")
    made_by = [key for key in __all__ if getattr(globals()[key], "__module__", "").endswith(".layers")]
    layers = ", ".join(key for key in made_by if key != "Layer")
    raise AttributeError(
        f"module 'dendrolith' has no layer '{name}', it has {layers} and the "
        "neurons of snntorch, norse, spikingjelly and sinabs; BatchNorm goes "
        "around the Linear or convolution before it"
    )
