// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/PartOptions.h"

#include "compiler/mapping/cluster/Parts.h"

#include <algorithm>

namespace dendrolith::cluster {

inline NetReach Parts::reachOf(const Net &net, uint32_t v,
                               uint32_t weight) const {
  NetReach reach;
  reach.counted = net.table != fixedNet;
  reach.self = net.own && net.source == v;
  // Words in a list of its own, and about the words in a list that is there.
  const bool hasWords = reach.counted && limits.countsWords;
  reach.alone = hasWords ? wordsOf(net, weight) : 0;
  reach.more = hasWords ? limits.wordsEach[net.table] * weight : 0;
  reach.core = reach.self ? none : net.core;
  return reach;
}

template <bool kPriced>
inline void Parts::addTo(Heard &heard, const Net &net, uint32_t home, bool last,
                         bool isThere, bool reachesSource,
                         const NetReach &reach, OptionScratch &scratch) const {
  const bool isFree = kPriced && (reach.self || net.core == none);
  const double rate = isFree && net.source != none ? 0 : net.rate;
  if (isThere) {
    if (reach.counted) {
      heard.leaves.in += last;
      heard.leaves.words += last ? reach.alone : reach.more;
    }
    if (last && reach.self)
      scratch.ownLast.push_back(uint32_t(&net - nets.data()));
    if (last && (kPriced || home != reach.core))
      heard.total -= kPriced ? rate * pricesOf(net)[home] : rate;
  }
  if (reach.counted) {
    heard.enters.in += 1;
    heard.enters.words += reach.alone;
  }
  if (!kPriced) {
    heard.total += rate;
    if (!reachesSource) {
      scratch.touch(net.core);
      scratch.common[net.core].cost += rate;
    }
  } else if (net.source == none) {
    heard.hostRate += rate;
  } else if (!isFree) {
    scratch.touch(net.core);
    scratch.common[net.core].fromHere += rate;
  }
}

/// Each part takes the sums of all these nets at once. Its sum grows in the
/// same order as in the plain twin, the loop of hear() net by net, which runs
/// where there are more than kSetParts parts. PartsTest holds both equal, and
/// tests/bench/compiles.py shows the gain (dendattn/d64_dense).
uint64_t Parts::hearAlike(uint32_t v, uint32_t home, uint64_t pin, uint64_t end,
                          Heard &heard, OptionScratch &scratch) const {
  const Net &net = nets[graph.in.value[pin]];
  const PinCount *const entry = &entries[net.begin];
  scratch.shares.clear();
  ++scratch.run;
  for (uint32_t k = 0; k < net.size; ++k) {
    scratch.touch(entry[k].part);
    scratch.runAt[entry[k].part] = scratch.run;
  }
  const bool isHere = home != none && scratch.runAt[home] == scratch.run;
  double axons = 0;
  for (uint32_t hint = 0;
       pin < end && nets[graph.in.value[pin]].reached == net.reached; ++pin) {
    fetchAhead(graph.in, pin, end);
    const uint32_t weight = graph.weightOfIn(pin);
    const Net &each = nets[graph.in.value[pin]];
    const NetReach reach = reachOf(each, v, weight);
    scratch.shares.push_back(
        OptionScratch::Two{each.rate, reach.more - reach.alone});
    axons += reach.counted;
    uint32_t here = 0; // synapses in `home`
    if (isHere) {
      const PinCount *const counts = &entries[each.begin];
      if (counts[hint].part != home)
        for (hint = 0; counts[hint].part != home;)
          ++hint;
      here = counts[hint].synapses;
    }
    addTo<false>(heard, each, home, here == weight, here > 0,
                 reach.core == none || scratch.runAt[reach.core] == scratch.run,
                 reach, scratch);
  }
  // Several parts at a time, since a processor waits for each sum.
  constexpr uint32_t kAtOnce = 8;
  for (uint32_t k = 0; k < net.size; k += kAtOnce) {
    const uint32_t count = std::min(kAtOnce, net.size - k);
    std::array<OptionScratch::Two, kAtOnce> sums{};
    for (uint32_t j = 0; j < count; ++j) {
      OptionScratch::Common &shared = scratch.common[entry[k + j].part];
      shared.axons += axons;
      std::memcpy(&sums[j], &shared.cost, sizeof sums[j]);
    }
    for (const OptionScratch::Two &share : scratch.shares)
      for (OptionScratch::Two &sum : sums)
        sum += share;
    for (uint32_t j = 0; j < count; ++j)
      std::memcpy(&scratch.common[entry[k + j].part].cost, &sums[j],
                  sizeof sums[j]);
  }
  return pin;
}

template <bool kPriced>
Parts::Heard Parts::hear(uint32_t v, uint32_t home,
                         OptionScratch &scratch) const {
  Heard heard;
  heard.enters = heard.leaves = graph.needs[v];
  heard.enters.out = heard.leaves.out = outOf[v];
  const uint64_t end = graph.in.begin[v + 1];
  for (uint64_t i = graph.in.begin[v]; i < end; ++i) {
    fetchAhead(graph.in, i, end);
    const uint32_t e = graph.in.value[i], weight = graph.weightOfIn(i);
    if (!kPriced && parts() <= kSetParts && i + 1 < end &&
        nets[graph.in.value[i + 1]].reached == nets[e].reached) {
      i = hearAlike(v, home, i, end, heard, scratch) - 1;
      continue;
    }
    const Net &net = nets[e];
    const NetReach reach = reachOf(net, v, weight);
    // The sums of each part that the net reaches.
    const bool isFree = kPriced && (reach.self || net.core == none);
    const double rate = isFree && net.source != none ? 0 : net.rate;
    const double *price = kPriced ? pricesOf(net) : nullptr;
    const double axons = reach.counted, words = reach.more - reach.alone;
    bool reachesSource = reach.core == none;
    uint32_t here = 0; // synapses in `home`
    const PinCount *const last = &entries[net.begin] + net.size;
    for (const PinCount *entry = &entries[net.begin]; entry != last; ++entry) {
      const uint32_t p = entry->part;
      here = p == home ? entry->synapses : here;
      reachesSource |= p == reach.core;
      scratch.touch(p);
      OptionScratch::Common &c = scratch.common[p];
      OptionScratch::add(
          &c.cost, OptionScratch::Two{kPriced ? rate * price[p] : rate, words});
      c.axons += axons;
    }
    addTo<kPriced>(heard, net, home, here == weight, here > 0, reachesSource,
                   reach, scratch);
  }
  return heard;
}

const std::vector<Parts::Option> &
Parts::optionsOf(uint32_t v, OptionScratch &scratch, uint32_t extra) const {
  const uint32_t home = part[v];
  const bool priced = prices.between != nullptr;
  scratch.begin();
  std::vector<Option> &options = scratch.options;
  if (extra != none)
    scratch.touch(extra);
  Heard heard =
      priced ? hear<true>(v, home, scratch) : hear<false>(v, home, scratch);
  for (uint64_t i = graph.out.begin[v]; i < graph.out.begin[v + 1]; ++i)
    touchTargets(nets[graph.out.value[i]], home, scratch, heard.total);
  for (uint32_t p : scratch.touched) {
    if (p == home)
      continue;
    const OptionScratch::Common &c = scratch.common[p];
    Option option;
    option.part = p;
    option.cost = heard.total - c.cost;
    if (priced)
      option.cost += priceOfPart(v, home, p, heard.hostRate, scratch);
    Needs there = use[p];
    there += heard.enters;
    there.in -= c.axons;
    there.words += c.words;
    option.there = limits.excess(there);
    option.excess = option.there - limits.excess(use[p]);
    options.push_back(option);
  }
  if (home != none && !options.empty()) {
    Needs here = use[home];
    here -= heard.leaves;
    const double less = limits.excess(here) - limits.excess(use[home]);
    for (Option &option : options)
      option.excess += less;
  }
  return options;
}

const std::vector<Parts::Option> &Parts::optionsOf(uint32_t v, uint32_t extra) {
  return optionsOf(v, own, extra);
}

void Parts::touchTargets(const Net &net, uint32_t home, OptionScratch &scratch,
                         double &total) const {
  const PinCount *entry = &entries[net.begin];
  for (uint32_t k = 0; k < net.size; ++k) {
    const uint32_t p = entry[k].part;
    scratch.touch(p);
    if (prices.between || net.own)
      continue;
    scratch.common[p].cost += net.rate;
    if (p == home)
      total += net.rate;
  }
}

/// The rest of the cost with prices: entering `to` at full price, and the
/// vertex's own messages from there instead of from here.
double Parts::priceOfPart(uint32_t v, uint32_t home, uint32_t to,
                          double hostRate, const OptionScratch &scratch) const {
  const double *between = prices.between;
  const uint64_t parts = this->parts();
  double sum = hostRate * prices.host[to];
  for (uint32_t s : scratch.touched)
    sum += scratch.common[s].fromHere * between[s * parts + to];
  for (uint64_t i = graph.out.begin[v]; i < graph.out.begin[v + 1]; ++i) {
    const uint32_t e = graph.out.value[i];
    const Net &net = nets[e];
    const bool last =
        net.own && std::find(scratch.ownLast.begin(), scratch.ownLast.end(),
                             e) != scratch.ownLast.end();
    bool there = !net.own;
    double messages = 0;
    for (uint32_t k = 0; k < net.size; ++k) {
      const uint32_t p = entries[net.begin + k].part;
      there = there || p == to;
      if (home != none)
        messages -= between[home * parts + p];
      if (!(last && p == home))
        messages += between[to * parts + p];
    }
    if (!there)
      messages += between[to * parts + to];
    sum += net.rate * messages;
  }
  return sum;
}

} // namespace dendrolith::cluster
