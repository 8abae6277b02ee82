// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an importer or the compiler chose where the model leaves it open.

#ifndef DENDROLITH_COMPILER_IMPORT_COMMON_CHOICES_H
#define DENDROLITH_COMPILER_IMPORT_COMMON_CHOICES_H

#include <string>
#include <utility>
#include <vector>

namespace dendrolith {

/// Each choice is an option and the value that was used, in the order in which
/// they were made. They are printed beside the result and stored in the image.
using Choices = std::vector<std::pair<std::string, std::string>>;

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_IMPORT_COMMON_CHOICES_H
