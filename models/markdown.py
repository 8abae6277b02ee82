# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables as the READMEs have them, a row as soon as it is known."""


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def header(*cells):
    print()
    row(*cells)
    row(*["---"] * len(cells))
