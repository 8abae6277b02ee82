// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes at a place of an open file, from several threads at a time.

#ifndef DENDROLITH_RUNTIME_ARRAYS_FILEBYTES_H
#define DENDROLITH_RUNTIME_ARRAYS_FILEBYTES_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dendrolith {

/// Writes or reads all of them from byte `at` on. Throw Error, which begins
/// with `name`, where the system does not (a full disk), or the file ends
/// before.
void writeAt(int descriptor, const std::string &name, uint64_t at,
             std::string_view bytes);
void readAt(int descriptor, const std::string &name, uint64_t at, char *to,
            size_t count);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_ARRAYS_FILEBYTES_H
