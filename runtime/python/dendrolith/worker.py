# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`dendrolith serve` in a process of its own, asked over a pair of pipes.

One request at a time goes to a worker; whoever finds none idle starts another
one, so that threads run networks beside each other. A worker is started without
running any Python in a forked child, which is safe in a program with threads.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from contextlib import contextmanager
from typing import IO, Any, Dict, Iterator, List, Optional

from .binary import find_binary
from .errors import DendrolithError, WorkerDied, error_of
from .texts import clean
from .version import __version__
from .words import Own

PROTOCOL = 1
SCHEMA = 2
MOST_HELD = 16  # compiled programs of a worker
MOST_IDLE = 8  # workers that wait for work
_USAGE = 2  # status of a program that does not know a word of its command line


def _temporary() -> IO[bytes]:
    try:
        folder = os.environ.get("TMPDIR")
        if folder and not (os.path.isdir(folder) and os.access(folder, os.W_OK)):
            raise OSError(f"TMPDIR names '{folder}', which is no folder to write to")
        return tempfile.TemporaryFile()
    except OSError as error:
        raise DendrolithError(
            f"no folder for temporary files: {error.strerror or error}; set TMPDIR to "
            "one that is there, with room",
            hint="set TMPDIR to a folder that is there, with room",
        ) from error


def _refuse_controls(value: Any, what: str = "request") -> None:
    """Hold that no name or path of a request has a control character."""
    if isinstance(value, str):
        clean(value, what)
    elif isinstance(value, dict):
        for key, part in value.items():
            _refuse_controls(part, key if key != "args" else "argument")
    elif isinstance(value, list):
        for part in value:
            _refuse_controls(part, what)


