// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/Degrees.h"

#include "compiler/transforms/quantise/BodyRewriter.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;

namespace dendrolith {
namespace {

// Which degrees are rather not 0, the first ones first.
enum Rank : unsigned { kInner, kParam, kState, kOutput, kPort };

/// A literal of zeros has every degree: each use of it is one by itself.
bool isZero(Value value) {
  auto literal = value.getDefiningOp<dend::LiteralOp>();
  return literal && magnitudeOf(literal) == 0;
}

class DegreesReader {
public:
  DegreesReader(dend::NeuronOp model, DegreeEquations &equations)
      : model(model), equations(equations) {}

  /// False where an op is not known to be homogeneous.
  bool read(StringRef port) {
    for (BlockArgument argument : model.getBlock().getArguments())
      if (dend::isComplex(argument.getType()))
        return false;
    rankArguments();
    WalkResult walked = model.getBlock().walk([&](Operation *op) {
      return readOp(op) ? WalkResult::advance() : WalkResult::interrupt();
    });
    const int at = model.findPort(port);
    if (walked.wasInterrupted() || at < 0)
      return false;
    equations.add({{model.getPortArgs()[at], 1}}, 1);
    return true;
  }

private:
  void rankArguments() {
    auto rank = [&](ValueRange values, Rank as) {
      for (Value value : values)
        if (dend::isReal(value.getType()) && !isZero(value))
          equations.rank(value, as);
    };
    rank(model.getParamArgs(), kParam);
    rank(model.getStateArgs(), kState);
    rank(yield().getEmitted(), kOutput);
    rank(model.getPortArgs(), kPort);
  }

  dend::YieldOp yield() {
    return cast<dend::YieldOp>(model.getBlock().getTerminator());
  }

  void fix(Value value) {
    if (dend::isReal(value.getType()) && !isZero(value))
      equations.add({{value, 1}}, 0);
  }

  void unite(ArrayRef<Value> values) {
    Value first;
    for (Value value : values) {
      if (!dend::isReal(value.getType()) || isZero(value))
        continue;
      if (first)
        equations.unite(first, value);
      first = value;
    }
  }

  /// result = lhs + sign rhs, in degrees.
  void product(Value result, Value lhs, Value rhs, int sign = 1) {
    if (!isZero(lhs) && !isZero(rhs))
      equations.add({{result, 1}, {lhs, -1}, {rhs, -sign}}, 0);
  }

  bool readOp(Operation *op) {
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case([&](dend::LiteralOp literal) {
          fix(literal.getResult());
          return true;
        })
        .Case<dend::MulOp, dend::DotOp, dend::MatVecOp, dend::VecMatOp>(
            [&](auto mul) {
              if (dend::isReal(mul.getResult().getType()))
                product(mul.getResult(), mul.getLhs(), mul.getRhs());
              return true;
            })
        .Case([&](dend::DivOp div) {
          product(div.getResult(), div.getLhs(), div.getRhs(), -1);
          return true;
        })
        .Case([&](dend::OuterAddOp outer) {
          unite({outer.getAccumulator(), outer.getResult()});
          product(outer.getResult(), outer.getLhs(), outer.getRhs());
          return true;
        })
        .Case([&](dend::MathOp math) {
          fix(math.getInput());
          fix(math.getResult());
          return true;
        })
        .Case([&](dend::ToRealOp real) {
          fix(real.getResult());
          return true;
        })
        .Case([&](dend::YieldOp yield) {
          for (auto [old, next] :
               llvm::zip_equal(model.getStateArgs(), yield.getStates()))
            unite({old, next});
          return true;
        })
        .Case<dend::GiveOp, dend::TopKOp>([](Operation *) { return true; })
        .Default([&](Operation *other) { return readOther(other); });
  }

  /// An op whose operands and results have one format where they are real has
  /// one degree there, too.
  bool readOther(Operation *op) {
    auto isReal = [](Type type) {
      return dend::isReal(type) || dend::isComplex(type);
    };
    auto body = dyn_cast<dend::BodyOpInterface>(op);
    const auto groups =
        body ? body.getFormatGroups() : SmallVector<dend::FormatGroup>();
    if (groups.empty())
      return llvm::none_of(op->getOperandTypes(), isReal) &&
             llvm::none_of(op->getResultTypes(), isReal);
    for (const dend::FormatGroup &group : groups)
      unite(group);
    return true;
  }

  dend::NeuronOp model;
  DegreeEquations &equations;
};

} // namespace

std::optional<Degrees> Degrees::of(dend::NeuronOp model, StringRef port) {
  DegreeEquations equations;
  if (!DegreesReader(model, equations).read(port))
    return std::nullopt;
  auto solved = equations.solve();
  if (!solved)
    return std::nullopt;
  Degrees found;
  found.degrees = std::move(*solved);
  return found;
}

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
