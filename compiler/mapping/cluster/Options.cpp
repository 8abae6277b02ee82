// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a vertex would change in each part that it has something in common with:
// one pass over its nets gives all parts at once.

#include "compiler/mapping/cluster/Parts.h"

#include <algorithm>

namespace neurite::cluster {

template <bool kPriced>
Parts::Heard Parts::hear(uint32_t v, uint32_t from, Look &look) const {
  Heard heard;
  heard.enters = heard.leaves = graph.needs[v];
  heard.enters.out = heard.leaves.out = outOf[v];
  for (uint64_t i = graph.in.begin[v]; i < graph.in.begin[v + 1]; ++i) {
    fetchAhead(graph.in, i, graph.in.begin[v + 1]);
    const uint32_t e = graph.in.value[i], weight = graph.weightOfIn(i);
    const Net &net = nets[e];
    const bool counted = net.table != fixedNet;
    const bool self = net.own && net.source == v;
    // Of a list of its own, and about that in a list that is there.
    const bool hasWords = counted && limits.countsWords;
    const double alone = hasWords ? wordsOf(net, weight) : 0;
    const double more = hasWords ? limits.wordsEach[net.table] * weight : 0;
    // What any part has of it that the net reaches.
    const bool isFree = kPriced && (self || net.core == none);
    const double rate = isFree && net.source != none ? 0 : net.rate;
    const double *price = kPriced ? pricesOf(net) : nullptr;
    const double axons = counted, words = more - alone;
    const uint32_t core = self ? none : net.core;
    bool reachesSource = self || net.core == none;
    uint32_t here = 0; // synapses in `from`
    const Entry *const end = &entries[net.begin] + net.size;
    for (const Entry *entry = &entries[net.begin]; entry != end; ++entry) {
      const uint32_t p = entry->part;
      here = p == from ? entry->synapses : here;
      reachesSource |= p == core;
      look.touch(p);
      Look::Common &c = look.common[p];
      Look::add(&c.cost, Look::Two{kPriced ? rate * price[p] : rate, words});
      c.axons += axons;
    }
    if (here > 0) {
      const bool last = here == weight;
      if (counted) {
        heard.leaves.in += last;
        heard.leaves.words += last ? alone : more;
      }
      if (last && self)
        look.ownLast.push_back(e);
      if (last && (kPriced || from != core))
        heard.total -= kPriced ? rate * price[from] : rate;
    }
    if (counted) {
      heard.enters.in += 1;
      heard.enters.words += alone;
    }
    if (!kPriced) {
      heard.total += rate;
      if (!reachesSource) {
        look.touch(net.core);
        look.common[net.core].cost += rate;
      }
    } else if (net.source == none) {
      heard.hostRate += rate;
    } else if (!isFree) {
      look.touch(net.core);
      look.common[net.core].fromHere += rate;
    }
  }
  return heard;
}

const std::vector<Parts::Option> &Parts::optionsOf(uint32_t v, Look &look,
                                                   uint32_t extra) const {
  const uint32_t from = part[v];
  const bool priced = prices.between != nullptr;
  look.begin();
  std::vector<Option> &options = look.options;
  if (extra != none)
    look.touch(extra);
  Heard heard = priced ? hear<true>(v, from, look) : hear<false>(v, from, look);
  for (uint64_t i = graph.out.begin[v]; i < graph.out.begin[v + 1]; ++i)
    touchTargets(nets[graph.out.value[i]], from, look, heard.total);
  for (uint32_t p : look.touched) {
    if (p == from)
      continue;
    const Look::Common &c = look.common[p];
    Option option;
    option.part = p;
    option.cost = heard.total - c.cost;
    if (priced)
      option.cost += priceOfPart(v, from, p, heard.hostRate, look);
    Needs there = use[p];
    there += heard.enters;
    there.in -= c.axons;
    there.words += c.words;
    option.there = limits.excess(there);
    option.excess = option.there - limits.excess(use[p]);
    options.push_back(option);
  }
  if (from != none && !options.empty()) {
    Needs here = use[from];
    here -= heard.leaves;
    const double less = limits.excess(here) - limits.excess(use[from]);
    for (Option &option : options)
      option.excess += less;
  }
  return options;
}

const std::vector<Parts::Option> &Parts::optionsOf(uint32_t v, uint32_t extra) {
  return optionsOf(v, own, extra);
}

void Parts::touchTargets(const Net &net, uint32_t from, Look &look,
                         double &total) const {
  const Entry *entry = &entries[net.begin];
  for (uint32_t k = 0; k < net.size; ++k) {
    const uint32_t p = entry[k].part;
    look.touch(p);
    if (prices.between || net.own)
      continue;
    look.common[p].cost += net.rate;
    if (p == from)
      total += net.rate;
  }
}

/// What is left to add with prices: entering `to` at full price, and the
/// vertex's own messages from there instead of from here.
double Parts::priceOfPart(uint32_t v, uint32_t from, uint32_t to,
                          double hostRate, const Look &look) const {
  const double *between = prices.between;
  const uint64_t parts = this->parts();
  double sum = hostRate * prices.host[to];
  for (uint32_t s : look.touched)
    sum += look.common[s].fromHere * between[s * parts + to];
  for (uint64_t i = graph.out.begin[v]; i < graph.out.begin[v + 1]; ++i) {
    const uint32_t e = graph.out.value[i];
    const Net &net = nets[e];
    const bool last =
        net.own && std::find(look.ownLast.begin(), look.ownLast.end(), e) !=
                       look.ownLast.end();
    bool there = !net.own;
    double messages = 0;
    for (uint32_t k = 0; k < net.size; ++k) {
      const uint32_t p = entries[net.begin + k].part;
      there = there || p == to;
      if (from != none)
        messages -= between[from * parts + p];
      if (!(last && p == from))
        messages += between[to * parts + p];
    }
    if (!there)
      messages += between[to * parts + to];
    sum += net.rate * messages;
  }
  return sum;
}

} // namespace neurite::cluster