class Worker:
    """One process. `held` maps the keys of programs that it has compiled to the
    name that it knows them by, the one that was used last at the end."""

    def __init__(self, binary: str) -> None:
        self.binary = binary
        self.held: Dict[str, str] = {}
        self._number = 0
        self._told = _temporary()
        try:
            self._process = subprocess.Popen(
                [binary, "serve"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._told,
                # Ctrl-C is this process's to handle: it ends the worker.
                start_new_session=True,
            )
        except OSError as error:
            raise self._unfit(f"cannot be started: {error.strerror}") from error
        try:
            hello = self.ask({"do": "hello"})
        except WorkerDied as error:
            raise self._no_hello(error) from error
        for key in ("dendrolith", "folder", "protocol", "schema"):
            if key not in hello:
                raise self._stranger(hello)
        self.version = str(hello["dendrolith"])
        self.folder = str(hello["folder"])
        if hello["protocol"] != PROTOCOL or hello["schema"] != SCHEMA:
            self.close()
            raise DendrolithError(
                f"{binary}: dendrolith {self.version} speaks protocol "
                f"{hello['protocol']} with results of schema {hello['schema']}, this "
                f"package needs {PROTOCOL} and {SCHEMA}; install both from one "
                "version",
                file=binary,
                hint="install package and binary from one version",
            )
        if self.version != __version__:
            self.close()
            raise DendrolithError(
                f"{binary}: is dendrolith {self.version}, this package is {__version__}; "
                "install one wheel anew (pip install --force-reinstall dendrolith-*.whl), or "
                "set DENDROLITH_BIN to a program of this version",
                file=binary,
                hint="install package and binary from one version",
            )

    def _unfit(self, why: str) -> DendrolithError:
        hint = (
            "a wheel's program needs an x86-64 processor and glibc 2.28: install it anew "
            "(pip install --force-reinstall dendrolith-*.whl) if it is damaged, or set "
            "DENDROLITH_BIN to one that was built here"
        )
        return DendrolithError(
            f"{self.binary}: {why}; {hint}", file=self.binary, hint=hint
        )

    def _no_hello(self, death: WorkerDied) -> DendrolithError:
        """Say why the program ended before it answered the first question."""
        _, refused, why = death.told.partition("error: ")
        if refused and death.status == 1:
            return DendrolithError(f"{self.binary}: {why}", file=self.binary)
        if death.status != _USAGE:
            return self._unfit(f"does not run here: {death.told or death.how}")
        hint = "build it again, or set DENDROLITH_BIN to a newer one"
        return DendrolithError(
            f"{self.binary}: does not know the command 'serve', so it is older than "
            f"this package or no dendrolith; {hint} ({death.told})",
            file=self.binary,
            hint=hint,
        )

    def _stranger(self, answer: Any) -> DendrolithError:
        """End the process, which speaks otherwise, and return what to raise."""
        self.kill()
        return DendrolithError(
            f"{self.binary}: answered {answer!r:.80}, expected an answer of "
            "`dendrolith serve`; it is no dendrolith of this version, set "
            "DENDROLITH_BIN to one",
            file=self.binary,
            hint="set DENDROLITH_BIN to a dendrolith of this version",
        )

    def ask(
        self, request: Dict[str, Any], own: Optional[Own] = None
    ) -> Dict[str, Any]:
        """Send a request and return the `ok` of its answer.

        Raises what the answer has as `error`, in words that are the network's own
        where it has some. An interrupt ends the process: it
        would go on with work that nobody waits for.
        """
        assert self._process.stdin and self._process.stdout
        self._number += 1
        _refuse_controls(request)
        line = json.dumps({"id": self._number, **request}) + "\n"
        try:
            try:
                self._process.stdin.write(line.encode())
                self._process.stdin.flush()
                answer = self._process.stdout.readline()
            except BrokenPipeError:
                answer = b""
        except BaseException:
            self.kill()
            raise
        if not answer.endswith(b"\n"):
            raise self._death(str(request.get("do")))
        try:
            told = json.loads(answer)
        except ValueError as error:
            raise self._stranger(answer) from error
        if not isinstance(told, dict):
            raise self._stranger(told)
        refusal, ok = told.get("error"), told.get("ok")
        if isinstance(refusal, dict) and isinstance(refusal.get("message"), str):
            raise error_of(refusal, own)
        if not isinstance(ok, dict):
            raise self._stranger(told)
        return ok

    def folder_for_request(self) -> str:
        """Make an empty folder, which only this user can read."""
        try:
            return tempfile.mkdtemp(prefix="r", dir=self.folder)
        except OSError as error:
            raise self._full(error) from error

    @contextmanager
    def room_of_run(self) -> Iterator[str]:
        """Lend the folder of runs, one at a time, and take the files out again. It
        stays: to make and remove folders takes longer than their files."""
        room = os.path.join(self.folder, "run")
        try:
            os.makedirs(room, mode=0o700, exist_ok=True)
        except OSError as error:
            raise self._full(error) from error
        try:
            yield room
        finally:
            for folder, _, files in os.walk(room):
                for name in files:
                    os.unlink(os.path.join(folder, name))

    def _full(self, error: OSError) -> DendrolithError:
        return DendrolithError(
            f"{self.folder}: cannot hold arrays for dendrolith: {error.strerror}; "
            "set TMPDIR to a folder with room"
        )

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def close(self) -> None:
        """Let the process end by itself, which removes its folder, or end it."""
        try:
            if self._process.stdin:
                self._process.stdin.close()
            self._process.wait(timeout=5)
        except (OSError, subprocess.TimeoutExpired):
            pass
        self.kill()

    def kill(self) -> None:
        if self.is_alive:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                if pipe:
                    pipe.close()
            except OSError:
                pass
        self._told.close()
        folder = getattr(self, "folder", None)
        if folder:
            shutil.rmtree(folder, ignore_errors=True)

    def _death(self, what: str) -> WorkerDied:
        status = self._process.wait()
        if status < 0:
            try:
                name = signal.Signals(-status).name
            except ValueError:
                name = "unknown"
            how = f"was ended by signal {-status} ({name})"
        else:
            how = f"ended with status {status}"
        self._told.seek(0)
        told = self._told.read()[-2000:].decode(errors="replace").strip()
        self.kill()
        death = WorkerDied(
            f"{self.binary}: {how} before it answered '{what}'"
            + (f"; its last words: {told}" if told else "")
        )
        death.status, death.how, death.told = status, how, told
        return death


class Pool:
    """The workers of this Python process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: List[Worker] = []
        self._busy: List[Worker] = []

    @contextmanager
    def worker(self, key: Optional[str] = None) -> Iterator[Worker]:
        """Lend a worker, if there is one that holds the program `key`."""
        binary = find_binary()
        taken: Optional[Worker] = None
        with self._lock:
            dead = [w for w in self._idle if not w.is_alive]
            self._idle = [w for w in self._idle if w.is_alive]
            fit = [w for w in self._idle if w.binary == binary]
            holding = [w for w in fit if key is not None and key in w.held]
            for one in (holding or fit)[-1:]:
                self._idle.remove(one)
                taken = one
        for one in dead:
            one.kill()  # what it could not remove itself
        worker = taken or Worker(binary)
        with self._lock:
            self._busy.append(worker)
        try:
            yield worker
        finally:
            with self._lock:
                self._busy.remove(worker)
                keep = worker.is_alive and len(self._idle) < MOST_IDLE
                if keep:
                    self._idle.append(worker)
            if not keep:
                worker.close()

    def close(self) -> None:
        """End all workers; the next request starts a new one."""
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.close()

    def end(self) -> None:
        """At the end of Python, also of those that a thread still waits for."""
        for worker in list(self._busy):
            worker.kill()
        self.close()

    def forget(self) -> None:
        """In a forked child: the workers are the parent's."""
        self.__init__()  # type: ignore[misc]


POOL = Pool()
atexit.register(POOL.end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=POOL.forget)


def close() -> None:
    """End the processes that wait for work. The next call starts a new one."""
    POOL.close()
