// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This decides for every value of a body which parts can compute it.

#include "compiler/transforms/rewrites/WideBody.h"

#include "compiler/transforms/network/BoundModel.h"
#include "compiler/transforms/rewrites/StateGroups.h"

#include "fmt/format.h"

using namespace mlir;

namespace dendrolith {
namespace {

std::string valueText(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return "one of its arguments";
  std::string text = "'" + op->getName().getStringRef().str() + "'";
  std::string place;
  if (auto file = dyn_cast<FileLineColLoc>(op->getLoc()))
    place = fmt::format(" at line {}", file.getLine());
  return text + place;
}

class Classifier {
public:
  Classifier(WideBody &body, std::string &why) : body(body), why(why) {}

  /// Whether every state stays where it is; if not, `why` says which value
  /// would have to come back from the combiner.
  bool run() {
    dend::NeuronOp model = body.model;
    for (;;) {
      body.values.clear();
      for (BlockArgument argument : model.getBlock().getArguments())
        body.values[argument] = {};
      for (auto [s, state] : llvm::enumerate(model.getStateArgs()))
        body.values[state] = body.states[s];
      classify(model.getBlock());
      bool moved = false;
      for (auto [s, next] : llvm::enumerate(yieldOf(model).getStates())) {
        ValueClass &mine = body.states[s];
        const ValueClass &now = body.classOf(next);
        if (mine.kind == ValueClass::Joined || now.kind == ValueClass::Shared ||
            (now.kind == mine.kind && now.row == mine.row &&
             now.axis == mine.axis))
          continue;
        if (mine.kind != ValueClass::Shared) {
          why = fmt::format("state '{}' depends on {}, which needs all of them",
                            model.getState(unsigned(s)).getName().str(),
                            valueText(tieOf(next)));
          return false;
        }
        mine.kind = ValueClass::Joined;
        moved = true;
      }
      if (!moved)
        return true;
    }
  }

private:
  /// The first value, going back from one that is joined, that is joined
  /// although nothing it is computed by is.
  Value tieOf(Value value) {
    llvm::DenseSet<Value> seen;
    while (Operation *op = value.getDefiningOp()) {
      Value before;
      for (Value operand : op->getOperands())
        if (auto known = body.values.find(operand);
            !before && known != body.values.end() &&
            known->second.kind == ValueClass::Joined)
          before = operand;
      if (!before || !seen.insert(before).second)
        break;
      value = before;
    }
    return value;
  }

  void classify(Block &block) {
    for (Operation &op : block.without_terminator()) {
      if (auto when = dyn_cast<dend::WhenOp>(op)) {
        classify(when.getBody().front());
        classifyWhen(when);
        continue;
      }
      ValueClass found = classOf(&op);
      for (Value result : op.getResults())
        body.values[result] = found;
    }
  }

  ValueClass joined() { return {ValueClass::Joined, -1, kWhole, false}; }

  ValueClass classOf(Operation *op) {
    ValueClass from;
    for (Value operand : op->getOperands()) {
      const ValueClass &its = body.classOf(operand);
      if (its.kind == ValueClass::Shared)
        continue;
      if (its.kind == ValueClass::Joined ||
          (from.kind != ValueClass::Shared && its.row != from.row))
        return joined();
      from = its;
    }
    if (from.kind != ValueClass::Sliced)
      return from;
    if (op->getNumResults() != 1)
      return joined();
    ArrayRef<int64_t> shape = dend::shapeOf(op->getResult(0).getType());
    for (int axis = 0; axis < int(shape.size()); ++axis) {
      auto axes = operandAxes(op, axis);
      if (axes && shape[size_t(axis)] == body.length && available(op, *axes))
        return {ValueClass::Sliced, from.row, axis, false};
    }
    if (auto axes = summedAxes(op, from.axis); axes && available(op, *axes))
      return {ValueClass::Joined, from.row, kWhole, true};
    return joined();
  }

