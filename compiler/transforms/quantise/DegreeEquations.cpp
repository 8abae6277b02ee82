// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/DegreeEquations.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;

namespace dendrolith {
namespace {

// Factors of degrees beyond this would leave the range of the formats.
constexpr double kMostDegree = 4;
constexpr double kTiny = 1e-9;

// A row has its sum behind its factors.
using EquationRow = std::vector<double>;

/// Brings rows into reduced echelon form, the columns from left to right;
/// gives the column of each row that has one left, or nothing where a row
/// contradicts the others.
std::optional<std::vector<size_t>> eliminate(std::vector<EquationRow> &rows,
                                             size_t columns) {
  std::vector<size_t> pivots;
  for (size_t c = 0; c < columns && pivots.size() < rows.size(); ++c) {
    const size_t top = pivots.size();
    size_t best = top;
    for (size_t r = top; r < rows.size(); ++r)
      if (std::fabs(rows[r][c]) > std::fabs(rows[best][c]))
        best = r;
    if (std::fabs(rows[best][c]) < kTiny)
      continue;
    std::swap(rows[top], rows[best]);
    const double by = rows[top][c];
    for (double &value : rows[top])
      value /= by;
    for (size_t r = 0; r < rows.size(); ++r) {
      const double times = rows[r][c];
      if (r == top || times == 0)
        continue;
      for (size_t k = c; k <= columns; ++k)
        rows[r][k] -= times * rows[top][k];
    }
    pivots.push_back(c);
  }
  for (size_t r = pivots.size(); r < rows.size(); ++r)
    if (std::fabs(rows[r][columns]) > kTiny)
      return std::nullopt;
  return pivots;
}

} // namespace

unsigned DegreeEquations::node(Value value) {
  auto [at, isNew] = nodes.try_emplace(value, unsigned(parent.size()));
  if (isNew) {
    parent.push_back(at->second);
    ranks.push_back(0);
  }
  return at->second;
}

unsigned DegreeEquations::find(unsigned node) const {
  while (parent[node] != node)
    node = parent[node];
  return node;
}

void DegreeEquations::unite(Value a, Value b) {
  unsigned first = find(node(a)), second = find(node(b));
  if (first > second)
    std::swap(first, second);
  parent[second] = first;
  ranks[first] = std::max(ranks[first], ranks[second]);
}

void DegreeEquations::rank(Value value, unsigned as) {
  unsigned &rank = ranks[find(node(value))];
  rank = std::max(rank, as);
}

/// The column of each node: those of low rank come first, and are what is left
/// to follow from the others.
std::vector<unsigned> DegreeEquations::columnsByRank(unsigned &columns) const {
  std::vector<unsigned> roots;
  for (unsigned n = 0; n < parent.size(); ++n)
    if (find(n) == n)
      roots.push_back(n);
  std::stable_sort(roots.begin(), roots.end(),
                   [&](unsigned a, unsigned b) { return ranks[a] < ranks[b]; });
  std::vector<unsigned> column(parent.size());
  for (unsigned c = 0; c < roots.size(); ++c)
    column[roots[c]] = c;
  for (unsigned n = 0; n < parent.size(); ++n)
    column[n] = column[find(n)];
  columns = unsigned(roots.size());
  return column;
}

std::optional<llvm::DenseMap<Value, int>> DegreeEquations::solve() {
  for (const Equation &equation : equations)
    for (auto [value, factor] : equation.terms)
      node(value);
  unsigned columns = 0;
  const std::vector<unsigned> column = columnsByRank(columns);
  std::vector<EquationRow> rows;
  for (const Equation &equation : equations) {
    EquationRow row(columns + 1, 0.0);
    for (auto [value, factor] : equation.terms)
      row[column[nodes.lookup(value)]] += factor;
    row[columns] = equation.sum;
    rows.push_back(std::move(row));
  }
  auto pivots = eliminate(rows, columns);
  if (!pivots)
    return std::nullopt;
  std::vector<double> number(columns, 0.0);
  for (size_t r = 0; r < pivots->size(); ++r)
    number[(*pivots)[r]] = rows[r][columns];
  for (double value : number)
    if (std::fabs(value - std::round(value)) > kTiny ||
        std::fabs(value) > kMostDegree)
      return std::nullopt;
  llvm::DenseMap<Value, int> solved;
  for (auto [value, node] : nodes)
    solved[value] = int(std::lround(number[column[node]]));
  return solved;
}

} // namespace dendrolith
