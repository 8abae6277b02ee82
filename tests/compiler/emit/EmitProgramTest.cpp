// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission is one-to-one: every table and number of a chip program is in the
// image, and nothing else is.

#include "compiler/emit/EmitProgram.h"

#include "runtime/image/Program.h"
#include "runtime/image/Tables.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace dendrolith::test {
namespace {

// Two cores, both list kinds, both input kinds, every report.
const char *kProgram = R"(
chip.program_image @net target "tiny" period 2 depth 4 attributes {
    critical = "A -> B -> A",
    fit = [#report.fit<resource = "in-axons", unit = "entries", used = 3, limit = 32,
            worst_core = 2, population = "B">],
    quantisation = [#report.quantised<layer = "A", source = "x", scale = 0.25, weight_bits = 8,
                     shift = 6, weights = 10, clipped = 1, zeroed = 2,
                     lossless = true, max_error = 0.5, detail = "text">],
    policies = [#report.note<key = "dt", value = "1 ms">],
    rewrites = [#report.rewrite<rewrite = "dead-units", population = "p", detail = "d",
      neurons_before = 9, neurons_after = 7, synapses_before = 5,
      synapses_after = 4, verified = "v", removed_ids = "1, 3">],
    mapping = #report.mapping<solver = "default", cost = 12.5, baseline_cost = 25.0,
               cost_unit = "hops", cores = 2>,
    statistics = #report.statistics<parameters = 11, parameter_bytes = 44,
                  connection_weights = 10, zero_weights = 3,
                  dense_synops_per_tick = 9>,
    overridden_limits = [#report.overridden_limit<name = "in_axons", limit = 32, used = 40>]} {
  chip.population "A" : "lif" [1, 3] phase 1 scale 64.0
  chip.population "B" : "li" [2] phase 3 scale 0.0
  chip.input "x" [2] integer false range 0, 1 scale 1.0 phase 0
      axons dense<[0, 2, 3]> : tensor<3xi32>,
            dense<[[0, 0], [2, 1], [0, 1]]> : tensor<3x2xi32>
  chip.input "g" [1] integer true range -7, 8 scale 2.5 phase 2
      axons dense<[0, 1]> : tensor<2xi32>, dense<[[2, 0]]> : tensor<1x2xi32>
  chip.output "y" [3] = spikes "A"["s"] scale 1.0
  chip.output "u" [2] = state "B"["u"] scale 64.0
  chip.output "v" [2] = state "B"["v"] scale 64.0
  chip.core 0 {
    chip.group "A" neurons 0 + 3 base 4 phase 1
        cuba <decay_u = array<i32: -1, 0, 4095>, decay_v = array<i32: 4096>,
              threshold = dense<[64, 128, 192]> : tensor<3xi32>,
              bias = dense<-5> : tensor<1xi32>, initial_v = array<i32: -9>,
              vmin = -100, vmax = 200, refractory = 3, input_wrap_bits = 21,
              bias_wrap = true, wrap_open_high = true>
        axons dense<[0, 0, 2, 2]> : tensor<4xi32>,
              dense<[[2, 0], [2, 2]]> : tensor<2x2xi32>
    chip.synapses
        shapes dense<[[2, 2, 1, 0, 5, 9], [3, 1, 0, 6, 8, 0]]>
            : tensor<2x6xi32>
        lists dense<[1, 0]> : tensor<2xi32>
        weights dense<[1, -2, 3, -32768, 32767]> : tensor<5xi16>
        offsets dense<[0, 2]> : tensor<2xi32>
    chip.in_axons dense<[[0, 4, 0, 0], [1, 4, 0, 5]]> : tensor<2x4xi32>
  }
  chip.core 2 {
    chip.group "B" neurons 0 + 2 base 0 phase 3
        cuba <decay_u = array<i32: 7>, decay_v = array<i32: 8>,
              threshold = array<i32: 9>, bias = array<i32: 10>,
              initial_u = array<i32: 11, 12>, vmin = -1, vmax = 1, silent = true>
        axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
    chip.synapses shapes dense<[[1, 1, 0, 3, 8, 0]]> : tensor<1x6xi32>
        lists dense<0> : tensor<1xi32>
        weights dense<[77]> : tensor<1xi16> offsets dense<> : tensor<0xi32>
    chip.in_axons dense<[[0, 0, 0, 1], [0, 1, 0, 0], [0, 1, 0, 2]]>
        : tensor<3x4xi32>
  }
})";

class EmitProgram : public testing::Test {
protected:
  EmitProgram() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<chip::ChipDialect>();
    context.printOpOnDiagnostic(false);
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &d) { errors += d.str() + "\n"; });
  }

  mlir::FailureOr<image::Program> emit(const std::string &text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << errors;
      return mlir::failure();
    }
    auto images = module->getOps<chip::ProgramImageOp>();
    return emitProgram(*images.begin(), Target::load("tiny"));
  }

  /// The program with one piece of its text replaced.
  static std::string with(const std::string &from, const std::string &to) {
    std::string text = kProgram;
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string errors;
};

