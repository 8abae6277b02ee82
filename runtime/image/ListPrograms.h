// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_RUNTIME_IMAGE_LISTPROGRAMS_H
#define DENDROLITH_RUNTIME_IMAGE_LISTPROGRAMS_H

#include "runtime/image/program.pb.h"

#include <string>

namespace dendrolith {

/// A listing of the programs of a validated image. Each stands once, with the
/// neurons that run it and the cores that hold it.
std::string listPrograms(const image::Program &program);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_IMAGE_LISTPROGRAMS_H
