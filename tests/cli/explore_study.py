# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small study of the shipped LIF network, and the points of its store."""
import pathlib

from command import LIF


def write_study(path, lanes=(1, 4), buffers=(4, 24), rest="", samples=2):
    path = pathlib.Path(path)
    path.write_text(f"""name: small
models:
  - {{name: lif, model: {LIF}/shapes_lif.nir, calibrate: {LIF}/calib_x.npy,
     input: {LIF}/test_x.npy, labels: {LIF}/test_y.npy, samples: {samples}}}
target: loihi2
vary:
  microcode.lanes: {list(lanes)}
  timing.scaled.noc.local.buffer: {list(buffers)}
{rest}""")
    return path


def points(store):
    """The files of points, by their names."""
    return {str(file.relative_to(store)): file.read_bytes()
            for file in pathlib.Path(store).glob("points/*/*")}
