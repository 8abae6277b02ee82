// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/network/MappingOptions.h"

#include "runtime/host/SpareThreads.h"

namespace dendrolith {

std::shared_ptr<SpareThreads> MappingOptions::sharedThreads() const {
  return control && control->threads ? control->threads
                                     : std::make_shared<SpareThreads>(threads);
}

} // namespace dendrolith
