# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of torch.save (.pth, .pt), read without torch and without running anything in
them.

Such a file is a zip with a pickle and raw arrays. A pickle may name any function and
have it called; here a name stands for itself, and the only calls that are carried out
are those that put arrays and plain containers together.
"""

from __future__ import annotations

import io
import os
import pickle
import pickletools
import zipfile
from collections import OrderedDict
from typing import Any, Dict, Iterator, Tuple, Union

import numpy as np

from .errors import DendrolithError
from .texts import path_of

_MOST_PICKLED = 1 << 26
_MOST_STORED = 1 << 31

_TYPES = {
    "DoubleStorage": "<f8",
    "FloatStorage": "<f4",
    "HalfStorage": "<f2",
    "LongStorage": "<i8",
    "IntStorage": "<i4",
    "ShortStorage": "<i2",
    "CharStorage": "i1",
    "ByteStorage": "u1",
    "BoolStorage": "?",
}


class _Named(type):
    """A class or function that a file names. It is made without a call of its own,
    as pickle makes objects; to call it is refused."""

    def __call__(cls, *args: Any, **keywords: Any) -> Any:
        raise DendrolithError(
            f"calls {cls.__module__}.{cls.__name__}, and nothing in a file is run; "
            "expected modules, arrays and plain values"
        )


class Stored(metaclass=_Named):
    """An object of a file: its class by name, its attributes as they are stored."""

    def __new__(cls, *args: Any, **keywords: Any) -> "Stored":
        return object.__new__(cls)

    def __setstate__(self, state: Any) -> None:
        if isinstance(state, dict):
            self.__dict__.update(state)

    @property
    def class_name(self) -> str:
        """The name of its class, without the module."""
        return type(self).__name__

    @property
    def modules(self) -> Dict[str, "Stored"]:
        """The modules in it, in their order."""
        kept = self.__dict__.get("_modules")
        return dict(kept) if isinstance(kept, dict) else {}

    def tensors(self) -> Dict[str, np.ndarray]:
        """Parameters and buffers by their path, as a state_dict has them."""
        return dict(_tensors(self, ""))

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{self.class_name} of a file>"


def _tensors(one: Stored, prefix: str) -> Iterator[Tuple[str, np.ndarray]]:
    for part in ("_parameters", "_buffers"):
        kept = one.__dict__.get(part)
        for key, value in kept.items() if isinstance(kept, dict) else ():
            if isinstance(value, np.ndarray):
                yield f"{prefix}{key}", value
    for key, module in one.modules.items():
        if isinstance(module, Stored):
            yield from _tensors(module, f"{prefix}{key}.")


def _tensor(storage: Any, offset: Any, size: Any, stride: Any, *_: Any) -> np.ndarray:
    numbers = [offset, *size, *stride]
    if not isinstance(storage, np.ndarray) or len(size) != len(stride):
        raise DendrolithError("has a tensor that is none")
    if not all(isinstance(n, int) and 0 <= n < _MOST_STORED for n in numbers):
        raise DendrolithError("has a tensor whose extents are out of range")
    if 0 in size:
        return np.zeros(size, storage.dtype)
    last = offset + sum((n - 1) * step for n, step in zip(size, stride))
    if last >= len(storage) or int(np.prod(size, dtype=float)) > _MOST_STORED // 8:
        raise DendrolithError("has a tensor that is shorter than its shape says")
    wide = [step * storage.itemsize for step in stride]
    return np.lib.stride_tricks.as_strided(storage[offset:], size, wide, writeable=False)


def _first(value: Any, *_: Any) -> Any:
    return value


_CALLED = {
    ("collections", "OrderedDict"): OrderedDict,
    ("torch._utils", "_rebuild_tensor_v2"): _tensor,
    ("torch._utils", "_rebuild_parameter"): _first,
    ("torch", "device"): _first,
    ("torch", "Size"): tuple,
    ("builtins", "set"): set,
    ("__builtin__", "set"): set,
}


class _Reader(pickle.Unpickler):
    def __init__(self, archive: zipfile.ZipFile, folder: str) -> None:
        content = archive.read(f"{folder}data.pkl")
        for code, number, _ in pickletools.genops(content):
            # Unpickler would make room for any number of values at once.
            if code.name.endswith("PUT") and not 0 <= int(number or 0) <= len(content):
                raise DendrolithError("has a pickle that counts more than it has")
        super().__init__(io.BytesIO(content))
        self._archive, self._folder = archive, folder
        self._arrays: Dict[str, np.ndarray] = {}

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _CALLED:
            return _CALLED[module, name]
        if module == "torch" and name in _TYPES:
            return _TYPES[name]
        return _Named(name, (Stored,), {"__module__": module})

    def persistent_load(self, pid: Any) -> np.ndarray:
        if not isinstance(pid, tuple) or len(pid) != 5 or pid[0] != "storage":
            raise DendrolithError("has something stored that is no array")
        _, kind, key, _, count = pid
        if not isinstance(kind, str) or kind not in _TYPES.values():
            name = getattr(kind, "__name__", repr(kind))
            raise DendrolithError(
                f"has an array of {name}, expected real numbers, integers or booleans"
            )
        name = f"{kind} {key}"
        if name not in self._arrays:
            content = self._archive.read(f"{self._folder}data/{key}")
            if len(content) != count * np.dtype(kind).itemsize:
                raise DendrolithError("has an array of another length than it says")
            self._arrays[name] = np.frombuffer(content, kind)
        return self._arrays[name]


def _folder_of(archive: zipfile.ZipFile) -> str:
    """The archive's own folder in it; an error where it is another file."""
    names = [n for n in archive.namelist() if n.count("/") == 1]
    if any(n.endswith("/models") or "/models/" in n for n in archive.namelist()):
        raise DendrolithError("is an exported program: dl.load takes a .pt2 file")
    pickled = [n for n in names if n.endswith("/data.pkl")]
    if len(pickled) != 1:
        raise DendrolithError("expected a file of torch.save, found no data.pkl in it")
    sizes = {info.filename: info.file_size for info in archive.infolist()}
    if sizes[pickled[0]] > _MOST_PICKLED or sum(sizes.values()) > _MOST_STORED:
        raise DendrolithError("has a pickle above 64 MiB, or arrays above 2 GiB")
    folder = pickled[0][: -len("data.pkl")]
    if f"{folder}byteorder" in sizes and archive.read(f"{folder}byteorder") != b"little":
        raise DendrolithError("expected numbers in little-endian order")
    return folder


