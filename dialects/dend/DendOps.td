// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything of the dialect, for TableGen.
#ifndef NEURITE_DIALECTS_DEND_DENDOPS_TD
#define NEURITE_DIALECTS_DEND_DENDOPS_TD
include "dialects/dend/DendStructureOps.td"
#endif // NEURITE_DIALECTS_DEND_DENDOPS_TD
