// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an importer or the compiler chose where the model leaves it open.

#ifndef NEURITE_COMPILER_IMPORT_COMMON_CHOICES_H
#define NEURITE_COMPILER_IMPORT_COMMON_CHOICES_H

#include <string>
#include <utility>
#include <vector>

namespace neurite {

/// Printed beside the result and stored in the image: option and the value that
/// was used, in the order they were made.
using Choices = std::vector<std::pair<std::string, std::string>>;

} // namespace neurite

#endif // NEURITE_COMPILER_IMPORT_COMMON_CHOICES_H
