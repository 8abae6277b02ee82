// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/record/Traces.h"

#include "targets/support/Error.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

const std::vector<Traceable> kPopulations = {
    {"lif", {"u", "v"}, {""}},        // a fixed-function neuron
    {"soma", {"i", "w"}, {"s", "w"}}, // a program with two outputs
    {"both", {"u", "i"}, {"s"}},
    {"read", {"u", "v"}, {}},
    {"probe", {"w"}, {}}};

std::string errorOf(const TraceRequest &request) {
  try {
    resolveTrace(request, kPopulations);
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

TEST(Traces, NamesStatesFirstThenOutputs) {
  TraceSource state = resolveTrace({"soma", "w"}, kPopulations);
  EXPECT_EQ(state.population, 1u);
  EXPECT_FALSE(state.emitted);
  EXPECT_EQ(state.name, "w");
  TraceSource output = resolveTrace({"soma", "s"}, kPopulations);
  EXPECT_TRUE(output.emitted);
  EXPECT_EQ(output.name, "s");
  TraceSource only = resolveTrace({"both", ""}, kPopulations);
  EXPECT_TRUE(only.emitted);
  EXPECT_EQ(only.name, "s");
  EXPECT_EQ(resolveTrace({"lif", ""}, kPopulations).name, "");
}

TEST(Traces, WhatANetworkNamesIsFoundInItsImage) {
  TraceSource read = resolveTrace({"read", ""}, kPopulations);
  EXPECT_FALSE(read.emitted);
  EXPECT_EQ(read.name, "v");
  TraceSource spikes = resolveTrace({"lif", "s"}, kPopulations);
  EXPECT_TRUE(spikes.emitted);
  EXPECT_EQ(spikes.name, "");
}

TEST(Traces, ANameThatNeedsEscapesSaysSo) {
  const std::vector<Traceable> odd = {{"a,b", {"v"}, {""}}};
  try {
    resolveTrace({"a", ""}, odd);
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(std::string(error.what()),
              "trace 'a': expected one of 'a,b'; in a name write \\, for a "
              "comma and \\: for a colon");
  }
}

TEST(Traces, TheCurrentHasTwoNames) {
  EXPECT_EQ(resolveTrace({"lif", "i"}, kPopulations).name, "u");
  EXPECT_EQ(resolveTrace({"soma", "u"}, kPopulations).name, "i");
  // Where a population has both, each means itself.
  EXPECT_EQ(resolveTrace({"both", "i"}, kPopulations).name, "i");
  EXPECT_EQ(resolveTrace({"both", "u"}, kPopulations).name, "u");
}

TEST(Traces, RefusalsListWhatThereIs) {
  EXPECT_EQ(errorOf({"nobody", "v"}),
            "trace 'nobody': expected one of 'lif', 'soma', 'both', 'read', "
            "'probe'");
  EXPECT_EQ(errorOf({"lif", "w"}),
            "trace 'lif:w': expected a state or an output of it, 'u', 'v', or "
            "nothing for the emitted values of its only output");
  EXPECT_NE(errorOf({"soma", ""}).find("'i', 'w', 's', 'w'"),
            std::string::npos);
  EXPECT_NE(errorOf({"probe", ""}).find("trace 'probe'"), std::string::npos);
}

TEST(Traces, StatesOfADividedNeuronAreItsPartsStates) {
  std::vector<Traceable> divided = {
      {"H", {}, {"o"}}, {"H.0", {"S"}, {"a"}}, {"H.1", {"S"}, {"a"}}};
  try {
    resolveTrace({"H", "S"}, divided);
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(std::string(error.what()),
              "trace 'H:S': the neuron is divided between cores; expected its "
              "parts 'H.0:S', 'H.1:S'");
  }
}

TEST(Traces, TextOfARequest) {
  EXPECT_EQ(textOf({"a", ""}), "a");
  EXPECT_EQ(textOf({"a", "v"}), "a:v");
}

} // namespace
} // namespace dendrolith::sim
