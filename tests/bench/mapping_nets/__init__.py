# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests/bench/mapping.py is made of: networks, baselines, an evaluator."""
