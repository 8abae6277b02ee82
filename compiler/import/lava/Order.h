// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lava numbers elements in row-major order of (W, H, C), dend of (C, H, W).

#ifndef DENDROLITH_COMPILER_IMPORT_LAVA_ORDER_H
#define DENDROLITH_COMPILER_IMPORT_LAVA_ORDER_H

#include "compiler/lava/lava.pb.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::lava {

using Shape = std::vector<uint64_t>;

/// The dend number of each element of a Lava shape in row-major order: (W, H,
/// C) becomes (C, H, W). It is empty for the identity.
std::vector<uint32_t> numbering(const Shape &shape);

/// The shape in dend: three extents come the other way round.
std::vector<int64_t> dendShape(const Shape &shape);

/// Tells which element of the sender reaches each element of the receiver after
/// the connection's transpose and reshape, in dend numbers. It is empty for the
/// identity. Throws Error beginning with `what`.
std::vector<uint32_t> elementMap(const Connection &connection,
                                 const Shape &sent, const Shape &received,
                                 const std::string &what);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_IMPORT_LAVA_ORDER_H
