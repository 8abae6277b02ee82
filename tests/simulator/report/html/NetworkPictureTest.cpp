// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simulator/report/html/NetworkPicture.cpp, NetworkFacts.cpp and
// NetworkLayout.cpp: layers below what feeds them, trees of states, and texts
// that stay texts.

#include "simulator/report/html/NetworkPicture.h"
#include "simulator/report/html/NetworkLayout.h"

#include "targets/support/Error.h"

#include <gmock/gmock.h>

namespace dendrolith::report::html {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Json state(const char *name, uint64_t elements, const char *form, Json into,
           bool fires = false) {
  return {{"name", name},      {"elements", elements}, {"form", form},
          {"into", into},      {"fires", fires},       {"threshold", nullptr},
          {"neurons", nullptr}};
}

Json node(const std::string &name, const char *kind, Json states) {
  return {{"name", name},
          {"kind", kind},
          {"neurons", 8},
          {"shape", {2, 4}},
          {"model", "lif"},
          {"states", std::move(states)},
          {"outputs", Json::array()}};
}

Json edge(const char *from, const char *to, uint64_t delay) {
  return {{"from", from},    {"to", to},       {"port", "I"},
          {"kind", "dense"}, {"synapses", 64}, {"delay_ticks", delay}};
}

/// x -> a -> b, b -> a, x -> b, and a to itself.
Json network() {
  const Json soma = Json::array({state("v", 1, "side by side", nullptr, true),
                                 state("V0", 3, "chain", "v"),
                                 state("w", 2, "side by side", "V0")});
  return {{"nodes",
           {node("x", "input", Json::array()), node("a", "population", soma),
            node("b<", "population", {})}},
          {"edges",
           {edge("x", "a", 0), edge("a", "b<", 0), edge("b<", "a", 2),
            edge("x", "b<", 0), edge("a", "a", 1)}}};
}

const Json none;

TEST(NetworkPicture, LayersStandBelowWhatFeedsThem) {
  const Json graph = network();
  const NetworkFacts facts({graph, none, none});
  const std::vector<size_t> lines(facts.nodes.size(), 2);
  const NetworkLayout layout(facts, lines);
  EXPECT_THAT(layout.isBack, ElementsAre(false, false, true, false, true));
  EXPECT_LT(layout.boxes[0].bottom(), layout.boxes[1].y);
  EXPECT_LT(layout.boxes[1].bottom(), layout.boxes[2].y);
  EXPECT_EQ(layout.lane[0], 0u);
  EXPECT_GT(layout.lane[3], 0u) << "it passes a by";
  EXPECT_EQ(layout.lane[4], 0u) << "a loop stays at its layer";
  EXPECT_GT(layout.lane[2], 0u) << "back on the left";
}

TEST(NetworkPicture, DrawsStatesAsATree) {
  const Json graph = network();
  const std::string svg = networkSvg({graph, none, none});
  EXPECT_THAT(svg, HasSubstr("<svg xmlns="));
  EXPECT_THAT(svg, HasSubstr("soma v"));
  EXPECT_THAT(svg, HasSubstr("V0: 3 compartments in a chain"));
  EXPECT_THAT(svg, HasSubstr("w: 2 values"));
  size_t dots = 0;
  for (size_t at = svg.find("class=\"dot\""); at != svg.npos;
       at = svg.find("class=\"dot\"", at + 1))
    ++dots;
  EXPECT_EQ(dots, 5u) << "three in the chain, two on top of it";
  EXPECT_THAT(svg, HasSubstr("8 neurons (2 x 4)"));
  EXPECT_THAT(svg, HasSubstr("dense, 64 synapses, delay 2"));
  EXPECT_THAT(svg, HasSubstr(">64 synapses, delay 1<"));
  EXPECT_THAT(svg, Not(HasSubstr("b<")));
  EXPECT_THAT(svg, Not(HasSubstr("&nbsp;"))) << "no name of XML";
}

TEST(NetworkPicture, ARunAddsRatesMessagesAndEnergy) {
  const Json graph = network();
  const Json result = {
      {"samples", 2},
      {"layers",
       {{{"population", "a"},
         {"kind", "population"},
         {"energy_pJ", {{"low", 2000}, {"high", 4000}}}}}},
      {"spike_values", {{"a", {{"0", 90}, {"1", 10}}}}},
      {"mapping",
       {{"placement", {{{"core", 3}, {"population", "a"}, {"neurons", 8}}}}}}};
  const Json flows =
      Json::array({{{"source", "a"},
                    {"target", "b<"},
                    {"counts", {{"messages", 14}}},
                    {"energy_pJ", {{"low", 20}, {"high", 20}}}}});
  const std::string svg = networkSvg({graph, result, flows});
  EXPECT_THAT(svg, HasSubstr(">10 % of updates emit<"));
  EXPECT_THAT(svg, HasSubstr(">1 nJ to 2 nJ a sample<"));
  EXPECT_THAT(svg, HasSubstr("core 3"));
  EXPECT_THAT(svg, HasSubstr("7 messages, 10 pJ"));
}

TEST(NetworkPicture, AnImageAloneHasItsLayers) {
  const Json result = {{"layers",
                        {{{"population", "a"},
                          {"kind", "population"},
                          {"neurons", 5},
                          {"branches", {{{"modes", 4}}}},
                          {"sources", {{{"name", "x"}, {"synapses", 40}}}}}}}};
  const std::string svg = networkSvg({none, result, none});
  EXPECT_THAT(svg, HasSubstr("5 neurons"));
  EXPECT_THAT(svg, HasSubstr("40 synapses"));
  EXPECT_THAT(svg, HasSubstr("branch: 4 compartments in a chain"));
}

TEST(NetworkPicture, SaysWhatIsTooLargeOrUnknown) {
  Json graph = {{"nodes", Json::array()}, {"edges", Json::array()}};
  EXPECT_THROW(networkSvg({graph, none, none}), Error);
  EXPECT_EQ(networkSection({graph, none, none}), "");
  for (int i = 0; i < 201; ++i)
    graph["nodes"].push_back(
        node("p" + std::to_string(i), "population", Json::array()));
  EXPECT_THROW(networkSvg({graph, none, none}), Error);
  EXPECT_THAT(networkSection({graph, none, none}),
              HasSubstr("No picture: 201 layers"));
}

TEST(NetworkPicture, StatesThatFeedEachOtherEnd) {
  Json graph = network();
  graph["nodes"][1]["states"] = Json::array(
      {state("v", 1, "side by side", nullptr, true),
       state("v", 1, "side by side", "v"), state("u", 1, "side by side", "u"),
       state("none", 0, "chain", "v")});
  EXPECT_THAT(networkSvg({graph, none, none}), HasSubstr("soma v"));
}

} // namespace
} // namespace dendrolith::report::html