  /// Whether a part has the operands in slices along these axes.
  bool available(Operation *op, ArrayRef<int> axes) {
    for (auto [operand, axis] : llvm::zip_equal(op->getOperands(), axes)) {
      const ValueClass &its = body.classOf(operand);
      if (its.kind == ValueClass::Sliced ? its.axis != axis
                                         : axis >= 0 && !divides(operand, axis))
        return false;
    }
    return true;
  }

  /// Whether a part can have a shared value in slices.
  bool divides(Value value, int axis) {
    ArrayRef<int64_t> shape = dend::shapeOf(value.getType());
    if (size_t(axis) >= shape.size() || shape[size_t(axis)] != body.length)
      return false;
    dend::NeuronOp model = body.model;
    Operation *op = value.getDefiningOp();
    // Along the first axis there is an op that slices.
    if (axis == 0 || llvm::is_contained(model.getParamArgs(), value) ||
        isa_and_nonnull<dend::LiteralOp>(op))
      return true;
    auto axes = op ? operandAxes(op, axis) : std::nullopt;
    return axes && llvm::all_of(llvm::zip_equal(op->getOperands(), *axes),
                                [&](auto pair) {
                                  auto [operand, its] = pair;
                                  return its < 0 || divides(operand, its);
                                });
  }

  /// All results of a region lie in one place.
  void classifyWhen(dend::WhenOp when) {
    Operation *give = when.getBody().front().getTerminator();
    SmallVector<ValueClass> classes;
    ValueClass from = body.classOf(when.getCondition());
    bool good =
        from.kind != ValueClass::Joined && from.kind != ValueClass::Sliced;
    for (auto [carried, given] :
         llvm::zip_equal(when.getCarried(), give->getOperands())) {
      ValueClass both;
      for (Value value : {Value(carried), Value(given)}) {
        const ValueClass &its = body.classOf(value);
        if (its.kind == ValueClass::Shared)
          continue;
        good &= its.kind != ValueClass::Joined &&
                (from.kind == ValueClass::Shared || from.row == its.row) &&
                (both.kind == ValueClass::Shared || both.axis == its.axis);
        both = from = its;
      }
      if (both.kind == ValueClass::Sliced)
        for (Value value : {Value(carried), Value(given)})
          good &= body.classOf(value).kind == ValueClass::Sliced ||
                  divides(value, both.axis);
      classes.push_back(both);
    }
    // What one region gives is decided in one place.
    for (ValueClass &its : classes)
      if (good && from.kind == ValueClass::Row)
        its = from;
    for (auto [result, its] : llvm::zip_equal(when.getResults(), classes))
      body.values[result] = good ? its : joined();
  }

