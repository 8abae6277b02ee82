// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks of Lava processes as complete dend networks in fixed point: Lava's
// integers to the bit. README.md beside this file has the table.
//
// Lava: Intel's framework for neuromorphic computing,
// https://github.com/lava-nc/lava

#ifndef DENDROLITH_COMPILER_IMPORT_LAVA_LAVA_H
#define DENDROLITH_COMPILER_IMPORT_LAVA_LAVA_H

#include "compiler/import/common/Importer.h"
#include "compiler/lava/lava.pb.h"

#include "mlir/IR/MLIRContext.h"

#include <string>

namespace dendrolith {

/// Reads a .lava.pb file (compiler/lava/lava.proto) and builds its network.
/// Throws dendrolith::Error.
ImportedModel importLava(mlir::MLIRContext &context, const std::string &path);

/// The message of a file's bytes, at most 1 GiB; nothing in it is checked but
/// that it is one. `place` opens the error's line. Throws dendrolith::Error.
lava::Model parseLava(const std::string &bytes, const std::string &place);

/// The network of a model. Every class, keyword, reference, shape and size of
/// the model is checked. `place` (a file) opens every error's line. Processes
/// become populations of their names. A shape (W, H, C) is numbered (C, H, W),
/// any other in row-major order. Throws dendrolith::Error.
ImportedModel buildLava(mlir::MLIRContext &context, const lava::Model &model,
                        const std::string &place);

/// .lava.pb: Lava processes, and .net: NetX files (Netx.h).
Importer lavaImporter();
Importer netxImporter();

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_IMPORT_LAVA_LAVA_H
