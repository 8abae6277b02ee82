# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The random reservoirs of AxonFlow and AxonCUDA (16k, 64k and 256k "rand").

Neurons in the unit cube are connected with near ones ahead of them and with a
few anywhere. The rule weighs all neurons for each one; beyond 0.4 the weights
exp(-0.5 (d / 0.01)^2) are 0 in doubles, and beyond 12 times 0.01 all together
below 1e-30 of a neighbour's, so a grid of cells finds those that matter.
"""
import numpy as np

from .network import from_pairs

LENGTH = 0.01
CUT = 0.386  # where the weight underflows
INPUT_REACH = 30


class Grid:
    """Cells of a cube, and for each the points around it by number."""

    def __init__(self, points, width):
        self.points = points
        self.across = max(int(1 / width), 1)
        self.cell = np.minimum((points * self.across).astype(int),
                               self.across - 1)
        flat = self.flat(self.cell)
        self.order = np.argsort(flat, kind="stable")
        self.begin = np.searchsorted(flat[self.order],
                                     np.arange(self.across ** 3 + 1))

    def flat(self, cell):
        a = self.across
        return (cell[..., 0] * a + cell[..., 1]) * a + cell[..., 2]

    def near(self, cell, reach):
        """Numbers of the points in the cells up to `reach` away, rising."""
        low = np.maximum(cell - reach, 0)
        high = np.minimum(cell + reach, self.across - 1)
        found = []
        for x in range(low[0], high[0] + 1):
            for y in range(low[1], high[1] + 1):
                row = (x * self.across + y) * self.across
                found.append(self.order[self.begin[row + low[2]]:
                                        self.begin[row + high[2] + 1]])
        return np.sort(np.concatenate(found))


def local_weights(points, direction, near, i):
    """As the rule has it: the direction is that of the target."""
    offset = points[near] - points[i]
    ahead = offset[:, 2] * direction[near] >= 0
    square = (offset ** 2).sum(1)
    with np.errstate(under="ignore"):
        weight = np.where(ahead, np.exp(-.5 * square / LENGTH ** 2), 0)
    weight[near == i] = 0
    return weight


def rows(n, fanout, rng_seed=192):
    """Yields (points, rates), then the targets of neuron 0, 1, ..."""
    rng = np.random.default_rng(rng_seed)
    points = rng.random((n, 3))
    direction = rng.choice([-1, 1], n, p=[.1, .9])
    rate = np.exp(rng.normal(np.log(1), np.sqrt(np.log(1 + 1.58 ** 2)), n))
    yield points, rate
    grid = Grid(points, max((6 / n) ** (1 / 3), LENGTH))
    reach = 2
    for i in range(n):
        k = int(rng.poisson(fanout))
        far = int(round(.01 * k))
        near, weight, reach = candidates(grid, direction, i, k - far, reach)
        count = min(k - far, len(near))
        some = rng.choice(near, count, False, weight / weight.sum()) if (
            count) else np.zeros(0, int)
        yield np.concatenate([some, other_than(rng.choice(n, far, False), i)])


def candidates(grid, direction, i, count, reach):
    """The points that may come up in `count` draws, their weights, and how many
    cells away they were looked for, which is a good start for the next one."""
    reach = max(reach - 1, 1)
    while True:
        near = grid.near(grid.cell[i], reach)
        weight = local_weights(grid.points, direction, near, i)
        some = np.nonzero(weight)[0]
        radius = reach / grid.across
        if len(some) > count > 0:
            # Even the last draw hardly ever finds one this much lighter than
            # the lightest of as many as are drawn.
            least = np.partition(weight[some], -count)[-count]
            if np.exp(-.5 * (radius / LENGTH) ** 2) * len(direction) < (
                    1e-6 * least):
                some = some[weight[some] > 1e-9 * least]
                return near[some], weight[some], reach
        if reach >= grid.across or radius > CUT:
            return near[some], weight[some], reach
        reach += 1


def other_than(numbers, i):
    return numbers[numbers != i]


def reservoir(n, fanout, steps=100, progress=None):
    """The network with the rule's rates; inputs, which the rule has not, drive
    it: each to the first targets of a neuron, so that what they reach is near
    together."""
    made = rows(n, fanout)
    _, rate = next(made)
    source, target = [], []
    for i, row in enumerate(made):
        source.append(np.full(len(row), i))
        target.append(row)
        if progress and i % 10000 == 0:
            progress(i)
    inputs = n // 10
    first = [target[i * n // inputs][:INPUT_REACH] for i in range(inputs)]
    net = from_pairs(
        inputs, n,
        np.concatenate([np.repeat(np.arange(inputs), [len(f) for f in first]),
                        np.concatenate(source) + inputs]),
        np.concatenate(first + target), 192, steps)
    net.rate = rate
    return net
