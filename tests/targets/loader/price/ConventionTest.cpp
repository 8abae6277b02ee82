// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of conventions: what they say, and where they are wrong.

#include "targets/loader/price/Convention.h"

#include "targets/support/Error.h"

#include <gtest/gtest.h>

#include <set>

namespace dendrolith {
namespace {

const std::string kHead = R"(name: own
description: d
node: 45 nm
leaves_out: [memory]
sources: {s: somebody}
prices:
  add: {value: 0.5, unit: pJ, kind: assumed, source: s}
curves:
  sram: {of: bytes, unit: pJ, kind: assumed, source: s, points: [[0, 0], [8, 4], [16, 6]]}
)";

std::string errorOf(const std::string &rest) {
  try {
    parseConvention(kHead + rest, "c.yaml");
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

TEST(Convention, SaysWhatItCounts) {
  const Convention read = parseConvention(
      kHead + "terms:\n"
              "  - {name: a, per: layer, count: 2 * neurons, each: add}\n"
              "  - {name: b, per: projection, count: events, each: sram(4)}\n",
      "c.yaml");
  EXPECT_EQ(read.name, "own");
  EXPECT_TRUE(read.isPriced());
  EXPECT_EQ(read.terms[1].scope, CountScope::Projection);
  EXPECT_EQ(read.curves.at("sram").at(4), 2);
  EXPECT_EQ(read.curves.at("sram").at(12), 5);
  EXPECT_EQ(read.curves.at("sram").at(99), 6);
}

TEST(Convention, IsRefusedAtItsPlace) {
  EXPECT_NE(errorOf("terms:\n  - {name: a, per: layer, count: neuron}\n")
                .find("c.yaml:11:34: no count or price is named 'neuron', did "
                      "you mean 'neurons'?"),
            std::string::npos)
      << errorOf("terms:\n  - {name: a, per: layer, count: neuron}\n");
  // A layer has no source.
  EXPECT_NE(errorOf("terms:\n  - {name: a, per: layer, count: events}\n")
                .find("'events'"),
            std::string::npos);
  EXPECT_NE(errorOf("terms:\n  - {name: a, per: core, count: neurons}\n")
                .find("core"),
            std::string::npos);
  EXPECT_NE(errorOf("terms: []\n").find("expected a list"), std::string::npos);
  EXPECT_NE(errorOf("terms:\n  - {name: a, per: layer, count: neurons < 2}\n")
                .find("comparison"),
            std::string::npos);
  EXPECT_NE(errorOf("").find("terms"), std::string::npos);
  EXPECT_NE(errorOf("requires:\n  - {per: layer, that: neurons > 1, some: "
                    "neurons > 2, else: e}\nterms:\n  - {name: a, per: layer, "
                    "count: neurons}\n")
                .find("found both"),
            std::string::npos);
}

TEST(Convention, ShippedOnesAreRead) {
  std::set<std::string> names;
  for (const Convention &convention : allConventions()) {
    names.insert(convention.name);
    EXPECT_FALSE(convention.leavesOut.empty());
  }
  for (const char *name :
       {"ac-mac-45nm", "lemaire2022", "mmdend2025", "dendricl2026-loihi",
        "neurobench-operations", "spikesim2023", "neuromc2026"})
    EXPECT_EQ(names.count(name), 1u) << name;
}

} // namespace
} // namespace dendrolith
