// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/WeightRows.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace dendrolith {
namespace {

using Eigen::Index;

/// Disjoint sets of targets.
class Sets {
public:
  explicit Sets(size_t count) : parent(count) {
    std::iota(parent.begin(), parent.end(), uint32_t(0));
  }
  uint32_t find(uint32_t at) {
    while (parent[at] != at)
      at = parent[at] = parent[parent[at]];
    return at;
  }
  /// The smaller target stands for both.
  void unite(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    parent[std::max(a, b)] = std::min(a, b);
  }

private:
  std::vector<uint32_t> parent;
};

} // namespace

WeightRows rowsOf(const SynapseArrays<double> &synapses, size_t targets) {
  constexpr uint32_t none = UINT32_MAX;
  Sets sets(targets);
  std::vector<uint32_t> userOf(synapses.weights.size(), none);
  for (size_t k = 0; k < synapses.size(); ++k) {
    uint32_t &user = userOf[synapses.indexOf(k)];
    if (user == none)
      user = synapses.target[k];
    else
      sets.unite(user, synapses.target[k]);
  }
  WeightRows all;
  std::vector<uint32_t> rowOf(targets, none), place(targets, none);
  for (uint32_t n = 0; n < targets; ++n) {
    uint32_t first = sets.find(n);
    if (rowOf[first] == none) {
      rowOf[first] = uint32_t(all.rows.size());
      all.rows.emplace_back();
    }
    rowOf[n] = rowOf[first];
    place[n] = uint32_t(all.rows[rowOf[n]].targets.size());
    all.rows[rowOf[n]].targets.push_back(n);
  }
  std::vector<uint32_t> position(userOf.size(), 0);
  for (size_t w = 0; w < userOf.size(); ++w)
    if (userOf[w] != none) {
      WeightRow &row = all.rows[rowOf[userOf[w]]];
      position[w] = uint32_t(row.weights.size());
      row.weights.push_back(uint32_t(w));
    }
  std::vector<RowInputs> seen(all.rows.size());
  for (size_t r = 0; r < all.rows.size(); ++r)
    seen[r].resize(all.rows[r].targets.size());
  for (size_t k = 0; k < synapses.size(); ++k) {
    uint32_t n = synapses.target[k];
    seen[rowOf[n]][place[n]].emplace_back(position[synapses.indexOf(k)],
                                          synapses.source[k]);
  }
  std::map<RowInputs, size_t> known;
  for (size_t r = 0; r < all.rows.size(); ++r) {
    auto [at, isNew] = known.emplace(std::move(seen[r]), all.inputs.size());
    if (isNew)
      all.inputs.push_back(at->first);
    all.rows[r].inputs = at->second;
  }
  return all;
}

Eigen::VectorXd meanInput(const RowInputs &inputs, size_t width,
                          const std::vector<double> &mean) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(Index(width));
  for (const auto &target : inputs)
    for (auto [position, source] : target)
      sum[position] += mean[source];
  return sum / double(std::max<size_t>(inputs.size(), 1));
}

InputMetric metricOf(const RowInputs &inputs, size_t width,
                     const SourceMoments &source, bool centred) {
  const double targets = double(std::max<size_t>(inputs.size(), 1));
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(Index(width));
  if (centred)
    mean = meanInput(inputs, width, source.mean);
  if (source.products.size() == 0) {
    Eigen::VectorXd squares = meanInput(inputs, width, source.square);
    return InputMetric::independent((squares - mean.cwiseAbs2()).cwiseMax(0.0));
  }
  Eigen::MatrixXd products = Eigen::MatrixXd::Zero(Index(width), Index(width));
  for (const auto &target : inputs)
    for (auto [a, i] : target)
      for (auto [b, j] : target)
        products(b, a) += source.products(j, i);
  products /= targets;
  products -= mean * mean.transpose();
  return InputMetric::correlated(std::move(products));
}

} // namespace dendrolith