using Ints = std::vector<int64_t>;
using Begin = std::vector<uint32_t>;

template <typename Repeated> Ints ints(const Repeated &values) {
  return Ints(values.begin(), values.end());
}

Ints flat(const std::vector<AxonRow> &rows) {
  Ints all;
  for (const AxonRow &row : rows)
    all.insert(all.end(), {row.core, row.axon});
  return all;
}

Ints flat(const std::vector<InAxon> &rows) {
  Ints all;
  for (const InAxon &row : rows)
    all.insert(all.end(), {row.list, row.base, row.port, row.delay});
  return all;
}

Ints flat(const std::vector<SynapseList> &rows) {
  Ints all;
  for (const SynapseList &row : rows)
    all.insert(all.end(),
               {row.first, row.count, row.firstOffset, row.words,
                int64_t(row.kind), row.shift, row.weightBits, row.indexBits});
  return all;
}

TEST_F(EmitProgram, PopulationsAndInterface) {
  auto p = emit(kProgram);
  ASSERT_TRUE(mlir::succeeded(p)) << errors;
  EXPECT_EQ(p->target_name(), "tiny");
  EXPECT_EQ(p->target_yaml(), Target::load("tiny").yamlText);
  EXPECT_EQ(p->schedule().period(), 2u);
  EXPECT_EQ(p->schedule().depth(), 4u);
  EXPECT_EQ(p->schedule().critical(), "A -> B -> A");
  ASSERT_EQ(p->populations_size(), 2);
  const image::Population &a = p->populations(0), &b = p->populations(1);
  EXPECT_EQ(a.name() + a.model() + b.name() + b.model(), "AlifBli");
  EXPECT_EQ(ints(a.shape()), (Ints{1, 3}));
  EXPECT_EQ(a.size(), 3u);
  EXPECT_EQ(a.phase(), 1u);
  EXPECT_EQ(b.phase(), 3u);
  EXPECT_EQ(a.scale(), 64.0);
  ASSERT_EQ(p->inputs_size(), 2);
  const image::Input &x = p->inputs(0), &g = p->inputs(1);
  EXPECT_EQ(x.kind(), image::Input::BINARY);
  EXPECT_EQ(g.kind(), image::Input::INTEGER);
  EXPECT_EQ(g.low(), -7);
  EXPECT_EQ(g.high(), 8);
  EXPECT_EQ(g.scale(), 2.5);
  EXPECT_EQ(g.phase(), 2u);
  EXPECT_EQ(decodeAxons(x.axons()).begin, (Begin{0, 2, 3}));
  EXPECT_EQ(flat(decodeAxons(x.axons()).rows), (Ints{0, 0, 2, 1, 0, 1}));
  EXPECT_EQ(flat(decodeAxons(g.axons()).rows), (Ints{2, 0}));
  ASSERT_EQ(p->outputs_size(), 3);
  EXPECT_EQ(p->outputs(0).kind(), image::Output::SPIKES);
  EXPECT_EQ(p->outputs(0).population(), "A");
  EXPECT_EQ(p->outputs(1).kind(), image::Output::STATE);
  EXPECT_EQ(p->outputs(1).from(), "u");
  EXPECT_EQ(p->outputs(2).from(), "v");
  EXPECT_EQ(p->outputs(2).scale(), 64.0);
  EXPECT_EQ(ints(p->outputs(2).shape()), (Ints{2}));
}

TEST_F(EmitProgram, TablesOfTheCores) {
  auto p = emit(kProgram);
  ASSERT_TRUE(mlir::succeeded(p)) << errors;
  ASSERT_EQ(p->cores_size(), 2);
  const image::Core &first = p->cores(0), &second = p->cores(1);
  EXPECT_EQ(first.id(), 0u);
  EXPECT_EQ(second.id(), 2u);
  EXPECT_EQ(flat(decodeLists(first.synapses().lists())),
            (Ints{0, 3, 0, 1, 0, 6, 8, 0, 3, 2, 0, 2, 1, 0, 5, 9}));
  EXPECT_EQ(decodeI16(first.synapses().weights()),
            (std::vector<int16_t>{1, -2, 3, -32768, 32767}));
  EXPECT_EQ(decodeU32(first.synapses().offsets()), (Begin{0, 2}));
  EXPECT_EQ(flat(decodeInAxons(first.in_axons())),
            (Ints{0, 4, 0, 0, 1, 4, 0, 5}));
  EXPECT_EQ(decodeI16(second.synapses().weights()), (std::vector<int16_t>{77}));
  EXPECT_EQ(flat(decodeInAxons(second.in_axons())),
            (Ints{0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 2}));
  ASSERT_EQ(first.groups_size(), 1);
  const image::Group &group = first.groups(0);
  EXPECT_EQ(group.population(), "A");
  EXPECT_EQ(group.first_neuron(), 0u);
  EXPECT_EQ(group.count(), 3u);
  EXPECT_EQ(group.base(), 4u);
  EXPECT_EQ(group.phase(), 1u);
  EXPECT_EQ(decodeAxons(group.axons()).begin, (Begin{0, 0, 2, 2}));
  EXPECT_EQ(flat(decodeAxons(group.axons()).rows), (Ints{2, 0, 2, 2}));
  EXPECT_TRUE(decodeAxons(second.groups(0).axons()).rows.empty());
}

