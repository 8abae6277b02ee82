// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Query.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

using namespace dendrolith;

uint64_t dendrolith::maskQueries(Samples &samples, const Query &query,
                                 const std::string &where) {
  auto refuse = [&](uint64_t sample, const std::string &found) {
    throw Error(fmt::format(
        "{}: sample {}: expected one query, the last of {} tokens, with flag "
        "(element {}) 1 there and 0 before, found {}",
        where, sample, samples.steps, query.flag, found));
  };
  uint64_t hidden = 0;
  for (uint64_t s = 0; s < samples.samples; ++s) {
    std::optional<uint64_t> at;
    for (uint64_t t = 0; t < samples.steps; ++t) {
      double flag = samples.at(s, t, query.flag);
      if (flag == 0)
        continue;
      if (flag != 1)
        refuse(s, fmt::format("flag {} at token {}", flag, t));
      if (at)
        refuse(s,
               fmt::format("a second one at token {} after token {}", t, *at));
      at = t;
    }
    if (!at)
      refuse(s, "none");
    if (*at + 1 != samples.steps)
      refuse(s, fmt::format("it at token {}", *at));
    if (!query.label)
      continue;
    const uint64_t label = samples.begin(s, *at) + *query.label;
    if (samples.values[label] == 0)
      continue;
    samples.values.clear(label);
    ++hidden;
  }
  return hidden;
}
