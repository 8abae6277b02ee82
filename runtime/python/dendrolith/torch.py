# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of PyTorch: a step function or a module is exported as it is, and a chip
can stand in a training loop.

torch is needed by these functions alone. What an exported file becomes is a rule of
compiler/import/torch/README.md; nothing is rewritten here.
"""

from __future__ import annotations

import copy
import inspect
import io
import os
import re
import traceback
import types
import warnings
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy as np

from .compare import first_output
from .dhsnn import dhsnn
from .errors import DendrolithError, DendrolithWarning
from .network import Network
from .program import Program
from .stored import Stored, stored

__all__ = ["TorchNetwork", "from_torch", "on_chip", "stored"]

_STEPS = 20  # that torch and the network are compared over
_HOLDS_NO_TENSOR = (
    (int, float, complex, str, type(None), type)
    + (types.ModuleType, types.BuiltinFunctionType)
)


class TorchNetwork(Network):
    """A network that was a step function of PyTorch. `difference` is the largest
    difference from torch, in double, relative to the largest value, over 20 steps
    of the example; `differing` counts values (spikes) that are others."""

    difference: float = 0.0
    differing: int = 0
    compared: int = 0

    def __repr__(self) -> str:
        return (
            f"<dendrolith.Network {self.name}, {self.difference:.1e} from torch in "
            f"double over {_STEPS} steps>"
        )


def _need() -> Any:
    try:
        import torch
    except ImportError as error:
        raise DendrolithError(
            "from_torch needs torch, which is not installed; a .pt2 file of "
            "torch.export.save is loaded without it: dl.load('net.pt2')"
        ) from error
    found = re.match(r"(\d+)\.(\d+)", torch.__version__)
    if found and tuple(map(int, found.groups())) < (2, 6):
        raise DendrolithError(
            f"from_torch needs torch 2.6 or later, found {torch.__version__}"
        )
    return torch


def from_torch(
    step: Any,
    example: Any = None,
    name: str = "net",
    tolerance: Optional[float] = 1e-6,
) -> TorchNetwork:
    """Return the network of a step function or a module of PyTorch.

    `step(x, *states)` returns `(output, *states)`; `example` is `(x, *states)`, the
    states as they are before the first step, in any nesting of tuples. A batch is 1.
    A module that keeps its states inside (snnTorch with init_hidden, SpikingJelly)
    or makes them when it is given none (Norse) takes `example=x`. It is
    exported as `eval()` has it, in double. Torch (in double) and the network then
    run 20 steps of the example; above `tolerance` (None: any) it is refused.
    A path is a whole module of torch.save (.pth) whose step is known: DH-SNN's;
    nothing in it is run. Needs torch 2.6 or later.
    """
    torch = _need()
    if isinstance(step, (str, os.PathLike)):
        step, example = _known(torch, step)
    x, states = _split(torch, example)
    if isinstance(step, torch.nn.Module):
        step = _in_double(torch, step)
        x, states = _double(torch, x), _double(torch, states)
    elif not callable(step):
        raise DendrolithError(
            f"from_torch: expected a module or a function, found a "
            f"{type(step).__name__}"
        )
    elif inspect.isfunction(step):
        if not _holds_numbers(step, set()):
            x, states = _double(torch, x), _double(torch, states)
        step = _as_forward(step)
    with torch.no_grad(), _by_default_double(torch):
        wrapped = _wrap(torch, step, x, states)
        content = _export(torch, wrapped, x)
        network = TorchNetwork(f"{name}.pt2", None, content)
        _compare(torch, network, wrapped, x, tolerance)
    return network


def _known(torch: Any, path: "os.PathLike[str] | str") -> Tuple[Any, Any]:
    found = stored(path)
    if not isinstance(found, Stored):
        raise DendrolithError(
            f"{path}: is a state_dict, which has no step; give its arrays to a module "
            "and hand that to from_torch"
        )
    try:
        return dhsnn(torch, found)
    except DendrolithError as error:
        raise DendrolithError(f"{path}: {error.message}", file=str(path)) from None


def _split(torch: Any, example: Any) -> Tuple[Any, Tuple[Any, ...]]:
    given = (example,) if torch.is_tensor(example) else example
    if not isinstance(given, (tuple, list)) or not given:
        raise DendrolithError(
            "from_torch: expected example=(x, *states) of tensors, found "
            f"{type(example).__name__}"
        )
    if not torch.is_tensor(given[0]):
        raise DendrolithError("from_torch: the first of the example is no tensor")
    if tuple(given[0].shape[:1]) != (1,):
        raise DendrolithError(
            f"from_torch: x of the example has shape {tuple(given[0].shape)}, expected "
            "(1, ...): a batch of one, which is one step of one sample"
        )
    return given[0], tuple(given[1:])


def _double(torch: Any, tree: Any) -> Any:
    def one(leaf: Any) -> Any:
        if not torch.is_tensor(leaf):
            return leaf
        if leaf.is_complex():
            return leaf.to(torch.complex128)
        return leaf.double() if leaf.is_floating_point() else leaf

    return torch.utils._pytree.tree_map(one, tree)


def _in_double(torch: Any, module: Any) -> Any:
    """Copy a module to double, with what it casts to float32 on the way (surrogates
    of spikes do) cast back where the next module takes it."""
    module = copy.deepcopy(module).eval()._apply(lambda t: _double(torch, t))
    for one in module.modules():
        one.register_forward_pre_hook(lambda _, given: _double(torch, given))
    return module


def _holds_numbers(step: Any, seen: set) -> bool:
    """Whether a function may read tensors from around it, which stay as they are."""
    seen.add(step)
    try:
        held = inspect.getclosurevars(step)
    except ValueError:  # a name that is not bound yet
        return True
    for value in (*held.nonlocals.values(), *held.globals.values(), *(step.__defaults__ or ())):
        if inspect.isfunction(value):
            if value not in seen and _holds_numbers(value, seen):
                return True
        elif not isinstance(value, _HOLDS_NO_TENSOR):
            return True
    return False


def _as_forward(step: Any) -> Any:
    """Return the same function by the name of which torch.export notes the lines."""
    code = step.__code__.replace(co_name="forward")
    made = types.FunctionType(
        code, step.__globals__, step.__name__, step.__defaults__, step.__closure__
    )
    made.__kwdefaults__ = step.__kwdefaults__
    return made


@contextmanager
def _by_default_double(torch: Any) -> Iterator[None]:
    """Make tensors that a step makes anew double, too."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def _wrap(torch: Any, step: Any, x: Any, states: Tuple[Any, ...]) -> Any:
    """Make a module whose states are buffers: they begin as the file says."""
    if states:
        return _explicit(torch, step, x, states)
    if not isinstance(step, torch.nn.Module):
        return _module(torch, step, {}, lambda x, _: (step(x), []))
    slots = _slots_that_change(torch, step, x)
    if slots:
        return _hidden(torch, step, slots)
    return _returned(torch, step, x)


