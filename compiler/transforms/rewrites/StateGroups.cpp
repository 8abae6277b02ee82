// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/rewrites/StateGroups.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallBitVector.h"

#include <map>
#include <set>

using namespace mlir;

namespace dendrolith {
namespace {

using States = llvm::SmallBitVector;

class StateGroupsReader {
public:
  explicit StateGroupsReader(dend::NeuronOp model)
      : model(model), count(unsigned(model.getStateArgs().size())) {
    for (auto [s, state] : llvm::enumerate(model.getStateArgs())) {
      States mine(count);
      mine.set(unsigned(s));
      read[state] = mine;
    }
    visit(model.getBlock());
  }

  /// The states that the new value of a state reads.
  States of(unsigned state) {
    auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
    return statesOf(yield.getStates()[state]);
  }

private:
  States statesOf(Value value) {
    auto known = read.find(value);
    return known == read.end() ? States(count) : known->second;
  }

  void visit(Block &block) {
    for (Operation &op : block.without_terminator()) {
      States all(count);
      for (Value operand : op.getOperands())
        all |= statesOf(operand);
      if (auto when = dyn_cast<dend::WhenOp>(op)) {
        visit(when.getBody().front());
        for (Value given :
             when.getBody().front().getTerminator()->getOperands())
          all |= statesOf(given);
      }
      for (Value result : op.getResults())
        read[result] = all;
    }
  }

  dend::NeuronOp model;
  unsigned count;
  llvm::DenseMap<Value, States> read;
};

} // namespace

StateGroups groupStates(dend::NeuronOp model) {
  unsigned count = unsigned(model.getStateArgs().size());
  StateGroupsReader reader(model);
  std::vector<States> reads;
  for (unsigned s = 0; s < count; ++s)
    reads.push_back(reader.of(s));
  auto isScalar = [&](unsigned s) {
    return dend::elementCount(model.getStateArgs()[s].getType()) == 1;
  };
  auto isRead = [&](unsigned s) { // by another state
    for (unsigned other = 0; other < count; ++other)
      if (other != s && reads[other].test(s))
        return true;
    return false;
  };
  std::vector<bool> apart(count, false);
  for (unsigned s = 0; s < count; ++s) {
    States others = reads[s];
    others.reset(s);
    apart[s] = isScalar(s) && (!isRead(s) ? others.any() : others.none());
  }
  llvm::EquivalenceClasses<unsigned> together;
  for (unsigned s = 0; s < count; ++s) {
    if (apart[s])
      continue;
    together.insert(s);
    for (unsigned other : reads[s].set_bits())
      if (!apart[other])
        together.unionSets(s, other);
  }
  // Numbers alone are no group where there are vectors.
  std::set<unsigned> wide;
  for (unsigned s = 0; s < count; ++s)
    if (!apart[s] && !isScalar(s))
      wide.insert(together.getLeaderValue(s));
  for (unsigned s = 0; s < count; ++s)
    apart[s] =
        apart[s] || (!wide.empty() && !wide.count(together.getLeaderValue(s)));
  StateGroups groups;
  std::map<unsigned, int> numbers;
  std::map<int64_t, int64_t> words; // by length of an axis
  for (unsigned s = 0; s < count; ++s) {
    if (apart[s]) {
      groups.of.push_back(-1);
      continue;
    }
    auto [found, isNew] =
        numbers.insert({together.getLeaderValue(s), int(numbers.size())});
    groups.of.push_back(found->second);
    Type type = model.getStateArgs()[s].getType();
    ArrayRef<int64_t> shape = dend::shapeOf(type);
    for (size_t d = 0; d < shape.size(); ++d)
      if (d == 0 || shape[d] != shape[0])
        words[shape[d]] += dend::elementCount(type);
  }
  groups.count = int64_t(numbers.size());
  int64_t mostWords = 0;
  for (auto [length, its] : words)
    if (length > 1 && its >= mostWords) {
      mostWords = its;
      groups.length = length;
    }
  return groups;
}

} // namespace dendrolith
