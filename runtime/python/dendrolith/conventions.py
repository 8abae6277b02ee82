# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Neurons with the parameters that training tools give them.

NIR states neurons in continuous time and knows no reset. So each of these computes
time constants and gains that come out as the tool's decay factors at one step of
`dt`. It also says what the importer has to do at a spike. `dt` is arbitrary for tools
that know no seconds; all layers of a network must have the same.
"""

from __future__ import annotations

import warnings
from typing import Any, Dict

import numpy as np

from . import layers
from .arrays import ArrayLike, to_numpy
from .errors import DendrolithError, DendrolithWarning, Unsupported
from .layers import Layer

DT = 1e-3  # seconds


#: A tau of so many steps keeps all of v: 1 - 1 / tau is 1 in 64-bit numbers, and
#: tau times 1 / tau is 1, as it is a power of two.
_FOREVER = 2.0**60


def _decay(value: ArrayLike, what: str) -> np.ndarray:
    """Return a decay factor as 64-bit numbers from 0 to 1, both legal. A learned
    one may lie outside: snnTorch then computes with the nearer of the two."""
    array = to_numpy(value, what).astype(np.float64)
    if np.isnan(array).any():
        raise DendrolithError(f"{what}: expected factors from 0 to 1, found nan")
    clamped = np.clip(array, 0, 1)
    beyond = np.flatnonzero(array != clamped)
    if beyond.size:
        named = ", ".join(
            f"[{i}] {array.flat[i]:g} as {clamped.flat[i]:g}" for i in beyond[:8]
        )
        more = f" and {beyond.size - 8} more" if beyond.size > 8 else ""
        warnings.warn(
            f"{what}: {beyond.size} of {array.size} factors lie outside 0 to 1 and are "
            f"clamped, as snnTorch does at every step: {named}{more}",
            DendrolithWarning,
            stacklevel=3,
        )
    return clamped


def _numbers(value: ArrayLike, what: str) -> np.ndarray:
    return to_numpy(value, what).astype(np.float64)


def _positive(value: ArrayLike, what: str) -> np.ndarray:
    array = _numbers(value, what)
    if not (array > 0).all():
        raise DendrolithError(f"{what} is {array.min():g}, expected above 0")
    return array


def _seconds(dt: ArrayLike) -> float:
    step = _positive(dt, "dt")
    if step.ndim:
        raise DendrolithError(f"dt has shape {step.shape}, expected one number of seconds")
    return float(step)


def _tau(decay: np.ndarray, dt: float) -> np.ndarray:
    """Return tau of v = decay v + ..., by Euler's rule: decay = 1 - dt / tau."""
    lost = np.where(decay == 1, 1 / _FOREVER, 1 - decay)
    return _seconds(dt) / lost


def _with(layer: Layer, dt: float, resets: str = "", **conventions: Any) -> Layer:
    """`resets`: the tool's own argument for a reset to a value."""
    layer.conventions = {"dt": _seconds(dt), **conventions}
    layer.words = {"reset=value": resets} if resets else {}
    return layer


_SNNTORCH_RESETS = 'reset_mechanism="zero"'


class _Tool(type):
    """Says of a name that a tool's namespace has not which ones it has."""

    def __getattr__(cls, name: str) -> Any:
        has = ", ".join(key for key in vars(cls) if not key.startswith("_"))
        raise AttributeError(
            f"dendrolith.{cls.__name__} has no '{name}', it has {has}; "
            "dl.Recurrent(neuron, weight) feeds spikes back, and @dl.neuron makes a "
            "neuron of its equations"
        )


