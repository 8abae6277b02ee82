# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fewest messages by CBC, a solver of mixed integer programs, where installed."""
import pathlib
import re
import shutil
import subprocess
import tempfile

SECONDS = 60


def program(net, cores, size):
    """x_v_c: neuron v lies on core c. y_s_c: the source s sends to c. Neuron v
    lies on core v or one before, which takes nothing away and spares the solver
    equal solutions with other names."""
    lines, rows = [], []
    for s in range(net.sources):
        targets = net.col[net.row_ptr[s]:net.row_ptr[s + 1]]
        if len(targets):
            lines += [f"y_{s}_{c}" for c in range(cores)]
            # Whatever the cut, somebody gets the message.
            rows.append(" + ".join(f"y_{s}_{c}" for c in range(cores)) + " >= "
                        f"{-(-len(targets) // size)}")
        rows += [f"y_{s}_{c} - x_{v}_{c} >= 0"
                 for c in range(cores) for v in targets]
    for v in range(net.neurons):
        rows.append(" + ".join(f"x_{v}_{c}" for c in range(cores)) + " = 1")
        rows += [f"x_{v}_{c} = 0" for c in range(v + 1, cores)]
    for c in range(cores):
        rows.append(" + ".join(f"x_{v}_{c}" for v in range(net.neurons))
                    + f" <= {size}")
    names = [f"x_{v}_{c}" for v in range(net.neurons) for c in range(cores)]
    rows = [f" r{i}: {row}" for i, row in enumerate(rows)]
    return "\n".join(["minimize", " cost: " + " + ".join(lines), "subject to",
                      *rows, "bounds", *(f" 0 <= {y} <= 1" for y in lines),
                      "binaries", *(f" {n}" for n in names), "end", ""])


def installed():
    return shutil.which("cbc")


def least_messages(net, cores, size):
    """The fewest messages, or the best bound in the time there is, and which."""
    if not installed():
        return None, "skipped, cbc is not installed"
    with tempfile.TemporaryDirectory() as temporary:
        path = pathlib.Path(temporary) / "cut.lp"
        path.write_text(program(net, cores, size))
        said = subprocess.run([installed(), path, "sec", str(SECONDS), "solve"],
                              capture_output=True, text=True).stdout
    bound = re.search(r"Lower bound:\s*([\d.]+)", said)
    best = re.search(r"Objective value:\s*([\d.]+)", said)
    if "Optimal solution found" in said:
        return round(float(best.group(1))), "CBC"
    # Messages are whole, so that the bound may be rounded up.
    least = -(-float(bound.group(1)) // 1) if bound else 0
    return int(least), f"bound of CBC in {SECONDS} s"
