// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/SendStreams.h"

#include "compiler/mapping/SliceGraph.h"

#include <algorithm>
#include <utility>

namespace neurite {

namespace {

/// Keeps the order of equals. Most bursts are short, and std::stable_sort gets
/// itself memory for each.
template <class Iterator> void sortByEndpoint(Iterator begin, Iterator end) {
  auto isBefore = [](const auto &a, const auto &b) { return a.to < b.to; };
  constexpr std::ptrdiff_t kShort = 32;
  if (end - begin > kShort)
    return std::stable_sort(begin, end, isBefore);
  for (Iterator at = begin; at != end; ++at)
    std::rotate(std::upper_bound(begin, at, *at, isBefore), at, at + 1);
}

} // namespace

std::vector<SendStream> streamsOf(const ReplayStep &step,
                                  const std::vector<uint32_t> &slices,
                                  uint32_t endpoints) {
  std::vector<SendStream> streams(endpoints);
  uint32_t slice = 0, message = 0;
  auto passTo = [&](uint32_t next) {
    for (; slice < next; ++slice)
      streams[slices[slice]].tail += double(step.tail[slice]);
  };
  for (const ReplayStep::Burst &burst : step.bursts) {
    if (burst.from != host)
      passTo(burst.from);
    SendStream &from =
        burst.from == host ? streams.back() : streams[slices[burst.from]];
    auto &messages = from.messages;
    const auto first = std::ptrdiff_t(messages.size());
    for (; message < burst.end; ++message) {
      const ReplayStep::Message &sent = step.messages[message];
      messages.push_back({sent.to == host ? endpoints - 1 : slices[sent.to],
                          uint64_t(sent.service)});
    }
    sortByEndpoint(messages.begin() + first, messages.end());
    from.bursts.push_back(
        {std::exchange(from.tail, 0) + double(burst.work), messages.size()});
  }
  passTo(uint32_t(slices.size()));
  return streams;
}

} // namespace neurite
