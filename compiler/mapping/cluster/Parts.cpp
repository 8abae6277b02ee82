// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/Parts.h"

#include <algorithm>

namespace dendrolith::cluster {

Parts::Parts(const Hypergraph &graph, const CoreLimits &limits, uint32_t parts,
             std::vector<uint32_t> given, MessagePrices prices)
    : graph(graph), limits(limits), prices(prices),
      part(graph.vertices(), none), nets(graph.nets()), use(parts),
      outOf(graph.vertices()),
      tokenCount(uint64_t(parts) * limits.tokens.size()), own(parts) {
  uint64_t room = 0;
  for (uint32_t e = 0; e < graph.nets(); ++e) {
    Net &net = nets[e];
    net.begin = room;
    net.rate = graph.rate[e];
    net.source = graph.source[e];
    net.table = graph.table[e];
    room += std::min<uint64_t>(graph.pins.size(e), parts);
    for (uint64_t i = graph.pins.begin[e];
         i < graph.pins.begin[e + 1] && net.source != none; ++i)
      net.own = net.own || graph.pins.value[i] == net.source;
  }
  entries.resize(room);
  for (uint32_t v = 0; v < graph.vertices(); ++v)
    outOf[v] = graph.needs[v].out;
  // Sources first, then net by net: that is the order of the memory.
  for (uint32_t v = 0; v < graph.vertices(); ++v) {
    part[v] = given[v];
    if (given[v] == none)
      continue;
    use[given[v]] += graph.needs[v];
    addToken(v, given[v], 1);
  }
  for (uint32_t e = 0; e < graph.nets(); ++e) {
    if (nets[e].source != none)
      nets[e].core = part[nets[e].source];
    for (uint64_t i = graph.pins.begin[e]; i < graph.pins.begin[e + 1]; ++i)
      if (uint32_t p = part[graph.pins.value[i]]; p != none)
        enter(e, p, graph.weightOfPin(i));
  }
  pushed = false;
}

void Parts::changeOut(const Net &net, double by) {
  if (net.source == none)
    return;
  outOf[net.source] += by;
  if (net.core == none)
    return;
  double &out = use[net.core].out;
  out += by;
  pushed = pushed || (by > 0 && out * limits.out > 1);
}

void Parts::enter(uint32_t e, uint32_t p, uint32_t weight) {
  Net &net = nets[e];
  PinCount *at = &entries[net.begin], *end = at + net.size;
  while (at != end && at->part != p)
    ++at;
  const bool fresh = at == end;
  if (fresh) {
    *at = {p, 0};
    ++net.size;
    net.reached.flip(p);
  }
  if (net.table != fixedNet) {
    if (fresh) {
      use[p].in += 1;
      changeOut(net, 1);
    }
    if (limits.countsWords)
      use[p].words +=
          wordsOf(net, at->synapses + weight) - wordsOf(net, at->synapses);
  }
  at->synapses += weight;
}

void Parts::leave(uint32_t e, uint32_t p, uint32_t weight) {
  Net &net = nets[e];
  PinCount *at = &entries[net.begin];
  while (at->part != p)
    ++at;
  if (net.table != fixedNet && limits.countsWords)
    use[p].words +=
        wordsOf(net, at->synapses - weight) - wordsOf(net, at->synapses);
  at->synapses -= weight;
  if (at->synapses > 0)
    return;
  *at = entries[net.begin + --net.size];
  net.reached.flip(p);
  if (net.table != fixedNet) {
    use[p].in -= 1;
    changeOut(net, -1);
  }
}

void Parts::addToken(uint32_t v, uint32_t p, int by) {
  for (uint64_t i = graph.tokens.begin[v]; i < graph.tokens.begin[v + 1]; ++i) {
    const uint32_t t = graph.tokens.value[i];
    uint32_t &count = tokenCount[uint64_t(p) * limits.tokens.size() + t];
    if (count == 0)
      use[p].bytes += limits.tokens[t].bytes;
    count += uint32_t(by);
    if (count == 0)
      use[p].bytes -= limits.tokens[t].bytes;
  }
}

void Parts::move(uint32_t v, uint32_t to) {
  const uint32_t home = part[v];
  Needs needs = graph.needs[v];
  needs.out = outOf[v];
  pushed = false;
  if (home != none) {
    use[home] -= needs;
    addToken(v, home, -1);
  }
  use[to] += needs;
  addToken(v, to, 1);
  part[v] = to;
  for (uint64_t i = graph.out.begin[v]; i < graph.out.begin[v + 1]; ++i)
    nets[graph.out.value[i]].core = to;
  for (uint64_t i = graph.in.begin[v]; i < graph.in.begin[v + 1]; ++i) {
    fetchAhead(graph.in, i, graph.in.begin[v + 1]);
    if (home != none)
      leave(graph.in.value[i], home, graph.weightOfIn(i));
    enter(graph.in.value[i], to, graph.weightOfIn(i));
  }
}

bool Parts::tokensFit(uint32_t v, uint32_t to) const {
  if (limits.tokens.empty())
    return true;
  std::array<double, numResources> used{};
  const uint32_t *count = &tokenCount[uint64_t(to) * limits.tokens.size()];
  auto add = [&](const Token &token) {
    used[token.resource] += token.resource == ProgramWords ? token.words : 1;
  };
  double bytes = 0;
  bool more = false;
  for (uint64_t i = graph.tokens.begin[v]; i < graph.tokens.begin[v + 1]; ++i)
    if (count[graph.tokens.value[i]] == 0) {
      add(limits.tokens[graph.tokens.value[i]]);
      bytes += limits.tokens[graph.tokens.value[i]].bytes;
      more = true;
    }
  if (!more)
    return true;
  for (size_t t = 0; t < limits.tokens.size(); ++t)
    if (count[t] > 0)
      add(limits.tokens[t]);
  for (int r : {int(ProgramWords), int(DecayProfiles), int(ThresholdProfiles)})
    if (limits.capacity.of[r] != unlimited &&
        used[r] > double(limits.capacity.of[r]))
      return false;
  if (bytes == 0 || limits.bytes == 0)
    return true;
  Needs after = use[to];
  after.bytes += bytes + graph.needs[v].bytes;
  return limits.excess(after) <= limits.excess(use[to]);
}

bool Parts::tokensExceed(uint32_t p) const {
  std::array<double, numResources> used{};
  for (size_t t = 0; t < limits.tokens.size(); ++t)
    if (tokenCount[uint64_t(p) * limits.tokens.size() + t] > 0)
      used[limits.tokens[t].resource] +=
          limits.tokens[t].resource == ProgramWords ? limits.tokens[t].words
                                                    : 1;
  for (int r : {int(ProgramWords), int(DecayProfiles), int(ThresholdProfiles)})
    if (limits.capacity.of[r] != unlimited &&
        used[r] > double(limits.capacity.of[r]))
      return true;
  return false;
}

double Parts::cost() const {
  double sum = 0;
  for (const Net &net : nets) {
    double messages = 0;
    for (uint32_t k = 0; k < net.size; ++k) {
      uint32_t p = entries[net.begin + k].part;
      if (!prices.between)
        messages += net.source == none || net.core != p;
      else
        messages += net.source == none
                        ? prices.host[p]
                        : prices.between[uint64_t(net.core) * parts() + p];
    }
    sum += net.rate * messages;
  }
  return sum;
}

std::vector<double> Parts::wordsByTable(size_t tables) const {
  std::vector<double> words(tables);
  for (const Net &net : nets)
    for (uint32_t k = 0; k < net.size && net.table != fixedNet; ++k)
      words[net.table] += wordsOf(net, entries[net.begin + k].synapses);
  return words;
}

double Parts::excess() const {
  double sum = 0;
  for (const Needs &needs : use)
    sum += limits.excess(needs);
  return sum;
}

} // namespace dendrolith::cluster
