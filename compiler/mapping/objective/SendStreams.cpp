// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/SendStreams.h"

#include "compiler/mapping/result/SliceGraph.h"

#include <algorithm>
#include <utility>

namespace dendrolith {

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
                                  const std::vector<uint32_t> &hosts,
                                  uint32_t endpoints) {
  std::vector<SendStream> streams(endpoints);
  std::vector<uint32_t> hostOf(endpoints);
  for (size_t s = 0; s < slices.size(); ++s)
    hostOf[slices[s]] = hosts[s];
  uint32_t slice = 0, message = 0;
  auto passTo = [&](uint32_t next) {
    for (; slice < next; ++slice)
      streams[slices[slice]].tail += double(step.tail[slice]);
  };
  auto close = [](SendStream &from, double work) {
    from.bursts.push_back(
        {std::exchange(from.tail, 0) + work, from.messages.size()});
  };
  std::vector<SendStream::Message> ofHost;
  for (const ReplayStep::Burst &burst : step.bursts) {
    if (burst.from != host)
      passTo(burst.from);
    auto &messages =
        burst.from == host ? ofHost : streams[slices[burst.from]].messages;
    const auto first = std::ptrdiff_t(messages.size());
    for (; message < burst.end; ++message) {
      const ReplayStep::Message &sent = step.messages[message];
      messages.push_back({sent.to == host ? hosts[burst.from] : slices[sent.to],
                          uint64_t(sent.service)});
    }
    sortByEndpoint(messages.begin() + first, messages.end());
    if (burst.from != host) {
      close(streams[slices[burst.from]], double(burst.work));
      continue;
    }
    // Cores of a chip follow each other.
    for (size_t i = 0; i < ofHost.size(); ++i) {
      const uint32_t sender = hostOf[ofHost[i].to];
      streams[sender].messages.push_back(ofHost[i]);
      if (i + 1 == ofHost.size() || hostOf[ofHost[i + 1].to] != sender)
        close(streams[sender], double(burst.work));
    }
    ofHost.clear();
  }
  passTo(uint32_t(slices.size()));
  return streams;
}

} // namespace dendrolith
