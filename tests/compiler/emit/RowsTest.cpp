// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows (dialects/report/Row.td) and the messages that they are written into
// have the same fields: a row with every field set leaves none of the message
// unset.

#include "dialects/chip/Chip.h"
#include "runtime/image/program.pb.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

namespace dendrolith::test {
namespace {

std::string textOf(mlir::Attribute attr) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  attr.print(stream);
  return text;
}

/// Names of the fields that the message has and the row did not set.
std::string unsetOf(const google::protobuf::Message &message) {
  std::vector<const google::protobuf::FieldDescriptor *> set;
  message.GetReflection()->ListFields(message, &set);
  std::string text;
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const auto *field = message.GetDescriptor()->field(i);
    if (std::find(set.begin(), set.end(), field) == set.end())
      text += field->name() + " ";
  }
  return text;
}

class Rows : public ::testing::Test {
protected:
  Rows() { context.loadDialect<report::ReportDialect, chip::ChipDialect>(); }

  template <typename RowAttr> RowAttr parse(const std::string &text) {
    auto row =
        mlir::dyn_cast_or_null<RowAttr>(mlir::parseAttribute(text, &context));
    EXPECT_TRUE(row) << text;
    // What is printed can be read, and fields make the row they came from.
    EXPECT_EQ(textOf(row), text);
    EXPECT_EQ(RowAttr::of(&context, row.fields()), row);
    return row;
  }

  template <typename RowAttr, typename Message>
  Message write(const std::string &text) {
    Message message;
    parse<RowAttr>(text).writeTo(message);
    EXPECT_EQ(unsetOf(message), "") << text;
    return message;
  }

  mlir::MLIRContext context;
};

TEST_F(Rows, OfReports) {
  auto fit = write<report::FitRowAttr, image::FitRow>(
      "#report.fit<resource = \"in-axons\", unit = \"entries\", used = 3, "
      "limit = 32, worst_core = 2, population = \"B\">");
  EXPECT_EQ(fit.worst_core(), 2u);
  auto quantised = write<report::QuantRowAttr, image::QuantRow>(
      "#report.quantised<layer = \"A\", source = \"x\", scale = 2.500000e-01 : "
      "f64, weight_bits = 8, shift = -6, weights = 10, clipped = 1, zeroed = "
      "2, lossless = true, max_error = 1.000000e-01 : f64, detail = \"text\">");
  EXPECT_EQ(quantised.shift(), -6);
  EXPECT_EQ(quantised.max_error(), 0.1);
  write<report::NoteAttr, image::Note>(
      "#report.note<key = \"dt\", value = \"1 \\22ms\\22\">");
  write<report::RewriteRowAttr, image::RewriteRow>(
      "#report.rewrite<rewrite = \"r\", population = \"p\", detail = \"d\", "
      "neurons_before = 9, neurons_after = 7, synapses_before = 5, "
      "synapses_after = 4, verified = \"v\", removed_ids = \"1, 3\">");
  write<report::MappingReportAttr, image::MappingReport>(
      "#report.mapping<solver = \"default\", cost = 1.250000e+01 : f64, "
      "baseline_cost = 2.500000e+01 : f64, cost_unit = \"hops\", cores = 2, "
      "objective = \"time\", activity = \"rates\", fewer_cores = \"slow\", "
      "terms = [<name = \"step\", unit = \"ns\", value = 1.500000e+00 : f64, "
      "baseline = 2.500000e+00 : f64>], bounds = [<resource = \"in-axons\", "
      "cores = 3, population = \"A\">], trade_off = [<cores = 2, step_ns = "
      "1.500000e+00 : f64, step_pj = 2.500000e+00 : f64, how = \"order\", "
      "chosen = true, pareto = true, rough = true>], hotspots = [<where = "
      "\"core 1\", "
      "step_ns = 1.500000e+00 : f64, cause = \"updates\", remedy = "
      "\"cores\">]>");
  write<report::ModelStatisticsAttr, image::ModelStatistics>(
      "#report.statistics<parameters = 11, parameter_bytes = 44, "
      "connection_weights = 10, zero_weights = 3, dense_synops_per_tick = 9>");
  auto layer = write<report::LayerAttr, image::Layer>(
      "#report.layer<population = \"A\", neurons = 3, branches = [<first = 1, "
      "end = 3, modes = 8, complex = true>, <end = 2>], sources = [<name = "
      "\"x\", synapses = 9>]>");
  ASSERT_EQ(layer.branches_size(), 2);
  EXPECT_EQ(unsetOf(layer.branches(0)), "");
  EXPECT_EQ(unsetOf(layer.sources(0)), "");
  write<report::OverriddenLimitAttr, image::OverriddenLimit>(
      "#report.overridden_limit<name = \"in_axons\", limit = 32, used = 40>");
}

TEST_F(Rows, OfPrograms) {
  using image::Microprogram;
  write<chip::PortAttr, Microprogram::Port>(
      "#chip.port<name = \"p\", elements = 2, width = 16, hold = 1>");
  write<chip::StateAttr, Microprogram::State>(
      "#chip.state<name = \"v\", elements = 2, width = 16, reset_every = 4, "
      "keep = true>");
  write<chip::ParamAttr, Microprogram::Param>(
      "#chip.param<name = \"g\", elements = 2, width = 16, per_neuron = true>");
  auto output = write<chip::EmissionAttr, Microprogram::Emission>(
      "#chip.output<name = \"o\", elements = 2, low = -2, high = 2, kind = "
      "split, steps = 2>");
  EXPECT_EQ(output.kind(), Microprogram::Emission::SPLIT);
}

// Numbers come from the row, vectors from whoever reads them.
TEST_F(Rows, OfEngines) {
  image::Cuba cuba;
  parse<chip::CubaAttr>(
      "#chip.cuba<decay_u = array<i32: 1>, decay_v = array<i32: 2>, threshold "
      "= array<i32: 3>, bias = array<i32: 4>, initial_v = array<i32: 5>, "
      "input_wrap_bits = 21, current_bits = 16, vmin = -1, vmax = 1, "
      "refractory = 3, wrap_open_high = true, bias_wrap = true, silent = "
      "true>")
      .writeTo(cuba);
  EXPECT_EQ(unsetOf(cuba),
            "decay_u decay_v threshold bias initial_u initial_v ");
  image::Microcode microcode;
  parse<chip::MicrocodeAttr>(
      "#chip.microcode<program = 1, params = [], initial = []>")
      .writeTo(microcode);
  EXPECT_EQ(unsetOf(microcode), "params initial ");
}

TEST_F(Rows, WithoutFieldsAreEmpty) {
  EXPECT_EQ(parse<report::NoteAttr>("#report.note<>").fields(),
            report::NoteAttr::Fields());
}

} // namespace
} // namespace dendrolith::test