  WideBody &body;
  std::string &why;
};

/// The axis of a state that has the length; the last first, whose slices have
/// the shorter sums.
int axisOf(Type type, int64_t length) {
  ArrayRef<int64_t> shape = dend::shapeOf(type);
  for (int axis = int(shape.size()); axis-- > 0;)
    if (shape[size_t(axis)] == length)
      return axis;
  return kWhole;
}

/// Every choice of an axis for each group of states, until one keeps all of
/// them in their parts.
bool chooseAxes(WideBody &body, const StateGroups &groups,
                const std::vector<int> &rowOf, std::string &why) {
  dend::NeuronOp model = body.model;
  std::string first;
  for (unsigned other = 0; other < 2; ++other) {
    body.states.assign(model.getStateArgs().size(), {});
    for (auto [s, state] : llvm::enumerate(model.getStateArgs())) {
      if (groups.of[s] < 0)
        continue;
      int row = rowOf[size_t(groups.of[s])];
      ValueClass &its = body.states[s];
      if (!body.rows[size_t(row)].sliced()) {
        its = {ValueClass::Row, row, kWhole, false};
        continue;
      }
      int axis = axisOf(state.getType(), body.length);
      ArrayRef<int64_t> shape = dend::shapeOf(state.getType());
      if (other && axis > 0 && shape[0] == body.length)
        axis = 0;
      if (axis >= 0)
        its = {ValueClass::Sliced, row, axis, false};
    }
    if (Classifier(body, why).run())
      return true;
    if (!other)
      first = why;
  }
  why = first;
  return false;
}

std::vector<int64_t> evenBounds(int64_t length, int64_t parts) {
  std::vector<int64_t> bounds;
  for (int64_t p = 0; p <= parts; ++p)
    bounds.push_back(p * (length / parts) + std::min(p, length % parts));
  return bounds;
}

} // namespace

std::optional<WideBody> divideWide(dend::NeuronOp model, const WideShape &shape,
                                   std::string &why) {
  StateGroups groups = groupStates(model);
  if (!groups.count || shape.rows > groups.count) {
    why = groups.count ? "its states fall into fewer groups"
                       : "it has no states of its own to divide";
    return std::nullopt;
  }
  WideBody body;
  body.model = model;
  body.length = groups.length;
  for (int64_t r = 0; r < shape.rows; ++r) {
    StateRow &row = body.rows.emplace_back();
    if (shape.sizes) {
      row.bounds = {0};
      for (int64_t size : shape.slices)
        row.bounds.push_back(row.bounds.back() + size);
    } else {
      row.bounds = evenBounds(groups.length, shape.slices[size_t(r)]);
    }
  }
  std::vector<int> rowOf;
  std::vector<int64_t> bounds = evenBounds(groups.count, shape.rows);
  for (int r = 0; r < int(shape.rows); ++r)
    rowOf.resize(size_t(bounds[size_t(r) + 1]), r);
  if (!chooseAxes(body, groups, rowOf, why))
    return std::nullopt;
  return body;
}

std::optional<WideLimits> wideLimits(dend::NeuronOp model, std::string &why) {
  StateGroups groups = groupStates(model);
  WideLimits limits{std::max<int64_t>(1, groups.count), 1};
  if (!groups.count) {
    why = "it has no states of its own to divide";
    return std::nullopt;
  }
  if (groups.length > 1) {
    WideShape most{1, {groups.length}, false};
    if (divideWide(model, most, why))
      limits.length = groups.length;
  } else {
    why = "its states are numbers that depend on each other";
  }
  if (limits.groups * limits.length == 1)
    return std::nullopt;
  return limits;
}

std::optional<WideShape> wideShape(StringRef text, const WideLimits &limits) {
  auto number = [](StringRef word, int64_t limit) -> int64_t {
    int64_t value = 0;
    return !word.getAsInteger(10, value) && value >= 1 && value <= limit ? value
                                                                         : 0;
  };
  WideShape shape;
  if (text.contains('+')) {
    SmallVector<StringRef> words;
    text.split(words, '+');
    int64_t sum = 0;
    for (StringRef word : words) {
      shape.slices.push_back(number(word, limits.length));
      sum += shape.slices.back();
      if (!shape.slices.back())
        return std::nullopt;
    }
    shape.sizes = true;
    return sum == limits.length ? std::optional(shape) : std::nullopt;
  }
  if (auto [rows, slices] = text.split('x'); !slices.empty()) {
    shape.rows = number(rows, limits.groups);
    int64_t each = number(slices, limits.length);
    shape.slices.assign(size_t(shape.rows), each);
    bool good = shape.rows && each && shape.rows * each > 1;
    return good ? std::optional(shape) : std::nullopt;
  }
  int64_t parts = number(text, limits.groups * limits.length);
  if (parts < 2)
    return std::nullopt;
  shape.rows = std::min(parts, limits.groups);
  std::vector<int64_t> bounds = evenBounds(parts, shape.rows);
  for (int64_t r = 0; r < shape.rows; ++r)
    shape.slices.push_back(bounds[size_t(r) + 1] - bounds[size_t(r)]);
  return shape;
}

} // namespace dendrolith