def stored(path: "os.PathLike[str] | str") -> Union[Stored, Dict[str, Any]]:
    """Read a file of torch.save, without torch and without running what is in it.

    A whole module comes as a `Stored`: `modules`, `tensors()` and its attributes; a
    state_dict as a dict of arrays, which cannot be written to. What the file wants called is refused by name.
    """
    file = path_of(path, "stored")
    try:
        with zipfile.ZipFile(file) as archive:
            found = _Reader(archive, _folder_of(archive)).load()
    except DendrolithError as error:
        raise DendrolithError(f"{file}: {error.message}", file=file) from None
    except OSError as error:
        raise DendrolithError(f"{file}: {error.strerror}", file=file) from None
    except zipfile.BadZipFile:
        raise DendrolithError(
            f"{file}: expected a zip, as torch.save writes since 1.6; load it with torch "
            "and save it again",
            file=file,
        ) from None
    except Exception as error:
        raise DendrolithError(
            f"{file}: is damaged, or no file of torch.save "
            f"({type(error).__name__}: {str(error)[:100]!r})",
            file=file,
        ) from None
    if not isinstance(found, (Stored, dict)):
        raise DendrolithError(
            f"{file}: expected a module or a state_dict, found a {type(found).__name__}",
            file=file,
        )
    return found
