// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DENDROLITH_COMPILER_LOWERING_PASSES_H
#define DENDROLITH_COMPILER_LOWERING_PASSES_H

#include "dialects/chip/Chip.h"
#include "dialects/dend/Dend.h"
#include "targets/loader/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace dendrolith {
#define GEN_PASS_DECL
#include "compiler/lowering/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/lowering/Passes.h.inc"

class MappingMemo;
struct MapJob;
struct SearchControl;

/// The pass as part of a pipeline, whose passes share one chip. `control`
/// watches the mapper's search; it may be null. So may `memo`, which has
/// answers of the mapper, and `job`: with it the mapper is not asked, the
/// network stays, and what would be asked is put there.
std::unique_ptr<mlir::Pass>
createDendToChip(DendToChipOptions options, SharedTarget chip,
                 std::shared_ptr<const SearchControl> control,
                 MappingMemo *memo = nullptr, MapJob *job = nullptr);
} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_PASSES_H
