# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of bad checkpoints share: each must end with exit code 1 and one error
that names the file and says what is wrong."""
import pathlib
import re
import subprocess
import tempfile


class Refusals:
    """`save` writes the members of an archive to a path, as NumPy does."""

    def __init__(self, dendrolith, save):
        self.dendrolith, self.save, self.failed = dendrolith, save, 0
        self.temporary = tempfile.TemporaryDirectory()
        self.file = pathlib.Path(self.temporary.name) / "bad.npz"

    def compiled(self, content):
        """`content`: the file's bytes, or the members of an archive."""
        if isinstance(content, bytes):
            self.file.write_bytes(content)
        else:
            self.save(self.file, content)
        return subprocess.run([self.dendrolith, "compile", self.file, "--emit", "dend"],
                              capture_output=True, text=True, timeout=60)

    def refused(self, title, content, *patterns):
        done = self.compiled(content)
        wrong = [p for p in (r"bad\.npz", *patterns) if not re.search(p, done.stderr)]
        if done.returncode != 1 or done.stderr.count("error: ") != 1 or wrong:
            self.fail(f"{title}: exit code {done.returncode}, no {wrong} in "
                      f"{done.stderr!r}")

    def accepted(self, title, content):
        """The file must compile without a word."""
        done = self.compiled(content)
        if done.returncode or done.stderr:
            self.fail(f"{title}: {done.stderr}")

    def fail(self, text):
        self.failed += 1
        print(f"FAILED {text}")

    def end(self):
        """The exit code of the test."""
        print(f"{self.failed} failures")
        return 1 if self.failed else 0
