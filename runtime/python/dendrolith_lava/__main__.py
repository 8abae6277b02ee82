# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m dendrolith_lava FILE: prints processes, mapping and costs."""
import sys

from dendrolith_lava import FileError, read


def text(value):
    kind = value.WhichOneof("kind")
    if kind == "tensor":
        form = "sparse " if value.tensor.HasField("csr") else ""
        return f"{form}{value.tensor.dtype}{list(value.tensor.dims)}"
    if kind == "integers":
        return str(tuple(value.integers.values))
    return str(getattr(value, kind))


def dump(model):
    print(f"{model.name}: {model.producer}, from {model.source_hash[:16]}")
    for i in model.inputs:
        print(f"input {i.name} -> {i.target}.{i.target_port} {list(i.shape)}"
              f" from {i.lowest} to {i.highest}"
              + (f", value * {i.scale:g}" if i.scale else ""))
    for p in model.processes:
        kwargs = ", ".join(f"{key}={text(value)}" for key, value in sorted(p.kwargs.items()))
        print(f"{p.name}: {p.lava_class.rpartition('.')[2]} {list(p.shape) or ''} {kwargs}")
    for c in model.connections:
        print(f"{c.source}.{c.source_port} -> {c.target}.{c.target_port}"
              + (f" transpose {list(c.transpose)}" if c.transpose else "")
              + (f" reshape {list(c.reshape)}" if c.reshape else ""))
    for o in model.outputs:
        print(f"output {o.name} = {'probe ' if o.probe else ''}{o.source}.{o.source_port}, "
              f"{o.latency} steps behind the inputs" + (f", {o.scale:g} per 1" if o.probe else ""))
    for core in model.mapping.cores:
        print(f"{model.mapping.target} core {core.id}: {core.process} neurons "
              f"{core.first} to {core.first + core.count - 1}")
    for cost in model.costs:
        print(f"{cost.event}: {cost.value:g} {cost.unit} ({cost.kind})")


# Lava imports every file beside a process when it looks for models.
if __name__ == "__main__" and __package__ == "dendrolith_lava":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m dendrolith_lava FILE")
    try:
        dump(read(sys.argv[1]))
    except (FileError, OSError) as error:
        sys.exit(f"error: {error}")
