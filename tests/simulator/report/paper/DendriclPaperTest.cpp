// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Table 9's estimate and the counted energy beside it, on numbers small enough
// for paper and pencil.

#include "simulator/report/paper/DendriclPaper.h"
#include "simulator/report/paper/CountedBill.h"
#include "targets/support/Error.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

Json dendriclResult() {
  Json result = Json::parse(R"({"samples": 2, "ticks": 5,
    "spike_values": {"soma": {"0": 60, "1": 20}, "block": {"0": 30, "1": 10},
                     "apical": {"-1": 4, "0": 1, "1": 5}},
    "counts": {"total": {"synops": {"dense": 300, "sparse": 0, "conv": 0,
      "graded": {"dense": 90, "sparse": 0, "conv": 0}}}},
    "energy": {"low": {"costs": "t", "total_pJ": 5400, "static_pJ": 800,
      "by_event": {
        "synops.dense": {"count": 300, "energy_pJ": 4050},
        "microcode.load": {"count": 40, "energy_pJ": 810},
        "microcode.add": {"count": 9, "energy_pJ": 540},
        "synmem_words": {"count": 50, "energy_pJ": null, "in": "synops"},
        "barriers": {"count": 7, "energy_pJ": null}}}}})");
  result["energy"]["high"] = result["energy"]["low"]; // one table
  return result;
}

TEST(DendriclPaper, BinarySpikesOfAForwardPass) {
  SpikeCount count = countSpikes(dendriclResult(), "r");
  ASSERT_EQ(count.layers.size(), 2u); // what apical sends is no binary spike
  EXPECT_EQ(count.tokens, 5);
  EXPECT_EQ(count.layers[0].spikes, 10);
  EXPECT_EQ(count.layers[0].updates, 40);
  EXPECT_EQ(count.spikes(), 15);
  Json json = dendriclPaperJson(count);
  EXPECT_EQ(json["spikes_per_token"], 3);
  EXPECT_DOUBLE_EQ(json["loihi"]["per_sample_pJ"], 13.5);
  EXPECT_DOUBLE_EQ(json["spinnaker"]["per_sample_pJ"], 450);
}

TEST(DendriclPaper, CountedEnergyByGroups) {
  std::vector<Bill> bills = countedBills(dendriclResult());
  ASSERT_EQ(bills.size(), 1u);
  EXPECT_EQ(bills[0].total, 2700);
  EXPECT_EQ(bills[0].still, 400);
  EXPECT_EQ(bills[0].of(Group::Synapses).pJ, 2025);
  EXPECT_EQ(bills[0].of(Group::Synapses).events, 175);
  EXPECT_DOUBLE_EQ(bills[0].share(Group::State), 15);
  EXPECT_EQ(bills[0].of(Group::Rest).events, 3.5);
  EXPECT_EQ(ratioText(bills, 13.5), "200");
  EXPECT_EQ(ratioText(bills, 0.5), "5400");
}

TEST(DendriclPaper, TextHasTheFiguresOfTheRun) {
  std::string text =
      formatDendriclPaper(dendriclResult(), countSpikes(dendriclResult(), "r"));
  for (const char *part :
       {"Counted over formula: 200 at 0.9 pJ, 6 at 30 pJ; counted per spike: "
        "180 pJ",
        "105 synaptic operations a sample are those of binary events, 7 for",
        "whose 45 synaptic operations a sample are 30 % of all",
        "(0.40 nJ a sample, not in the total above)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(DendriclPaper, RefusesANetworkWithoutSpikes) {
  Json silent = dendriclResult();
  silent["spike_values"].erase("soma");
  silent["spike_values"].erase("block");
  EXPECT_THROW(countSpikes(silent, "r"), Error);
}

} // namespace
} // namespace dendrolith::report
