// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything of the dialect, for TableGen.
#ifndef DENDROLITH_DIALECTS_DEND_DENDOPS_TD
#define DENDROLITH_DIALECTS_DEND_DENDOPS_TD
include "dialects/dend/DendStructureOps.td"
#endif // DENDROLITH_DIALECTS_DEND_DENDOPS_TD
