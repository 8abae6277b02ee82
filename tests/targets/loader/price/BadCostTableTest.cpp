// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests targets/loader/price/CostTable.cpp,
// targets/loader/yaml/RecordReader.cpp. Cost tables that are wrong in one
// place.

#include "tests/targets/Support.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

class BadCosts : public testing::Test {
protected:
  const Target chip = Target::load("loihi1");
  const std::string good = CostTable::load("davies2018", chip).yamlText;

  /// Replaces `from` by `to`; the message must stand at `to` (+ skip).
  void expect(const std::string &from, const std::string &to, size_t skip,
              const std::string &message) {
    std::string text = edit(good, from, to);
    EXPECT_EQ(parseCosts(text, chip),
              "costs.yaml:" + place(text, to, skip) + ": " + message);
  }

  /// What a table may name at its top: "synops, synmem_words, ...".
  static std::string names() {
    std::string list, last;
    for (const std::string &event : allEvents()) {
      std::string name = event.substr(0, event.find('.'));
      if (name != last)
        list += (list.empty() ? "" : ", ") + name;
      last = name;
    }
    return list;
  }
};

TEST_F(BadCosts, GoodFileIsGood) { EXPECT_EQ(parseCosts(good, chip), ""); }

TEST_F(BadCosts, UnknownEvent) {
  expect("  hops_ns:", "  hop_ns:", 2,
         "unknown event 'hop_ns', expected one of " + names() +
             ", did you mean 'hops_ns'?");
  expect("    sparse:", "    spare:", 4,
         "unknown key 'spare' in 'synops', expected one of dense, sparse, "
         "conv, did you mean 'sparse'?");
}

/// From the only `start` in a text to the end of its line.
std::string lineOf(const std::string &text, const std::string &start) {
  const size_t at = text.find(start);
  return text.substr(at, text.find('\n', at) - at);
}

TEST_F(BadCosts, AllInTablesPriceNoHop) {
  const std::string paid = edit(good, "scope: per-term", "scope: all-in");
  EXPECT_EQ(parseCosts(paid, chip)
                .find("costs.yaml:" + place(paid, "hops_ew: {", 9) +
                      ": 'hops_ew' has a price of its own in a table of scope "
                      "'all-in'"),
            0u)
      << parseCosts(paid, chip);
  std::string text = paid;
  for (const char *hop : {"hops_ew:", "hops_ns:"})
    text = edit(text, lineOf(text, hop),
                std::string(hop) +
                    " {in: synops, kind: assumed, source: dendrolith}");
  EXPECT_EQ(parseCosts(text, chip), "");
}

TEST_F(BadCosts, NoDecision) {
  std::string text = edit(good, "  barriers: unpriced\n", "");
  EXPECT_EQ(parseCosts(text, chip),
            "costs.yaml:" + place(text, "  synops:\n", 2) +
                ": no decision about event 'barriers', which target 'loihi1' "
                "can produce, expected a price, 'in: <event>' or unpriced");
  text = edit(good, lineOf(good, "conv:"), "");
  EXPECT_EQ(parseCosts(text, chip),
            "costs.yaml:" + place(text, "  synops:\n", 2) +
                ": no decision about event 'synops.conv', which target "
                "'loihi1' can produce, expected a price, 'in: <event>' or "
                "unpriced");
}

TEST_F(BadCosts, UnpricedMisspelt) {
  expect("barriers: unpriced", "barriers: unprized", 10,
         "expected {value, unit, kind, source}, {in, kind, source} or unpriced "
         "for 'barriers', found 'unprized', did you mean 'unpriced'?");
  expect("barriers: unpriced", "barriers: 12", 10,
         "expected {value, unit, kind, source}, {in, kind, source} or unpriced "
         "for 'barriers', found '12'");
  expect("barriers: unpriced", "barriers:", 0,
         "expected {value, unit, kind, source}, {in, kind, source} or unpriced "
         "for 'barriers', found nothing");
}

