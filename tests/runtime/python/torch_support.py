# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of PyTorch's cells share: inputs, and torch in double as the truth."""
import copy

from support import check, dl, need, np

torch = need("torch")
if not hasattr(torch, "export") or tuple(map(int, torch.__version__.split(".")[:2])) < (2, 6):
    print("skipped: torch is older than 2.6")
    raise SystemExit(77)
nn = torch.nn
N, I, STEPS = 10, 8, 30
rng = np.random.default_rng(5)
x = (rng.random((3, STEPS, I)) < 0.4).astype(float)


def spike(v):
    return (v > 0).to(v.dtype)


def state(*shape, value=0.0):
    return torch.full((1,) + shape, value)


def truth(module, given, states):
    """Torch in double, (samples, steps, ...)."""
    def wide(t):
        return t.to(torch.complex128) if t.is_complex() else t.double() if t.is_floating_point() else t

    module = copy.deepcopy(module).eval()._apply(wide)
    rows = []
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)  # of what a step makes anew
    with torch.no_grad():
        for sample in given:
            held, row = [wide(s) for s in states], []
            for step in sample:
                y = module(torch.tensor(step[None]), *held)
                y, *held = y if isinstance(y, tuple) else (y, y)
                row.append(y.numpy()[0])
            rows.append(row)
    torch.set_default_dtype(before)
    return np.array(rows)


def agrees(title, module, states, given=x, bound=1e-12):
    torch.manual_seed(0)
    net = dl.from_torch(module, (torch.tensor(given[0, :1]).float(), *states))
    want = truth(module, given, states)
    found = np.asarray(net.run(given).outputs, dtype=float)
    worst = np.abs(found.reshape(want.shape) - want).max() / max(1.0, np.abs(want).max())
    check(worst < bound, f"{title}: differs by {worst:.1e}")
    check(np.ptp(want) > 0, f"{title}: does something")
    check(net.difference < bound, f"{title}: said {net.difference}")
    program = dl.compile(net, "loihi2", calibrate=given)
    one = program.run(given, engine="functional").outputs
    check(np.array_equal(one, program.run(given, engine="cycle").outputs),
          f"{title}: the engines agree")
    return net, program, want, np.asarray(one, dtype=float).reshape(want.shape)