TEST_F(EmitProgram, NeuronParameters) {
  auto p = emit(kProgram);
  ASSERT_TRUE(mlir::succeeded(p)) << errors;
  const image::Cuba &a = p->cores(0).groups(0).cuba();
  EXPECT_EQ(ints(a.decay_u()), (Ints{-1, 0, 4095}));
  EXPECT_EQ(ints(a.decay_v()), (Ints{4096}));
  EXPECT_EQ(ints(a.threshold()), (Ints{64, 128, 192}));
  EXPECT_EQ(ints(a.bias()), (Ints{-5}));
  EXPECT_EQ(ints(a.initial_u()), Ints{});
  EXPECT_EQ(ints(a.initial_v()), (Ints{-9}));
  EXPECT_EQ(a.vmin(), -100);
  EXPECT_EQ(a.vmax(), 200);
  EXPECT_EQ(a.refractory(), 3u);
  EXPECT_EQ(a.input_wrap_bits(), 21u);
  EXPECT_TRUE(a.bias_wrap() && a.wrap_open_high() && !a.silent());
  const image::Cuba &b = p->cores(1).groups(0).cuba();
  EXPECT_EQ(ints(b.initial_u()), (Ints{11, 12}));
  EXPECT_TRUE(!b.bias_wrap() && !b.wrap_open_high() && b.silent());
}

TEST_F(EmitProgram, Reports) {
  auto p = emit(kProgram);
  ASSERT_TRUE(mlir::succeeded(p)) << errors;
  EXPECT_EQ(p->fit(0).ShortDebugString(),
            "resource: \"in-axons\" unit: \"entries\" used: 3 limit: 32 "
            "worst_core: 2 population: \"B\"");
  EXPECT_EQ(p->quantisation(0).ShortDebugString(),
            "layer: \"A\" source: \"x\" scale: 0.25 weight_bits: 8 shift: 6 "
            "weights: 10 clipped: 1 zeroed: 2 lossless: true max_error: 0.5 "
            "detail: \"text\"");
  EXPECT_EQ(p->policies(0).ShortDebugString(), "key: \"dt\" value: \"1 ms\"");
  EXPECT_EQ(p->rewrites(0).ShortDebugString(),
            "rewrite: \"dead-units\" population: \"p\" detail: \"d\" "
            "neurons_before: 9 neurons_after: 7 synapses_before: 5 "
            "synapses_after: 4 verified: \"v\" removed_ids: \"1, 3\"");
  EXPECT_EQ(p->mapping().ShortDebugString(),
            "solver: \"default\" cost: 12.5 baseline_cost: 25 cost_unit: "
            "\"hops\" cores: 2");
  EXPECT_EQ(p->statistics().ShortDebugString(),
            "parameters: 11 parameter_bytes: 44 connection_weights: 10 "
            "zero_weights: 3 dense_synops_per_tick: 9");
  ASSERT_EQ(p->overridden_limits_size(), 1);
  EXPECT_EQ(p->overridden_limits(0).ShortDebugString(),
            "name: \"in_axons\" limit: 32 used: 40");
}

TEST_F(EmitProgram, SameBytesEachTime) {
  auto once = emit(kProgram);
  ASSERT_TRUE(mlir::succeeded(once)) << errors;
  auto twice = emit(kProgram);
  ASSERT_TRUE(mlir::succeeded(twice)) << errors;
  EXPECT_EQ(serialize(*once), serialize(*twice));
}

// What the dialect's verifier cannot see is refused by validate(), with the
// place in the image.
TEST_F(EmitProgram, InvalidProgramsAreRefusedByPlace) {
  struct {
    std::string text, place;
  } cases[] = {
      {with("dense<[[0, 0], [2, 1], [0, 1]]>",
            "dense<[[0, 0], [2, 3], [0, 1]]>"),
       "input 'x', source 0, row 1: in-axon 3 does not exist, core 2 has 3"},
      {with("dense<[[2, 0], [2, 2]]>", "dense<[[1, 0], [2, 2]]>"),
       "core 0, group 0, source 1, row 0: core 1 is not a core"},
      {with("[1, 4, 0, 5]]", "[1, 5, 0, 5]]"),
       "core 0, in-axon 1: list 1 from base 5 reaches accumulators 5 to 7"},
      {with("neurons 0 + 2 base 0 phase 3", "neurons 0 + 2 base 0 phase 2"),
       "core 2, group 0: expected phase 3"},
      {with("[0, 4, 0, 0]", "[0, 4, 1, 0]"),
       "core 0, in-axon 0: expected port 0"},
  };
  for (const auto &c : cases) {
    errors.clear();
    EXPECT_TRUE(mlir::failed(emit(c.text)));
    EXPECT_NE(errors.find("the program image is not valid: " + c.place),
              std::string::npos)
        << errors << "\nexpected: " << c.place;
  }
}

} // namespace
} // namespace dendrolith::test