class snntorch(metaclass=_Tool):
    """Neurons of snnTorch: v = beta v + x, and v > threshold fires."""

    @staticmethod
    def _reset(mechanism: str, delay: bool, has_current: bool) -> Dict[str, Any]:
        if mechanism == "none":
            return {"reset": "none"}
        if mechanism == "subtract" and delay:
            return {"reset": "subtract", "reset_when": "next"}
        # A Leaky is zero before the next input, a Synaptic with it.
        if mechanism == "zero" and not (delay and has_current):
            return {"reset": "zero"}
        if mechanism == "zero":
            return {"reset": "zero", "reset_when": "next"}
        if mechanism == "subtract":
            return {"reset": "subtract", "reset_when": "again"}
        raise Unsupported(
            f"snntorch: reset_mechanism '{mechanism}', expected 'subtract', 'zero' or "
            "'none'; a read-out that gives its membrane is snntorch.Readout"
        )

    @staticmethod
    def _graded(layer: Layer, factor: float) -> Layer:
        """Spikes that are worth a factor."""
        if factor != 1:
            layer.conventions["spike_value"] = float(factor)
        return layer

    @staticmethod
    def Leaky(
        beta: ArrayLike,
        threshold: ArrayLike = 1.0,
        reset_mechanism: str = "subtract",
        reset_delay: bool = True,
        dt: float = DT,
        graded_spikes_factor: float = 1.0,
    ) -> Layer:
        """snntorch.Leaky, and with `Recurrent` around it snntorch.RLeaky, where a
        reset to zero takes the input of its step as well."""
        keep, fires = _decay(beta, "Leaky: beta"), _numbers(threshold, "threshold")
        tau = _tau(keep, dt)
        neuron = (
            layers.IF(fires)
            if (keep == 1).all()
            else layers.LIF(tau, tau / dt, v_threshold=fires)
        )
        told = snntorch._reset(reset_mechanism, reset_delay, False)
        layer = _with(neuron, dt, _SNNTORCH_RESETS, **told)
        if reset_mechanism == "zero" and reset_delay:
            layer.looped = {"reset_when": "next"}
        return snntorch._graded(layer, graded_spikes_factor)

    @staticmethod
    def Synaptic(
        alpha: ArrayLike,
        beta: ArrayLike,
        threshold: ArrayLike = 1.0,
        reset_mechanism: str = "subtract",
        reset_delay: bool = True,
        dt: float = DT,
        graded_spikes_factor: float = 1.0,
    ) -> Layer:
        """snntorch.Synaptic: i = alpha i + x, v = beta v + i."""
        tau_syn = _tau(_decay(alpha, "Synaptic: alpha"), dt)
        tau_mem = _tau(_decay(beta, "Synaptic: beta"), dt)
        neuron = layers.CubaLIF(
            tau_mem,
            tau_syn,
            tau_mem / dt,
            tau_syn / dt,
            v_threshold=_numbers(threshold, "threshold"),
        )
        told = snntorch._reset(reset_mechanism, reset_delay, True)
        layer = _with(neuron, dt, _SNNTORCH_RESETS, **told)
        return snntorch._graded(layer, graded_spikes_factor)

    @staticmethod
    def Readout(beta: ArrayLike, dt: float = DT) -> Layer:
        """A Leaky with reset_mechanism 'none' whose membrane is the answer."""
        keep = _decay(beta, "Readout: beta")
        tau = _tau(keep, dt)
        return _with(layers.I() if (keep == 1).all() else layers.LI(tau, tau / dt), dt)


class norse(metaclass=_Tool):
    """Neurons of Norse: inverse time constants in 1/s, steps by Euler's rule, and
    at a spike v goes to v_reset. v starts at v_leak."""

    @staticmethod
    def LIFBox(
        tau_mem_inv: ArrayLike = 100.0,
        v_leak: ArrayLike = 0.0,
        v_th: ArrayLike = 1.0,
        v_reset: ArrayLike = 0.0,
        dt: float = DT,
    ) -> Layer:
        """v += dt tau_mem_inv ((v_leak - v) + x)."""
        tau = 1 / _positive(tau_mem_inv, "LIFBox: tau_mem_inv")
        neuron = layers.LIF(tau, 1.0, v_leak, v_th, v_reset, v_init=v_leak)
        return _with(neuron, dt, reset="value")

    @staticmethod
    def LIF(
        tau_mem_inv: ArrayLike = 100.0,
        tau_syn_inv: ArrayLike = 200.0,
        v_leak: ArrayLike = 0.0,
        v_th: ArrayLike = 1.0,
        v_reset: ArrayLike = 0.0,
        current: str = "new",
        dt: float = DT,
    ) -> Layer:
        """A LIF with a synaptic current. `current` says which one the membrane
        reads: "new", with the input of the same step, as the cells of Norse 1.1 have
        it, or "old", as lif_feed_forward_step of earlier ones. Its source says."""
        if current not in ("new", "old"):
            raise DendrolithError(f"norse: current is '{current}', expected new or old")
        tau_mem = 1 / _positive(tau_mem_inv, "LIF: tau_mem_inv")
        tau_syn = 1 / _positive(tau_syn_inv, "LIF: tau_syn_inv")
        neuron = layers.CubaLIF(
            tau_mem, tau_syn, 1.0, tau_syn / _seconds(dt), v_leak, v_th, v_reset, v_init=v_leak
        )
        return _with(neuron, dt, reset="value", current_order=current)

    @staticmethod
    def LI(
        tau_mem_inv: ArrayLike = 100.0,
        tau_syn_inv: ArrayLike = 200.0,
        v_leak: ArrayLike = 0.0,
        current: str = "new",
        dt: float = DT,
    ) -> Layer:
        """The leaky integrator that Norse's networks end with."""
        tau_mem = 1 / _positive(tau_mem_inv, "LI: tau_mem_inv")
        tau_syn = 1 / _positive(tau_syn_inv, "LI: tau_syn_inv")
        neuron = layers.CubaLI(
            tau_mem, tau_syn, 1.0, tau_syn / _seconds(dt), v_leak, v_init=v_leak
        )
        return _with(neuron, dt, current_order=current)


