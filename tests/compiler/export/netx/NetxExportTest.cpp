// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/export/netx/Netx.cpp, compiler/export/netx/LayerGroup.cpp.
// Which models a NetX file can carry, what it then says, and by what name the
// others are refused.

#include "compiler/export/netx/Netx.h"
#include "compiler/import/lava/Netx.h"
#include "compiler/lava/Tensors.h"
#include "targets/support/Error.h"

#include <gtest/gtest.h>

namespace dendrolith::lava {
namespace {

const std::string kPackage = "lava.proc.";

/// host -> in (2 x 2) -> cells, which is the output.
class NetxExport : public ::testing::Test {
protected:
  NetxExport() {
    model.set_schema_version(1);
    add("in", "dense.process.Dense");
    set("in", "weights", tensorValue({2, 2}, {6, -4, 0, 2}));
    add("cells", "lif.process.LIF", {2});
    set("cells", "du", integerValue(409));
    set("cells", "dv", integerValue(819));
    set("cells", "vth", integerValue(20));
    connect("in", "a_out", "cells", "a_in");
    Input &input = *model.add_inputs();
    input.set_name("x");
    input.set_target("in");
    input.set_target_port("s_in");
    input.add_shape(2);
    input.set_highest(1);
    Output &output = *model.add_outputs();
    output.set_name("y");
    output.set_source("cells");
    output.set_source_port("s_out");
  }

  void add(const std::string &name, const std::string &lavaClass,
           const std::vector<uint64_t> &shape = {}) {
    Process &process = *model.add_processes();
    process.set_name(name);
    process.set_lava_class(kPackage + lavaClass);
    for (uint64_t size : shape)
      process.add_shape(size);
  }

  Process &process(const std::string &name) {
    for (Process &process : *model.mutable_processes())
      if (process.name() == name)
        return process;
    throw std::out_of_range(name);
  }

  void set(const std::string &name, const char *key, Value value) {
    (*process(name).mutable_kwargs())[key] = std::move(value);
  }

  void connect(const std::string &from, const std::string &port,
               const std::string &to, const std::string &toPort) {
    Connection &connection = *model.add_connections();
    connection.set_source(from);
    connection.set_source_port(port);
    connection.set_target(to);
    connection.set_target_port(toPort);
  }

  void expectRefused(const std::string &what) {
    try {
      netxFile(model);
      ADD_FAILURE() << "taken, expected: " << what;
    } catch (const Error &error) {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos)
          << error.what();
    }
  }

  std::vector<double> values(const std::string &layer, const char *key) {
    hdf5::Node tree = netxFile(model).tree;
    readNetx(tree, "written"); // which refuses what NetX would change
    const hdf5::Node *node = tree.find("layer")->find(layer)->find(key);
    return node ? node->values : std::vector<double>();
  }

