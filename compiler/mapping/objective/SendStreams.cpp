// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/SendStreams.h"

#include "compiler/mapping/result/SliceGraph.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace dendrolith {

namespace {

/// Sorts as a mesh with multicast wants it, by x and then by y, and without
/// (places are all 0 then) by endpoint. Keeps the order of equals. Most bursts
/// are short, and std::stable_sort gets itself memory for each.
template <class Iterator> void sortDestinations(Iterator begin, Iterator end) {
  auto isBefore = [](const Destination &a, const Destination &b) {
    return std::tie(a.x, a.y, a.endpoint) < std::tie(b.x, b.y, b.endpoint);
  };
  constexpr std::ptrdiff_t kShort = 32;
  if (end - begin > kShort)
    return std::stable_sort(begin, end, isBefore);
  for (Iterator next = begin; next != end; ++next)
    std::rotate(std::upper_bound(begin, next, *next, isBefore), next, next + 1);
}

} // namespace

void readStreams(const ReplayStep &step, const std::vector<uint32_t> &slices,
                 const std::vector<TileXY> &places,
                 std::vector<SendStream> &streams) {
  const auto hostEnd = uint32_t(streams.size() - 1);
  for (SendStream &stream : streams) {
    stream.bursts.clear();
    stream.messages.clear();
    stream.tail = 0;
    stream.burst = stream.message = 0;
  }
  uint32_t slice = 0, message = 0;
  auto passTo = [&](uint32_t next) {
    for (; slice < next; ++slice)
      streams[slices[slice]].tail += double(step.tail[slice]);
  };
  for (const ReplayStep::Burst &burst : step.bursts) {
    if (burst.from != host)
      passTo(burst.from);
    SendStream &from =
        streams[burst.from == host ? hostEnd : slices[burst.from]];
    const auto first = std::ptrdiff_t(from.messages.size());
    bool toCores = true;
    for (; message < burst.end; ++message) {
      const ReplayStep::Message &sent = step.messages[message];
      toCores &= sent.to != host;
      Destination to;
      to.endpoint = sent.to == host ? hostEnd : slices[sent.to];
      to.message = uint64_t(sent.service);
      if (!places.empty()) {
        to.x = uint16_t(places[to.endpoint].x);
        to.y = uint16_t(places[to.endpoint].y);
      }
      from.messages.push_back(to);
    }
    sortDestinations(from.messages.begin() + first, from.messages.end());
    from.bursts.push_back({std::exchange(from.tail, 0) + double(burst.work),
                           from.messages.size(), toCores && !places.empty()});
  }
  passTo(uint32_t(slices.size()));
}

} // namespace dendrolith
