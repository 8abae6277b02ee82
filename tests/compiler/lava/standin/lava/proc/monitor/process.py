# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from lava.magma.core.process.process import AbstractProcess
import numpy as np


class Monitor(AbstractProcess):
    """get_data() gives {process: {variable: (steps, *shape)}}."""

    def __init__(self):
        super().__init__()

    def probe(self, target, num_steps):
        self.target, self.rows = target, np.zeros((num_steps,) + target.shape)

    def get_data(self):
        return {"process": {"variable": self.rows}}
