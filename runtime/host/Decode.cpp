// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Decode.h"

#include "targets/support/Error.h"

#include <charconv>
#include <fmt/format.h>

namespace dendrolith {

Decode parseDecode(const std::string &text, const std::string &place) {
  if (text.empty() || text == "mean")
    return {};
  if (text == "each")
    return {0, true};
  const std::string prefix = "last=";
  uint32_t ticks = 0;
  if (text.rfind(prefix, 0) == 0) {
    const char *end = text.data() + text.size();
    auto read = std::from_chars(text.data() + prefix.size(), end, ticks);
    if (read.ec == std::errc() && read.ptr == end && ticks > 0)
      return {ticks, false};
  }
  throw Error(fmt::format("{}: expected to decode by 'mean', by 'last=N', the "
                          "last N ticks with N above 0, or by 'each', found "
                          "'{}'",
                          place, text));
}

std::string toString(const Decode &decode) {
  return decode.last   ? fmt::format("last={}", decode.last)
         : decode.each ? "each"
                       : "mean";
}

} // namespace dendrolith
