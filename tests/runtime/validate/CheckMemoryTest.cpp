// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of memory in order (CheckMemoryInOrder) against the check of every
// list and in-axon: random memories, right and wrong, whose lists lie once in
// the order of a compiler and once the other way round.

#include "runtime/validate/CheckMemoryInOrder.h"

#include "runtime/image/Tables.h"
#include "targets/support/Error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace dendrolith;
using check::CoreTables;

namespace {

const std::vector<check::AccumulatorRange> kUsed = {{3, 60}};

struct Memory {
  std::vector<SynapseList> lists;
  std::vector<InAxon> axons;
  std::vector<int16_t> weights;
  std::vector<uint32_t> offsets;

  image::Core core(bool reversed) const {
    std::vector<SynapseList> order = lists;
    std::vector<InAxon> to = axons;
    if (reversed) {
      std::reverse(order.begin(), order.end());
      for (InAxon &axon : to)
        axon.list = uint32_t(lists.size()) - 1 - axon.list;
    }
    image::Core core;
    core.mutable_synapses()->set_lists(encodeLists(order));
    core.mutable_synapses()->set_weights(encodeI16(weights));
    core.mutable_synapses()->set_offsets(encodeU32(offsets));
    core.set_in_axons(encodeInAxons(to));
    return core;
  }
};

/// Mostly right; each way to be wrong is taken now and then.
Memory randomMemory(std::mt19937 &random) {
  auto below = [&](uint32_t n) { return uint32_t(random() % n); };
  auto seldom = [&] { return below(60) == 0; };
  Memory memory;
  for (uint32_t l = 0, lists = 2 + below(6); l < lists; ++l) {
    SynapseList list;
    list.kind = below(2) ? ListKind::Sparse : ListKind::Dense;
    list.count = seldom() ? 0 : 1 + below(5);
    list.words = seldom() ? 0 : 1 + below(3);
    list.shift = uint8_t(seldom() ? 32 : below(4));
    list.weightBits = 8;
    list.first = uint32_t(memory.weights.size());
    list.firstOffset =
        list.kind == ListKind::Sparse ? uint32_t(memory.offsets.size()) : 0;
    memory.weights.resize(memory.weights.size() + list.count,
                          int16_t(below(50)));
    uint32_t offset = below(4);
    for (uint32_t k = 0; list.kind == ListKind::Sparse && k < list.count; ++k) {
      memory.offsets.push_back(offset);
      offset += seldom() ? 0 : 1 + below(6);
    }
    InAxon axon;
    axon.list = l;
    axon.base = seldom() ? below(4) : 3 + below(25);
    if (seldom())
      axon.base += 30;
    axon.delay = uint16_t(seldom() ? check::kMaxDelay + below(2) : below(9));
    memory.lists.push_back(list);
    memory.axons.push_back(axon);
  }
  return memory;
}

/// Empty if the memory is right.
std::string verdict(const image::Core &core, CoreTables &result) {
  try {
    check::checkMemory("core 0", core, kUsed, result);
    return "";
  } catch (const Error &error) {
    return error.what();
  }
}

bool passesInOrder(const image::Core &core) {
  const image::Synapses &memory = core.synapses();
  CoreTables result;
  return check::checkMemoryInOrder(
      {PackedLists(memory.lists()), PackedNumbers(memory.weights()),
       PackedNumbers(memory.offsets()), PackedInAxons(core.in_axons())},
      kUsed, result);
}

} // namespace

TEST(CheckMemory, InOrderAndInAnyOrderAgree) {
  std::mt19937 random(1);
  int right = 0, wrong = 0;
  for (int round = 0; round < 5000; ++round) {
    const Memory memory = randomMemory(random);
    const image::Core forward = memory.core(false), back = memory.core(true);
    CoreTables one, other;
    const std::string first = verdict(forward, one),
                      second = verdict(back, other);
    EXPECT_EQ(first.empty(), second.empty()) << first << "\n" << second;
    EXPECT_FALSE(passesInOrder(back));
    if (!first.empty()) {
      EXPECT_FALSE(passesInOrder(forward)) << first;
      ++wrong;
      continue;
    }
    ++right;
    EXPECT_TRUE(passesInOrder(forward));
    EXPECT_EQ(one.maxDelay, other.maxDelay);
    EXPECT_EQ(one.shifts, other.shifts);
    EXPECT_EQ(one.largestWeight, other.largestWeight);
  }
  EXPECT_GT(right, 500);
  EXPECT_GT(wrong, 500);
}

// An entry's delay adds to that of its in-axon.
TEST(CheckMemory, DelaysOfEntries) {
  std::mt19937 random(1);
  Memory memory;
  CoreTables result;
  do {
    memory = randomMemory(random);
    result = {};
  } while (!verdict(memory.core(false), result).empty());
  const uint32_t before = result.maxDelay;
  std::vector<uint16_t> delays(memory.weights.size(), 0);
  image::Core core = memory.core(false);
  auto said = [&](uint16_t longest) {
    delays.back() = longest;
    core.mutable_synapses()->set_weights(encodeWeights(memory.weights, delays));
    result = {};
    return verdict(core, result);
  };
  EXPECT_EQ(said(check::kMaxDelay), "");
  EXPECT_EQ(result.maxDelay, before + check::kMaxDelay);
  EXPECT_EQ(said(check::kMaxDelay + 1),
            "core 0, weights: expected delays of at most 4096 steps, found "
            "4097");
}

TEST(CheckMemory, OnlyConvolutionsNumberInAxonsOfAKernel) {
  Memory memory;
  SynapseList list;
  list.kind = ListKind::Conv;
  list.count = list.words = 1;
  memory.lists = {list};
  memory.weights = {7};
  memory.offsets = {0};
  memory.axons = {{0, 3, 2, 0}};
  CoreTables result;
  EXPECT_EQ(verdict(memory.core(false), result), "");
  memory.lists[0].kind = ListKind::Sparse;
  EXPECT_EQ(verdict(memory.core(false), result),
            "core 0, in-axon 0: expected port 0, found 2: only a convolution "
            "has a kernel, whose in-axon it would number");
}
