// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of lists that a compiler numbered in order, and of lists that sources
// share: currents equal those of the naive engine.

#include "simulator/functional/rows/Rows.h"
#include "runtime/image/ProgramFile.h"
#include "simulator/Run.h"
#include "tests/simulator/NaiveEngine.h"
#include "tests/simulator/ProgramBuilder.h"
#include "tests/simulator/functional/rows/SpreadLayer.h"

#include <gtest/gtest.h>

#include <random>

namespace dendrolith::test {
namespace {

/// Every element of the input, or every one of so many, in one of a few ticks.
Samples inTurn(size_t elements, size_t ticks, size_t each = 1) {
  std::vector<std::vector<double>> values(ticks,
                                          std::vector<double>(elements, 0));
  for (size_t e = 0; e < elements; e += each)
    values[e % (ticks - 1)][e] = 1;
  return samples({values});
}

void expectNaive(const image::Program &program, const Samples &input) {
  std::map<std::string, Samples> inputs = {{"in", input}};
  auto naive = runNaively(program, inputs);
  sim::RunOptions options;
  options.traces = {{"p", "u"}};
  auto result = sim::runFunctional(program, mesh(4, 1), inputs, options);
  EXPECT_EQ(result.traces.front().values, naive.at("p").u);
}

/// Many lists of 1 to 40 entries on three cores, some of them zero, each with
/// one of so many shifts from `shift` on.
image::Program manyLists(int largest, uint32_t neurons, bool dense,
                         uint32_t shift = 0, uint32_t shifts = 1) {
  std::mt19937 random(7);
  auto below = [&](uint32_t n) { return uint32_t(random() % n); };
  constexpr uint32_t cores = 3, sources = 400;
  ProgramBuilder builder(1, 2);
  builder.binaryInput("in", sources, 0).population("p", cores * neurons, 1);
  for (uint32_t c = 0; c < cores; ++c)
    builder.group(c, "p", c * neurons, neurons, cuba(1 << 20));
  for (uint32_t s = 0; s < sources; ++s)
    for (uint32_t c = 0; c < cores; ++c) {
      if (below(8) == 0)
        continue;
      const uint32_t count = below(20) ? 1 + below(6) : 1 + below(40);
      std::vector<int> weights;
      for (uint32_t k = 0; k < count; ++k)
        weights.push_back(int(below(2 * largest + 1)) - largest);
      std::vector<uint32_t> offsets;
      if (!dense && below(2)) {
        uint32_t step = neurons / (count + 1), at = below(step);
        for (uint32_t k = 0; k < count; ++k, at += 1 + below(step))
          offsets.push_back(at);
      }
      const uint32_t base = offsets.empty() ? below(neurons - count + 1) : 0;
      const auto by =
          static_cast<uint8_t>(shift + (shifts > 1 ? below(shifts) : 0));
      builder.connect("in", s, c,
                      builder.axon(c, base, weights, offsets, 0, by, 1));
    }
  return builder.build();
}

/// Lists of a few entries on two cores; every seventh source has none.
image::Program shortLists(int largest, uint32_t neurons, uint32_t delays) {
  std::mt19937 random(3);
  auto below = [&](uint32_t n) { return uint32_t(random() % n); };
  constexpr uint32_t cores = 2, sources = 100;
  ProgramBuilder builder(1, 2);
  builder.binaryInput("in", sources, 0).population("p", cores * neurons, 1);
  for (uint32_t c = 0; c < cores; ++c)
    builder.group(c, "p", c * neurons, neurons, cuba(1 << 20));
  for (uint32_t s = 0; s < sources; ++s)
    for (uint32_t c = 0; c < cores && s % 7; ++c) {
      std::vector<int> weights;
      std::vector<uint32_t> offsets;
      for (uint32_t at = below(4); at < neurons; at += 1 + below(neurons / 8)) {
        weights.push_back(int(below(2 * largest + 1)) - largest);
        offsets.push_back(at);
      }
      builder.connect("in", s, c,
                      builder.axon(c, 0, weights, offsets,
                                   uint16_t(1 + below(delays)), 0, 1));
    }
  return builder.build();
}

TEST(Rows, FlatOnesSendWhatEachDoes) {
  // Weights of 8, 9, 12 and 16 bits; beside the last ones, 300 neurons leave no
  // room for a bit that counts.
  for (int largest : {100, 200, 2000, 20000})
    for (uint32_t neurons : {20, 150}) {
      SCOPED_TRACE(testing::Message() << largest << " " << neurons);
      const image::Program program = shortLists(largest, neurons, 1);
      const sim::Machine machine(program, sim::Machine::Lists::Left);
      const sim::Rows rows(program, machine, nullptr);
      ASSERT_TRUE(rows.areFlat(rows.layout().counted));
      sim::State together(machine, rows.layout()),
          single(machine, rows.layout());
      std::vector<uint32_t> sources;
      for (uint32_t source = 0; source < 100; source += 1 + source % 3) {
        sources.push_back(source);
        rows.send(source, 1, 5, single);
      }
      rows.sendSpikes({sources.data(), sources.data() + sources.size()}, 5,
                      together);
      rows.sendSpikes({}, 5, together);
      uint32_t reached = 0;
      for (uint32_t n = 0; n < machine.accumulators(); ++n) {
        ASSERT_EQ(together.counted.words(7)[n], single.counted.words(7)[n]);
        reached += single.counted.words(7)[n] != 0;
      }
      EXPECT_GT(reached, neurons);
    }
}

TEST(Rows, SeveralDelaysAreNotFlat) {
  const image::Program program = shortLists(100, 20, 3);
  const sim::Machine machine(program, sim::Machine::Lists::Left);
  const sim::Rows rows(program, machine, nullptr);
  EXPECT_FALSE(rows.areFlat(rows.layout().counted));
}

TEST(Rows, ListsInOrderOfEveryWidth) {
  for (int largest : {1, 100, 200, 5000})
    for (uint32_t neurons : {100, 400})
      for (bool dense : {false, true}) {
        SCOPED_TRACE(testing::Message()
                     << largest << " " << neurons << " " << dense);
        expectNaive(manyLists(largest, neurons, dense), inTurn(400, 5));
      }
}

// Weights of 8 to 16 bits that shifts make up to 6 bits longer: beside numbers
// of 9 bits, all but the longest have room in a word.
TEST(Rows, ListsOfSeveralShifts) {
  for (int largest : {100, 900, 7000, 32767})
    for (uint32_t shifts : {2, 4, 7}) {
      SCOPED_TRACE(testing::Message() << largest << " " << shifts);
      expectNaive(manyLists(largest, 100, false, 3, shifts), inTurn(400, 5));
    }
}

// Long and short lists, dense and with indices, whose entries have delays of
// their own, with products that fit an entry of a row and others.
TEST(Rows, EntriesHaveDelaysOfTheirOwn) {
  for (uint8_t shift : {uint8_t(0), uint8_t(19), uint8_t(kRightShift + 2)})
    for (uint32_t others : {0u, 9u}) {
      SCOPED_TRACE(testing::Message() << int(shift) << " " << others);
      constexpr uint32_t sources = 6, neurons = 70;
      ProgramBuilder builder(1, 2);
      builder.binaryInput("in", sources, 0).population("p", neurons, 1);
      builder.group(0, "p", 0, neurons, cuba(1 << 20));
      for (uint32_t s = 0; s < sources; ++s) {
        std::vector<int> weights;
        std::vector<uint32_t> offsets;
        std::vector<uint16_t> delays;
        for (uint32_t k = 0; k < (s % 2 ? 8u : 50u); ++k) {
          weights.push_back(int(k * 7 + s) % 41 - 20);
          delays.push_back(uint16_t((k + s) % 5));
          if (s % 3)
            offsets.push_back(k + k / 4);
        }
        builder.connect("in", s, 0,
                        builder.axon(0, s, weights, offsets, uint16_t(s % 2),
                                     shift, 1, delays));
        // And lists without beside them.
        if (others)
          builder.connect("in", s, 0,
                          builder.axon(0, 3, {1, 2, 3}, {0, others, 40},
                                       uint16_t(s % 3), 0, 1));
      }
      expectNaive(builder.build(), inTurn(sources, 12));
    }
}

// As many messages as in-axons, but all to one: rows would take many times the
// room of the weights.
TEST(Rows, OneListForAllSources) {
  constexpr uint32_t sources = 24000, neurons = 31;
  ProgramBuilder builder(1, 2);
  builder.binaryInput("in", sources, 0).population("p", neurons, 1);
  builder.group(0, "p", 0, neurons, cuba(1 << 20));
  std::vector<int> weights;
  for (uint32_t k = 0; k < neurons; ++k)
    weights.push_back(int(k) - 15);
  const uint32_t all = builder.axon(0, 0, weights, {}, 0, 0, 1);
  for (uint32_t s = 1; s < sources; ++s)
    builder.axon(0, 0, {1}, {}, 0, 0, 1);
  for (uint32_t s = 0; s < sources; ++s)
    builder.connect("in", s, 0, all);
  expectNaive(builder.build(), inTurn(sources, 3, 101));
}

// Lists of convolutions share their offsets: one of them says where they are,
// also where the lists beside it follow each other.
TEST(Rows, AConvolutionsOffsetsAreWhereItSays) {
  constexpr uint32_t sources = 8, neurons = 400, entries = 40;
  ProgramBuilder builder(1, 2);
  builder.binaryInput("in", sources, 0).population("p", neurons, 1);
  builder.group(0, "p", 0, neurons, cuba(1 << 20));
  for (uint32_t s = 0; s < sources; ++s) {
    std::vector<int> weights;
    std::vector<uint32_t> offsets;
    for (uint32_t k = 0; k < entries; ++k) {
      weights.push_back(int(1 + k));
      offsets.push_back(10 * k + s);
    }
    builder.connect("in", s, 0, builder.axon(0, 0, weights, offsets, 0, 0, 1));
  }
  image::Program program = builder.build();
  image::Synapses &synapses = *program.mutable_cores(0)->mutable_synapses();
  std::vector<SynapseList> lists = decodeLists(synapses.lists());
  std::vector<uint32_t> offsets = decodeU32(synapses.offsets());
  lists.back().kind = ListKind::Conv;
  lists.back().firstOffset = 0; // those of source 0
  offsets.resize(offsets.size() - entries);
  synapses.set_lists(encodeLists(lists));
  synapses.set_offsets(encodeU32(offsets));
  validate(program);
  expectNaive(program, inTurn(sources, 3));
}

// Who runs some cores reads the synapses of those alone: rows that lead there
// are the same.
TEST(Rows, APartOfTheImageIsEnoughForAShare) {
  const image::Program program = manyLists(100, 100, false);
  const sim::Machine whole(program, sim::Machine::Lists::Left);
  for (const sim::CoreShare share :
       {sim::CoreShare{0, 1}, {1, 3}, {2, 3}, {0, 3}}) {
    image::Program part = program;
    const CoreSet mine = [&](uint32_t core) { return share.has(core); };
    dropMemory(part, mine);
    validatePart(part, mine, 1);
    const sim::Machine own(part, sim::Machine::Lists::Left);
    const sim::Rows rows(program, whole, share, nullptr),
        fewer(part, own, share, nullptr);
    EXPECT_EQ(rows.bytes(), fewer.bytes());
    ASSERT_EQ(rows.kinds(), fewer.kinds());
    sim::BucketLayout layout = rows.layout();
    EXPECT_EQ(layout.maxDelay, fewer.layout().maxDelay);
    EXPECT_EQ(layout.firstWindow, fewer.layout().firstWindow);
    layout.counted = {}; // so that sums are where compare() looks
    sim::State sums(whole, layout), others(own, layout);
    std::vector<size_t> kinds, fewerKinds;
    for (uint32_t source = 0; source < whole.sources(); ++source) {
      rows.send(source, 1, 0, sums);
      fewer.send(source, 1, 0, others);
      rows.kindsOf(source, kinds);
      fewer.kindsOf(source, fewerKinds);
      EXPECT_EQ(kinds, fewerKinds) << source;
    }
    EXPECT_FALSE(sums.accumulators.compare(others.accumulators));
    EXPECT_TRUE(
        sums.accumulators.compare(sim::State(whole, layout).accumulators));
  }
}

// Lists that are joined, with holes, of several shifts and delays, and those
// that cannot be: sums and marks are those of the lists one by one.
TEST(Rows, ListsThatAreJoined) {
  for (int largest : {1, 100, 32767})
    for (uint32_t lacking : {0, 2, 10})
      for (uint32_t shifts : {8, 20})
        for (uint32_t delays : {1, 2}) {
          SCOPED_TRACE(testing::Message() << largest << " " << lacking << " "
                                          << shifts << " " << delays);
          const image::Program program =
              spreadLayer(lacking, shifts, delays, largest);
          const sim::Machine lists(program),
              machine(program, sim::Machine::Lists::Left);
          const sim::Rows rows(program, machine, nullptr);
          // An entry by itself takes 4 bytes or 8, a joined one 2 or 3.
          if (lacking != 2 && delays == 1) {
            EXPECT_LT(rows.bytes(), 4 * lists.weights().size());
          }
          sim::BucketLayout layout = rows.layout();
          layout.counted = {}; // so that sums are where compare() looks
          sim::State joined(machine, layout), plain(lists, layout);
          for (uint32_t source = 0; source < machine.sources(); ++source) {
            for (int64_t payload : {1, -3, 40000}) {
              rows.send(source, payload, 0, joined);
              for (const sim::Machine::Message &m : lists.messages(source))
                plain.accumulators.deliver(m.axon, payload, 0);
              ASSERT_FALSE(joined.accumulators.compare(plain.accumulators));
            }
            if (source % 3 == 0) {
              joined.reset();
              plain.reset();
            }
          }
          plain.accumulators.deliver(0, 1, 0);
          EXPECT_TRUE(joined.accumulators.compare(plain.accumulators));
        }
}

} // namespace

// Rows that wait for others of the same targets add what they would one by one.

namespace {

/// Payloads of a step: spikes, small and large values, and all of them mixed.
const std::vector<std::vector<int64_t>> kPayloads = {
    {1}, {8191, -8191}, {8192, INT64_MIN, 40000}, {1, -3, 8191, 1, 1, 40000}};

TEST(RowBatch, AddsWhatRowsAddOneByOne) {
  for (int largest : {1, 32767})
    for (uint32_t lacking : {0, 2, 10})
      for (uint32_t delays : {1, 2}) {
        const image::Program program =
            spreadLayer(lacking, /*shifts=*/20, delays, largest);
        const sim::Machine machine(program, sim::Machine::Lists::Left);
        const sim::Rows rows(program, machine, nullptr);
        sim::BucketLayout layout = rows.layout();
        layout.counted = {}; // so that sums are where compare() looks
        sim::State together(machine, layout), single(machine, layout);
        for (const std::vector<int64_t> &payloads : kPayloads)
          // Every source, or so few that some rows wait until the end.
          for (uint32_t each : {1, 3, 11}) {
            SCOPED_TRACE(testing::Message() << largest << " " << lacking << " "
                                            << delays << " " << each);
            sim::RowBatch batch(rows, 0, together);
            for (uint32_t source = 0; source < machine.sources();
                 source += each) {
              const int64_t payload = payloads[source % payloads.size()];
              batch.send(source, payload, source);
              rows.send(source, payload, 0, single);
            }
            if (lacking == 0 && payloads.size() == 1) {
              // Else nothing would have waited here.
              EXPECT_TRUE(together.accumulators.compare(single.accumulators));
            }
            batch.flush();
            batch.flush(); // A second time there is nothing left.
            ASSERT_FALSE(together.accumulators.compare(single.accumulators));
          }
      }
}

} // namespace
} // namespace dendrolith::test
