// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a vertex would change in each part that it has something in common with:
// one pass over its nets gives all parts at once.

#include "compiler/mapping/cluster/Parts.h"

#include <algorithm>

namespace neurite::cluster {

const std::vector<Parts::Option> &Parts::optionsOf(uint32_t v, uint32_t extra) {
  const uint32_t from = part[v];
  ++stamp;
  touched.clear();
  options.clear();
  if (extra != none)
    touch(extra);
  double total = 0;    // cost of a part without anything in common
  double hostRate = 0; // of inputs
  Needs enters = graph.needs[v], leaves = graph.needs[v];
  enters.out = leaves.out = outOf[v];
  const bool priced = prices.between != nullptr;
  ownLast.clear();
  for (uint64_t i = graph.in.begin[v]; i < graph.in.begin[v + 1]; ++i) {
    const uint32_t e = graph.in.value[i], weight = graph.weightOfIn(i);
    const Net &net = nets[e];
    const bool counted = net.table != fixedNet;
    const bool self = net.own && net.source == v;
    // Of a list of its own, and about that in a list that is there.
    const double alone =
        counted && limits.countsWords ? wordsOf(net, weight) : 0;
    const double more = counted && limits.countsWords
                            ? limits.wordsEach[net.table] * weight
                            : 0;
    const Entry *entry = &entries[net.begin];
    bool reachesSource = self || net.core == none;
    for (uint32_t k = 0; k < net.size; ++k) {
      const uint32_t p = entry[k].part, synapses = entry[k].synapses;
      const bool atSource = p == net.core && !self;
      reachesSource = reachesSource || atSource;
      if (p == from) {
        const bool last = synapses == weight;
        if (counted) {
          leaves.in += last;
          leaves.words += last ? alone : more;
        }
        if (last && self)
          ownLast.push_back(e);
        if (last && !(priced ? self : atSource))
          total -= net.rate * priceOf(net, p);
        continue;
      }
      touch(p);
      Common &c = common[p];
      if (!priced)
        c.cost += net.rate;
      else if (!self)
        c.cost += net.rate * priceOf(net, p);
      if (counted) {
        c.axons += 1;
        c.words += more - alone;
      }
    }
    if (counted) {
      enters.in += 1;
      enters.words += alone;
    }
    if (!priced) {
      total += net.rate;
      if (!reachesSource) {
        touch(net.core);
        common[net.core].cost += net.rate;
      }
    } else if (net.source == none) {
      hostRate += net.rate;
    } else if (!self && net.core != none) {
      touch(net.core);
      common[net.core].fromHere += net.rate;
    }
  }
  for (uint64_t i = graph.out.begin[v]; i < graph.out.begin[v + 1]; ++i)
    touchTargets(nets[graph.out.value[i]], from, priced, total);
  for (uint32_t p : touched) {
    if (p == from)
      continue;
    const Common &c = common[p];
    Option option;
    option.part = p;
    option.cost = total - c.cost;
    if (priced)
      option.cost += priceOfPart(v, from, p, hostRate);
    Needs there = use[p];
    there += enters;
    there.in -= c.axons;
    there.words += c.words;
    option.there = limits.excess(there);
    option.excess = option.there - limits.excess(use[p]);
    options.push_back(option);
  }
  if (from != none && !options.empty()) {
    Needs here = use[from];
    here -= leaves;
    const double less = limits.excess(here) - limits.excess(use[from]);
    for (Option &option : options)
      option.excess += less;
  }
  return options;
}

void Parts::touchTargets(const Net &net, uint32_t from, bool priced,
                         double &total) {
  const Entry *entry = &entries[net.begin];
  for (uint32_t k = 0; k < net.size; ++k) {
    const uint32_t p = entry[k].part;
    touch(p);
    if (priced || net.own)
      continue;
    common[p].cost += net.rate;
    if (p == from)
      total += net.rate;
  }
}

/// What is left to add with prices: entering `to` at full price, and the
/// vertex's own messages from there instead of from here.
double Parts::priceOfPart(uint32_t v, uint32_t from, uint32_t to,
                          double hostRate) const {
  const double *between = prices.between;
  const uint64_t parts = this->parts();
  double sum = hostRate * prices.host[to];
  for (uint32_t s : touched)
    sum += common[s].fromHere * between[s * parts + to];
  for (uint64_t i = graph.out.begin[v]; i < graph.out.begin[v + 1]; ++i) {
    const uint32_t e = graph.out.value[i];
    const Net &net = nets[e];
    const bool last = net.own && std::find(ownLast.begin(), ownLast.end(), e) !=
                                     ownLast.end();
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
