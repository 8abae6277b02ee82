// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the networks of models/dendricl have in common: tokens [x (d); y; flag]
// of in-context regression, y hidden where flag is 1.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_DENDRICL_TOKEN_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_DENDRICL_TOKEN_H

#include "compiler/import/common/Importer.h"
#include "compiler/import/npz/common/Archive.h"
#include "compiler/import/npz/common/NetworkText.h"

#include <cstdint>
#include <string>

namespace dendrolith::npz {

class MetaReader;

/// Gives d of a checkpoint whose array `key` (n, d + 2) sees the token, with
/// which "d" of meta must agree if it is there. Throws Error.
int64_t readFeatures(Archive &archive, const MetaReader &meta,
                     const std::string &key);

/// What an integrate-and-fire unit keeps from pass to pass: "decay", or 1 -
/// 1/"tau" (4 unless it is said). Throws Error.
double readDecay(const MetaReader &meta);

/// Reads the examples x_ex, if there are any, into the input @x of the model,
/// with the labels of the queries hidden.
void readExamples(Archive &archive, int64_t features, ImportedModel &model);

/// Adds the constants "W" + name (rows, sources) and "b" + name (rows) of the
/// arrays with these keys. Throws Error.
void addLinear(Archive &archive, Constants &constants, const std::string &name,
               uint64_t rows, uint64_t sources, const std::string &why);

/// The words of a token: $T numbers, of which $LABEL is y and $FLAG the flag.
Words tokenWords(int64_t features);

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_DENDRICL_TOKEN_H
