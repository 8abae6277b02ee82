// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Signals.h"

#include "targets/support/Text.h"

uint64_t dendrolith::Samples::width() const { return product(shape); }

namespace dendrolith {

void SampleValues::clear(size_t i) {
  if (numbers.use_count() > 1)
    numbers = std::make_shared<Numbers>(*numbers);
  std::visit([i](auto &all) { all[i] = 0; }, *numbers);
}

SampleValues SampleValues::first(size_t count) const {
  if (count == size())
    return *this;
  return visit([count](const auto &all) {
    return SampleValues(std::decay_t<decltype(all)>(
        all.begin(), all.begin() + ptrdiff_t(count)));
  });
}

} // namespace dendrolith
