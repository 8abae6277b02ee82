// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/ranks/RankTraffic.h"

#include "simulator/ranks/Bytes.h"

#include <algorithm>

namespace dendrolith::sim {

static constexpr uint32_t kBlock = 8192; // sources

/// The kinds of `count` sources, as how many each has and then all of them.
static void kindsOfBlock(const Traffic &traffic, uint32_t first, uint32_t count,
                         std::vector<uint32_t> &counts,
                         std::vector<uint32_t> &all) {
  counts.clear();
  all.clear();
  std::vector<size_t> kinds;
  for (uint32_t source = first; source < first + count; ++source) {
    traffic.kindsOf(source, kinds);
    counts.push_back(static_cast<uint32_t>(kinds.size()));
    all.insert(all.end(), kinds.begin(), kinds.end());
  }
}

RankTraffic::RankTraffic(Ranks &ranks, const Traffic &own, uint32_t sources)
    : ranks(ranks), own(own), sources(sources) {
  for (size_t kind = 0; kind < own.kinds(); ++kind)
    deliveries.push_back(own.delivery(kind));
  if (!ranks.first()) {
    std::string bytes;
    writeTo(bytes, [&](Writer &writer) { writer.block(deliveries); });
    ranks.send(bytes);
    return;
  }
  firstKind.push_back(deliveries.size());
  std::vector<Delivery> others;
  for (unsigned r = 1; r < ranks.size(); ++r) {
    readFrom(ranks.receive(r), [&](Reader &reader) { reader.block(others); });
    deliveries.insert(deliveries.end(), others.begin(), others.end());
    firstKind.push_back(deliveries.size());
  }
}

void RankTraffic::onFirst(const std::function<void()> &use) {
  if (!ranks.first())
    return serve();
  use();
  std::string done;
  writeTo(done, [](Writer &writer) { writer.plain(Done); });
  ranks.broadcast(done);
}

void RankTraffic::serve() {
  for (Question question = KindsOf; question != Done;) {
    std::string asked, answer;
    ranks.broadcast(asked);
    SourceRange range;
    std::vector<uint64_t> times;
    readFrom(asked, [&](Reader &reader) {
      reader.plain(question);
      if (question != Done)
        reader.plain(range);
      if (question == Sum)
        reader.block(times);
    });
    if (question == Sum) {
      std::vector<uint64_t> all(sources); // as Traffic takes them
      for (uint32_t i = 0; i < range.count; ++i)
        all[range.first + i * range.stride] = times[i];
      writeTo(answer, [&](Writer &writer) {
        writer.block(own.sum(range, all.data()));
      });
    } else if (question == KindsOf) {
      std::vector<uint32_t> counts, kinds;
      kindsOfBlock(own, range.first, range.count, counts, kinds);
      writeTo(answer, [&](Writer &writer) {
        writer.block(counts);
        writer.block(kinds);
      });
    }
    if (question != Done)
      ranks.send(answer);
  }
}

std::vector<Traffic::Messages> RankTraffic::sum(SourceRange range,
                                                const uint64_t *times) const {
  std::vector<uint64_t> some(range.count);
  for (uint32_t i = 0; i < range.count; ++i)
    some[i] = times[range.first + i * range.stride];
  std::string question;
  writeTo(question, [&](Writer &writer) {
    writer.plain(Sum);
    writer.plain(range);
    writer.block(some);
  });
  ranks.broadcast(question);
  std::vector<Messages> all = own.sum(range, times), others;
  for (unsigned r = 1; r < ranks.size(); ++r) {
    readFrom(ranks.receive(r), [&](Reader &reader) { reader.block(others); });
    for (const Messages &each : others)
      all.push_back({firstKind[r] + each.kind, each.count});
  }
  return all;
}

void RankTraffic::fetch(uint32_t first) const {
  const SourceRange range = {first, std::min(kBlock, sources - first), 1};
  std::string question;
  writeTo(question, [&](Writer &writer) {
    writer.plain(KindsOf);
    writer.plain(range);
  });
  ranks.broadcast(question);
  blockFirst = first;
  block.assign(range.count, {});
  std::vector<uint32_t> counts, kinds;
  kindsOfBlock(own, first, range.count, counts, kinds);
  for (unsigned r = 0; r < ranks.size(); ++r) {
    if (r > 0)
      readFrom(ranks.receive(r), [&](Reader &reader) {
        reader.block(counts);
        reader.block(kinds);
      });
    auto kind = kinds.begin();
    for (uint32_t i = 0; i < range.count; ++i)
      for (uint32_t k = 0; k < counts[i]; ++k)
        block[i].push_back(firstKind[r] + *kind++);
  }
}

void RankTraffic::kindsOf(uint32_t source, std::vector<size_t> &kinds) const {
  if (source - blockFirst >= block.size())
    fetch(source / kBlock * kBlock);
  kinds = block[source - blockFirst];
}

} // namespace dendrolith::sim
