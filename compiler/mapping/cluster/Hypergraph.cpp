// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/Hypergraph.h"

#include <algorithm>

namespace dendrolith::cluster {

void Hypergraph::transpose() {
  const uint32_t vertices = this->vertices();
  in.begin.assign(uint64_t(vertices) + 1, 0);
  out.begin.assign(uint64_t(vertices) + 1, 0);
  for (uint32_t v : pins.value)
    ++in.begin[v + 1];
  for (uint32_t v : source)
    if (v != none)
      ++out.begin[v + 1];
  for (uint32_t v = 0; v < vertices; ++v) {
    in.begin[v + 1] += in.begin[v];
    out.begin[v + 1] += out.begin[v];
  }
  in.value.resize(in.begin.back());
  inWeight.resize(pinWeight.size());
  out.value.resize(out.begin.back());
  std::vector<uint64_t> nextIn(in.begin.begin(), in.begin.end() - 1);
  std::vector<uint64_t> nextOut(out.begin.begin(), out.begin.end() - 1);
  for (uint32_t e = 0; e < nets(); ++e) {
    for (uint64_t i = pins.begin[e]; i < pins.begin[e + 1]; ++i) {
      uint64_t at = nextIn[pins.value[i]]++;
      in.value[at] = e;
      if (!pinWeight.empty())
        inWeight[at] = pinWeight[i];
    }
    if (source[e] != none)
      out.value[nextOut[source[e]]++] = e;
  }
}

/// The tokens of each label, rising and unique.
static Lists contractTokens(const Hypergraph &graph,
                            const std::vector<uint32_t> &label,
                            uint32_t count) {
  Lists tokens;
  if (graph.tokens.value.empty()) {
    tokens.begin.assign(uint64_t(count) + 1, 0);
    return tokens;
  }
  std::vector<std::vector<uint32_t>> of(count);
  for (uint32_t v = 0; v < graph.vertices(); ++v)
    for (uint64_t i = graph.tokens.begin[v]; i < graph.tokens.begin[v + 1];
         ++i) {
      std::vector<uint32_t> &all = of[label[v]];
      uint32_t token = graph.tokens.value[i];
      auto at = std::lower_bound(all.begin(), all.end(), token);
      if (at == all.end() || *at != token)
        all.insert(at, token);
    }
  for (const std::vector<uint32_t> &all : of) {
    tokens.value.insert(tokens.value.end(), all.begin(), all.end());
    tokens.begin.push_back(tokens.value.size());
  }
  return tokens;
}

Hypergraph contract(const Hypergraph &graph, const std::vector<uint32_t> &label,
                    uint32_t count) {
  Hypergraph made;
  made.rate = graph.rate;
  made.table = graph.table;
  made.needs.resize(count);
  for (uint32_t v = 0; v < graph.vertices(); ++v)
    made.needs[label[v]] += graph.needs[v];
  made.tokens = contractTokens(graph, label, count);
  made.source.reserve(graph.nets());
  made.pins.begin.reserve(uint64_t(graph.nets()) + 1);
  std::vector<uint64_t> seenAt(count, 0); // 1 + place of the label's pin
  for (uint32_t e = 0; e < graph.nets(); ++e) {
    const uint64_t begin = made.pins.value.size();
    for (uint64_t i = graph.pins.begin[e]; i < graph.pins.begin[e + 1]; ++i) {
      uint32_t to = label[graph.pins.value[i]];
      if (seenAt[to] <= begin) {
        made.pins.value.push_back(to);
        made.pinWeight.push_back(0);
        seenAt[to] = made.pins.value.size();
      }
      made.pinWeight[seenAt[to] - 1] += graph.weightOfPin(i);
    }
    made.pins.begin.push_back(made.pins.value.size());
    made.source.push_back(graph.source[e] == none ? none
                                                  : label[graph.source[e]]);
  }
  made.pins.value.shrink_to_fit();
  made.pinWeight.shrink_to_fit();
  made.transpose();
  return made;
}

} // namespace dendrolith::cluster
