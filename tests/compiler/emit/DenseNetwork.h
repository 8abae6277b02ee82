// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network of any size as dend text.

#ifndef DENDROLITH_TESTS_COMPILER_EMIT_DENSENETWORK_H
#define DENDROLITH_TESTS_COMPILER_EMIT_DENSENETWORK_H

#include <cstdint>
#include <string>

namespace dendrolith::test {

/// Input @x of binary events, all to all, to leaky neurons @a; their spikes are
/// output @y. The weight from source s to neuron n is
/// denseMantissa(n * sources + s) / 128, in a blob of f32.
std::string denseNetwork(uint32_t sources, uint32_t neurons);

/// -127..127 without 0: a whole mantissa of the chip, and none is dropped.
int denseMantissa(uint32_t k);

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_COMPILER_EMIT_DENSENETWORK_H
