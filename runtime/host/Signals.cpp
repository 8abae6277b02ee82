// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Signals.h"

#include "targets/support/Text.h"

uint64_t dendrolith::Samples::width() const { return product(shape); }