def _module(torch: Any, step: Any, states: Dict[str, Any], run: Callable) -> Any:
    for key, value in states.items():
        if not value.numel():
            _refuse_empty(torch, step, key, value)

    class Step(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            if isinstance(step, torch.nn.Module):
                self.step = step
            for key, value in states.items():
                self.register_buffer(key, value.detach().clone())

        def forward(self, x: Any) -> Any:
            before = [getattr(self, key) for key in states]
            # The step gets copies: what it changes in place is its own.
            out, after = run(x, [one.clone() for one in before])
            for key, old, new in zip(states, before, after):
                if tuple(new.shape) != tuple(old.shape):
                    raise DendrolithError(
                        f"from_torch: the state '{key}' has shape "
                        f"{tuple(old.shape)} before the step and "
                        f"{tuple(new.shape)} after it, expected the same"
                    )
                old.copy_(new)
            return out

    return Step().eval()


def _refuse_empty(torch: Any, step: Any, key: str, value: Any) -> None:
    """Name the user's step: torch itself would fail in a line of a package, or not."""
    function = type(step).forward if isinstance(step, torch.nn.Module) else step
    code = getattr(function, "__code__", None)
    where = f"{code.co_filename}:{code.co_firstlineno}: " if code else ""
    raise DendrolithError(
        f"{where}from_torch: the state '{key}' has shape {tuple(value.shape)}, in which "
        "an axis is empty; expected at least one neuron, and one element of each",
        file=code.co_filename if code else None,
        line=code.co_firstlineno if code else None,
    )


def _names(wished: List[str]) -> List[str]:
    made: List[str] = []
    for wish in wished:
        base = re.sub(r"\W", "_", wish) or "state"
        if base in ("step", "training", "x"):
            base += "_state"
        name, number = base, 1
        while name in made:
            name, number = f"{base}_{number}", number + 1
        made.append(name)
    return made


def _leaf_names(tree: Any, prefix: str) -> List[str]:
    if hasattr(tree, "_fields"):
        return [
            n for f in tree._fields for n in _leaf_names(getattr(tree, f), f)
        ]
    if isinstance(tree, (tuple, list)):
        return [
            n for i, one in enumerate(tree) for n in _leaf_names(one, f"{prefix}_{i}")
        ]
    return [prefix]


def _explicit(torch: Any, step: Any, x: Any, states: Tuple[Any, ...]) -> Any:
    tree = torch.utils._pytree
    leaves, spec = tree.tree_flatten(states)
    if not all(torch.is_tensor(leaf) for leaf in leaves):
        raise DendrolithError("from_torch: a state of the example is no tensor")
    function = step.forward if isinstance(step, torch.nn.Module) else step
    try:
        wished = list(inspect.signature(function).parameters)[1:]
    except (TypeError, ValueError):
        wished = []
    names = []
    for i, one in enumerate(states):
        names += _leaf_names(one, wished[i] if i < len(wished) else f"state{i}")

    def run(x: Any, before: List[Any]) -> Tuple[Any, List[Any]]:
        after = tree.tree_leaves(step(x, *tree.tree_unflatten(before, spec)))
        if len(after) == len(before):  # a GRUCell: its state is its output
            return after[0], after
        if len(after) != len(before) + 1:
            raise DendrolithError(
                f"from_torch: the step takes {len(before)} states and returns "
                f"{len(after)} tensors, expected (output, *states) with the same "
                "states in the same order"
            )
        return after[0], after[1:]

    return _module(torch, step, dict(zip(_names(names), leaves)), run)


_Slot = Tuple[Dict[str, Any], str, str]  # where it is kept, its key, its name


def _slots(torch: Any, module: Any) -> List[_Slot]:
    """All places of a module that may hold a state."""
    found: List[_Slot] = []
    for path, one in module.named_modules():
        parts = [one.__dict__, one._buffers, one.__dict__.get("_memories", {})]
        for part in parts:
            for key, value in part.items():
                if value is None or torch.is_tensor(value) or _is_number(value):
                    found.append((part, key, f"{path}_{key}" if path else key))
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _slots_that_change(
    torch: Any, module: Any, x: Any
) -> List[Tuple[_Slot, Any]]:
    """Run a step; return where a tensor is afterwards that was not there before, and
    with what it began."""
    slots = _slots(torch, module)
    old: List[Any] = [part[key] for part, key, _ in slots]
    kept = [v.detach().clone() if torch.is_tensor(v) else v for v in old]
    module(x)
    found = []
    for (part, key, name), before, was in zip(slots, old, kept):
        after: Any = part.get(key)
        if not torch.is_tensor(after):
            continue
        same = after is before and torch.equal(after, was)
        if not same:
            if torch.is_tensor(was) and was.shape == after.shape:
                start = was
            else:
                start = torch.full_like(after, was if _is_number(was) else 0.0)
            found.append(((part, key, name), start.to(after.dtype)))
        part[key] = before if after is not before else was
    return found


def _hidden(torch: Any, module: Any, found: List[Tuple[_Slot, Any]]) -> Any:
    slots = [slot for slot, _ in found]
    names = _names([name for _, _, name in slots])

    def run(x: Any, before: List[Any]) -> Tuple[Any, List[Any]]:
        held = [part[key] for part, key, _ in slots]
        for (part, key, _), value in zip(slots, before):
            part[key] = value
        try:
            out = torch.utils._pytree.tree_leaves(module(x))
            after = [part[key] for part, key, _ in slots]
        finally:
            for (part, key, _), value in zip(slots, held):
                part[key] = value
        return out[0], after

    return _module(
        torch, module, dict(zip(names, [start for _, start in found])), run
    )


def _returned(torch: Any, module: Any, x: Any) -> Any:
    """A module that returns (output, states) and makes the states where it gets
    none, as Norse does; what it made is recorded."""
    tree = torch.utils._pytree
    made: List[Any] = []
    held = []
    for one in module.modules():
        fallback = getattr(one, "state_fallback", None)
        if callable(fallback):
            held.append(one)
            one.state_fallback = _recording(tree, fallback, made)
    result = module(x)
    for one in held:
        del one.state_fallback
    if not isinstance(result, tuple) or len(result) < 2:
        return _module(torch, module, {}, lambda x, _: (module(x), []))
    after, spec = tree.tree_flatten(result[1])
    places = [i for i, leaf in enumerate(after) if torch.is_tensor(leaf)]
    after = [after[i] for i in places]
    starts = [leaf for leaf in made if torch.is_tensor(leaf)]
    if len(starts) != len(after):
        raise DendrolithError(
            "from_torch: the module returns states and does not say with what they "
            "begin; give example=(x, *states)"
        )
    starts = [s.to(a.dtype).expand_as(a) for s, a in zip(starts, after)]
    leaves = tree.tree_leaves(result[1])

    def run(x: Any, before: List[Any]) -> Tuple[Any, List[Any]]:
        given = list(leaves)
        for i, value in zip(places, before):
            given[i] = value
        out, states = module(x, tree.tree_unflatten(given, spec))[:2]
        new = tree.tree_leaves(states)
        return out, [new[i] for i in places]

    names = _leaf_names(result[1], "state")
    known = places and len(names) > max(places)
    names = [names[i] if known else "state" for i in places]
    return _module(torch, module, dict(zip(_names(names), starts)), run)


def _recording(tree: Any, fallback: Callable, made: List[Any]) -> Callable:
    def wrapped(*args: Any, **keywords: Any) -> Any:
        state = fallback(*args, **keywords)
        made.extend(tree.tree_leaves(state))
        return state

    return wrapped


def _place(error: BaseException) -> Tuple[Optional[str], Optional[int]]:
    """The user's file and line at which the export failed."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if "-packages" not in frame.filename and frame.filename != __file__:
            if not frame.filename.startswith("<"):
                return frame.filename, frame.lineno
    return None, None


def _export(torch: Any, wrapped: Any, x: Any) -> bytes:
    try:
        program = torch.export.export(wrapped, (x,), strict=False)
        known = torch.export.default_decompositions()
        known.pop(torch.ops.aten.heaviside.default, None)  # a threshold stays one
        program = program.run_decompositions(known)
    except DendrolithError:
        raise
    except Exception as error:
        file, line = _place(error)
        said = str(error).strip().splitlines()
        where = f"{file}:{line}: " if file else ""
        branch = "data-dependent" in str(error) or "guard" in str(error).lower()
        hint = (
            "a step has to do the same whatever its values are: torch.where chooses "
            "between two values"
            if branch
            else "a step has to be one that torch.export takes"
        )
        raise DendrolithError(
            f"{where}torch.export refuses the step: "
            f"{said[0] if said else type(error).__name__}; {hint}",
            file=file,
            line=line,
            hint=hint,
        ) from error
    for node in program.graph.nodes:  # the user's own names of modules
        stack = node.meta.get("nn_module_stack")
        if stack:
            node.meta["nn_module_stack"] = {
                key: (re.sub(r"^step\.?", "", path), kind)
                for key, (path, kind) in stack.items()
            }
    buffer = io.BytesIO()
    torch.export.save(program, buffer)
    return buffer.getvalue()


def _compare(
    torch: Any, network: TorchNetwork, wrapped: Any, x: Any, tolerance: Optional[float]
) -> None:
    flat = x.detach().double().numpy()
    shown = np.repeat(flat.reshape((1,) + flat.shape[1:])[None], _STEPS, axis=1)
    if flat.size and flat.min() == flat.max():  # an example of zeros tells nothing
        noise = np.random.default_rng(0).normal(0.5, 1.0, shown.shape)
        shown = noise if x.is_floating_point() else shown

    def steps() -> np.ndarray:
        state, wanted = copy.deepcopy(wrapped), []
        for step in range(_STEPS):
            given = torch.tensor(shown[0, step].reshape(flat.shape)).to(x.dtype)
            wanted.append(state(given).detach().double().numpy().reshape(-1))
        return np.stack(wanted)

    try:
        truth = steps()
    except (IndexError, RuntimeError):  # x is a place in a table
        shown = np.repeat(flat.reshape((1,) + flat.shape[1:])[None], _STEPS, axis=1)
        truth = steps()
    result = network.run(shown.astype(float).reshape((1, _STEPS) + flat.shape[1:]))
    found = first_output(result).reshape(truth.shape)
    off = np.abs(found - truth)
    scale = max(1.0, float(np.abs(truth).max()))
    network.difference = float(off.max() / scale)
    network.differing = int((off > 1e-9 * scale).sum())
    network.compared = int(truth.size)
    odd = int((~np.isfinite(truth)).sum())
    if tolerance is not None and odd:
        raise DendrolithError(
            f"from_torch: the step gives {odd} of {truth.size} values that are infinite or "
            f"no number, over {_STEPS} steps of the example, in torch itself; keep "
            "divisors and what log and sqrt get above zero, or give another example; "
            "tolerance=None takes it as it is"
        )
    if tolerance is not None and not network.difference <= tolerance:
        raise DendrolithError(
            f"from_torch: the network differs from torch in {network.differing} of "
            f"{truth.size} values, by up to {off.max():.3g}, over {_STEPS} steps of "
            f"the example, allowed are {tolerance:g} (what a step keeps in Python, as a "
            "counter, is a number of the export); tolerance=None takes it as it is"
        )


def on_chip(program: Program, model: Any, engine: str = "functional") -> Callable:
    """Return a function of a batch (samples, steps, ...) whose value is what the chip
    gives, in real numbers, and whose gradient is that of `model`, the float network
    as a function of the same batch: straight through the integers.

    The program is what it was compiled of: compile again when weights have changed,
    which is warned of.
    """
    torch: Any = _need()

    def versions() -> List[int]:
        return [weight._version for weight in getattr(model, "parameters", list)()]

    before = versions()

    class OnChip(torch.autograd.Function):
        @staticmethod
        def forward(context: Any, floating: Any, chip: Any) -> Any:
            return chip.to(floating)

        @staticmethod
        def backward(context: Any, gradient: Any) -> Any:
            return gradient, None

    def call(x: Any) -> Any:
        if versions() != before:
            warnings.warn(
                "on_chip: weights of the model have changed since, and the chip has those "
                "of before; compile again",
                DendrolithWarning,
                stacklevel=2,
            )
        result = program.run(x.detach().cpu().numpy(), engine=engine)
        if isinstance(result.outputs, dict) and len(result.outputs) > 1:
            raise DendrolithError(
                f"on_chip: expected a network of one output, found {', '.join(result.outputs)}"
            )
        chip, floating = torch.tensor(first_output(result)), model(x)
        if chip.shape != floating.shape:
            raise DendrolithError(
                f"on_chip: the chip gives {tuple(chip.shape)}, (samples, steps, ...), and the "
                f"model {tuple(floating.shape)}; give both one shape"
            )
        return OnChip.apply(floating, chip)

    return call