class spikingjelly(metaclass=_Tool):
    """Neurons of SpikingJelly: v >= v_threshold fires; v_reset None subtracts. v
    starts at v_reset, or at 0 where that is None."""

    @staticmethod
    def _reset(v_reset: Any) -> Dict[str, Any]:
        reset = "subtract" if v_reset is None else "value"
        return {"reset": reset, "threshold": "ge"}

    @staticmethod
    def LIFNode(
        tau: ArrayLike = 2.0,
        decay_input: bool = True,
        v_threshold: ArrayLike = 1.0,
        v_reset: Any = 0.0,
        dt: float = DT,
    ) -> Layer:
        """LIFNode, tau in steps. Of a ParametricLIFNode tau is 1 / sigmoid(w)."""
        steps = _numbers(tau, "LIFNode: tau")
        if (steps < 1).any():
            raise DendrolithError(f"LIFNode: tau is {steps.min():g}, expected 1 or more")
        rest = 0.0 if v_reset is None else v_reset
        neuron = layers.LIF(
            steps * _seconds(dt),
            1.0 if decay_input else steps,
            rest,
            v_threshold,
            rest,
            v_init=rest,
        )
        return _with(neuron, dt, "v_reset=0.0", **spikingjelly._reset(v_reset))

    @staticmethod
    def IFNode(
        v_threshold: ArrayLike = 1.0, v_reset: Any = 0.0, dt: float = DT
    ) -> Layer:
        """v += x."""
        rest = 0.0 if v_reset is None else v_reset
        neuron = layers.IF(v_threshold, 1.0, rest, v_init=rest)
        return _with(neuron, dt, "v_reset=0.0", **spikingjelly._reset(v_reset))


class sinabs(metaclass=_Tool):
    """Neurons of Sinabs: tau in steps, v = a v + (1 - a) x with a = exp(-1/tau),
    v >= threshold fires and the threshold is taken off."""

    @staticmethod
    def _spikes(spike_fn: str, min_v_mem: Any, threshold: float) -> Dict[str, Any]:
        if spike_fn not in ("multi", "single"):
            raise DendrolithError(
                f"sinabs: spike_fn is '{spike_fn}', expected 'multi' (MultiSpike, "
                "which chips do not have) or 'single' (SingleSpike)"
            )
        found: Dict[str, Any] = {"reset": "subtract"}
        if spike_fn == "multi":
            found["spikes_per_step"] = "many"
        else:
            found["threshold"] = "ge"
        if min_v_mem is not None:
            found["v_min"] = -float(min_v_mem) / threshold
        return found

    @staticmethod
    def LIF(
        tau_mem: ArrayLike,
        spike_threshold: float = 1.0,
        norm_input: bool = True,
        spike_fn: str = "single",
        min_v_mem: Any = None,
        dt: float = DT,
    ) -> Layer:
        """sinabs.layers.LIF; without `norm_input` the input is added as it is."""
        steps = _positive(tau_mem, "LIF: tau_mem")
        tau = _tau(np.exp(-1 / steps), dt)
        neuron = layers.LIF(
            tau, 1.0 if norm_input else tau / dt, v_threshold=spike_threshold
        )
        return _with(
            neuron, dt, **sinabs._spikes(spike_fn, min_v_mem, spike_threshold)
        )

    @staticmethod
    def IAF(
        spike_threshold: float = 1.0,
        spike_fn: str = "single",
        min_v_mem: Any = None,
        dt: float = DT,
    ) -> Layer:
        """sinabs.layers.IAF: v += x."""
        return _with(
            layers.IF(spike_threshold),
            dt,
            **sinabs._spikes(spike_fn, min_v_mem, spike_threshold),
        )

    @staticmethod
    def ExpLeak(tau_mem: ArrayLike, norm_input: bool = False, dt: float = DT) -> Layer:
        """sinabs.layers.ExpLeak, a read-out."""
        tau = _tau(np.exp(-1 / _positive(tau_mem, "ExpLeak: tau_mem")), dt)
        return _with(layers.LI(tau, 1.0 if norm_input else tau / dt), dt)