TEST_F(BadCosts, PriceValues) {
  expect("hops_ns: {value: 4.0", "hops_ns: {value: -4.0", 17,
         "'hops_ns' is negative (-4.0), expected 0 or more");
  expect("hops_ns: {value: 4.0", "hops_ns: {value: -0.0", 17,
         "'hops_ns' is negative (-0.0), expected 0 or more");
  expect("hops_ns: {value: 4.0", "hops_ns: {value: .NaN", 17,
         "'hops_ns' is .NaN, expected a finite number");
  expect("hops_ns: {value: 4.0", "hops_ns: {value: nan", 17,
         "'hops_ns' is nan, expected a finite number");
  expect("hops_ns: {value: 4.0", "hops_ns: {value: +.inf", 17,
         "'hops_ns' is +.inf, expected a finite number");
  expect("hops_ns: {value: 4.0", "hops_ns: {value: 1e400", 17,
         "'hops_ns' is out of range ('1e400'), expected 0 to 1000000000000000");
  expect("hops_ns: {value: 4.0", "hops_ns: {value: 4,0, x: 1", 19,
         "unknown key '0' in 'hops_ns', expected one of value, unit, kind, "
         "source, bound, varies, note");
  expect("hops_ns: {value: 4.0", "hops_ns: {value: 4.0pJ", 17,
         "expected a number for 'hops_ns', found '4.0pJ'");
  expect("hops_ns: {value: 4.0, unit: pJ", "hops_ns: {value: 4.0, unit: nJ", 28,
         "expected one of pJ for 'unit', found 'nJ', did you mean 'pJ'?");
}

TEST_F(BadCosts, InsideUnknownEvent) {
  expect("messages: {in: within_tile", "messages: {in: within_tiles", 15,
         "'messages' is said to be in 'within_tiles', which is no event, did "
         "you mean 'within_tile'?");
}

TEST_F(BadCosts, InsideUnpricedEvent) {
  expect("messages: {in: within_tile", "messages: {in: barriers", 15,
         "'messages' is said to be in 'barriers', but 'barriers' has no price "
         "of its own");
  // One step only: the claim must name the event that is priced.
  expect("axon_reads: {in: within_tile", "axon_reads: {in: messages", 17,
         "'axon_reads' is said to be in 'messages', but 'messages' has no "
         "price of its own");
}

TEST_F(BadCosts, Cycles) {
  expect("messages: {in: within_tile", "messages: {in: messages", 15,
         "'messages' is said to be in 'messages', which leads back to "
         "'messages'");
  std::string text =
      edit(edit(good, "messages: {in: within_tile", "messages: {in: spikes"),
           "spikes: {in: neuron_updates_active", "spikes: {in: messages");
  EXPECT_EQ(parseCosts(text, chip),
            "costs.yaml:" + place(text, "messages: {in: spikes", 15) +
                ": 'messages' is said to be in 'spikes', which leads back to "
                "'messages'");
}

TEST_F(BadCosts, PriceAndInside) {
  expect("messages: {in: within_tile", "messages: {value: 1, in: within_tile",
         10,
         "'messages' has both a value and 'in', expected exactly one: its "
         "energy would count twice");
  // A leaf beside its group would price it twice, too.
  expect("  hops_ns:", "  synops.dense: unpriced\n  hops_ns:", 2,
         "unknown event 'synops.dense', expected one of " + names());
}

TEST_F(BadCosts, StaticPower) {
  expect("static: {value: 104, unit: mW, per: chip",
         "static: {value: 104, unit: mW, per: core", 36,
         "expected one of chip for 'per', found 'core'");
  expect("static: {value: 104", "static: {value: inf", 16,
         "'static' is inf, expected a finite number");
}

TEST_F(BadCosts, Empty) {
  EXPECT_EQ(parseCosts("", chip),
            "costs.yaml:1:1: expected a map with the keys name, description, "
            "family, voltage, scope, sources, events, static for 'cost table', "
            "found nothing");
}

} // namespace