  Model model;
};

using Values = std::vector<double>;

TEST_F(NetxExport, WritesWhatAMessageAdds) {
  EXPECT_EQ(values("1", "weight"), (Values{6, -4, 0, 2}));
  set("in", "weight_exp", integerValue(3));
  EXPECT_EQ(values("1", "weight"), (Values{48, -32, 0, 16}));
  set("in", "weight_exp", integerValue(-1));
  EXPECT_EQ(values("1", "weight"), (Values{3, -2, 0, 1}));
  set("in", "weights", tensorValue({2, 2}, {18, -4, 0, 2}));
  set("in", "num_weight_bits", integerValue(6)); // steps of 8
  set("in", "weight_exp", integerValue(0));
  EXPECT_EQ(values("1", "weight"), (Values{16, -8, 0, 0}));
}

TEST_F(NetxExport, ExpandsSparseWeights) {
  process("in").set_lava_class(kPackage + "sparse.process.Sparse");
  Tensor &tensor =
      *(*process("in").mutable_kwargs())["weights"].mutable_tensor();
  tensor.clear_dense();
  tensor.set_dtype("i1");
  std::string rows(24, '\0');
  rows[8] = 1, rows[16] = 2;
  tensor.mutable_csr()->set_indptr(rows);
  tensor.mutable_csr()->set_indices(std::string("\1\0\0\0\0\0\0\0", 8));
  tensor.mutable_csr()->set_data("\5\7");
  EXPECT_EQ(values("1", "weight"), (Values{0, 5, 7, 0}));
}

TEST_F(NetxExport, RefusesWeightsThatNetxChanges) {
  set("in", "weights", tensorValue({2, 2}, {0, 0, 0, 0}));
  expectRefused("process 'in' (Dense): all weights are 0");
  set("in", "weights", tensorValue({2, 2}, {254, -4, 0, 2}));
  set("in", "weight_exp", integerValue(1));
  expectRefused("weight 508 would become 254");
  set("in", "weights", tensorValue({2, 2}, {2, -4, 0, 2}));
  set("in", "weight_exp", integerValue(-2));
  expectRefused("weight 2 with weight_exp -2 is no whole number");
}

TEST_F(NetxExport, ShiftsBiasesIntoSixBits) {
  set("cells", "bias_mant", tensorValue({2}, {3, -128}));
  set("cells", "bias_exp", integerValue(7));
  EXPECT_EQ(values("1", "bias"), (Values{6, -256}));
  set("cells", "bias_exp", integerValue(0));
  expectRefused("process 'cells' (LIF): the bias of neuron 0 is 3 * 2^0");
}

TEST_F(NetxExport, AsksForAResetWhereBiasesWaitForTheFirstInput) {
  set("cells", "dv", integerValue(0));
  set("cells", "vth", integerValue(20));
  set("cells", "bias_mant", integerValue(128));
  EXPECT_FALSE(netxFile(model).resetOffset); // the bias begins at once
  set("cells", "v", integerValue(-128));     // and here a step later
  EXPECT_EQ(netxFile(model).resetOffset, 1u);
  EXPECT_EQ(values("1", "bias"), (Values{2, 2}));
  set("cells", "v", integerValue(-127));
  expectRefused("process 'cells' (LIF): v starts at -127, and the bias of "
                "neuron 0 does not lead it to 0 in the 1 steps");
  set("cells", "v", integerValue(-128));
  set("cells", "vth", integerValue(1));
  expectRefused("the bias of neuron 0 alone would make it fire");
  set("cells", "vth", integerValue(20));
  add("on", "dense.process.Dense");
  set("on", "weights", tensorValue({1, 2}, {2, 4}));
  add("last", "lif.process.LIF", {1});
  set("last", "bias_mant", integerValue(64));
  connect("cells", "s_out", "on", "s_in");
  connect("on", "a_out", "last", "a_in");
  model.mutable_outputs(0)->set_source("last");
  expectRefused("process 'last' (LIF): its biases begin at once and those of a "
                "layer before it with its first input");
}

TEST_F(NetxExport, WritesDecaysByNeuron) {
  set("cells", "dv", tensorValue({2}, {5, 6}));
  hdf5::Node tree = netxFile(model).tree;
  const hdf5::Node *neuron = tree.find("layer")->find("1")->find("neuron");
  EXPECT_EQ(neuron->find("vDecay")->values, (Values{5, 6}));
  EXPECT_EQ(neuron->find("iDecay")->values, (Values{410}));
}

TEST_F(NetxExport, RefusesNeuronsByName) {
  set("cells", "vth", tensorValue({2}, {5, 6}));
  expectRefused("process 'cells' (LIF): thresholds differ by neuron");
  set("cells", "vth", integerValue(5));
  set("cells", "u", integerValue(9));
  expectRefused("process 'cells' (LIF): u starts at 9");
  for (const char *other : {"lif.process.TernaryLIF", "lif.process.LIFReset",
                            "atrlif.process.ATRLIF", "graded.process.GradedVec",
                            "prodneuron.process.ProdNeuron"}) {
    std::string name = other;
    process("cells").set_lava_class(kPackage + name);
    expectRefused("process 'cells' (" + name.substr(name.rfind('.') + 1) +
                  "): the format has LIF");
  }
  process("cells").set_lava_class("dendrolith_lava.population.Population");
  expectRefused("process 'cells' (Population): the format has LIF");
}

TEST_F(NetxExport, RefusesOtherSigmaDelta) {
  process("cells").set_lava_class(kPackage + "sdn.process.SigmaDelta");
  process("cells").clear_kwargs();
  set("cells", "vth", integerValue(3));
  expectRefused("process 'cells' (SigmaDelta): spike_exp is 0, NetX sets 6");
  set("cells", "spike_exp", integerValue(6));
  set("cells", "state_exp", integerValue(6));
  EXPECT_EQ(values("1", "weight"), (Values{6, -4, 0, 2}));
  set("cells", "cum_error", integerValue(1));
  expectRefused("cum_error is set");
  process("cells").set_lava_class(kPackage + "sdn.process.Delta");
  expectRefused("NetX has Delta as the input layer only");
}

TEST_F(NetxExport, RefusesBranchesAndLoops) {
  add("side", "dense.process.Dense");
  set("side", "weights", tensorValue({2, 2}, {1, 2, 3, 4}));
  add("more", "lif.process.LIF", {2});
  connect("side", "a_out", "more", "a_in");
  expectRefused("process 'side' (Dense): it is not on the one chain");
  connect("cells", "s_out", "side", "s_in");
  model.mutable_outputs(0)->set_source("more");
  EXPECT_EQ(values("2", "weight"), (Values{1, 2, 3, 4}));
  add("third", "dense.process.Dense");
  set("third", "weights", tensorValue({2, 2}, {1, 2, 3, 4}));
  connect("third", "a_out", "cells", "a_in");
  connect("more", "s_out", "third", "s_in");
  expectRefused("process 'cells' (LIF): 2 synapses from the layer before");
  model.mutable_connections()->RemoveLast();
  connect("cells", "s_out", "third", "s_in"); // now recurrent
  EXPECT_EQ(values("1", "weight_rec"), (Values{1, 2, 3, 4}));
  model.mutable_outputs(0)->set_source("cells");
  expectRefused("process 'cells' (LIF): it is an output");
}

TEST_F(NetxExport, RefusesDelaysThatNetxLoses) {
  add("back", "dense.process.DelayDense");
  set("back", "weights", tensorValue({2, 2}, {1, 2, 3, 4}));
  set("back", "delays", integerValue(3));
  connect("back", "a_out", "cells", "a_in");
  connect("cells", "s_out", "back", "s_in");
  expectRefused("process 'back' (DelayDense): delays in a recurrent layer");
}

TEST_F(NetxExport, RefusesGradedHostValues) {
  set("in", "num_message_bits", integerValue(16));
  EXPECT_EQ(values("1", "weight").size(), 4u);
  model.mutable_inputs(0)->set_highest(200);
  expectRefused("process 'in' (Dense): it reads graded values from the host");
}

TEST_F(NetxExport, SameBytesEveryTime) {
  std::string path = ::testing::TempDir() + "netx_export";
  writeNetx(model, path + "1.net");
  writeNetx(model, path + "2.net");
  NetxNetwork first = readNetx(path + "1.net"),
              second = readNetx(path + "2.net");
  EXPECT_EQ(first.model.source_hash(), second.model.source_hash());
  EXPECT_TRUE(first.warnings.empty());
  EXPECT_THROW(writeNetx(model, "/absent/folder/x.net"), Error);
}

} // namespace
} // namespace dendrolith::lava
