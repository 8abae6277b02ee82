// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/emit/EmitReports.h"

using namespace mlir;

namespace neurite {
namespace {

/// Report rows: dictionaries keyed like the messages.
class Row {
public:
  explicit Row(Attribute attr) : entries(dyn_cast<DictionaryAttr>(attr)) {}
  std::string text(StringRef key) const {
    auto attr = entries ? entries.getAs<StringAttr>(key) : StringAttr();
    return attr ? attr.getValue().str() : std::string();
  }
  int64_t number(StringRef key) const {
    auto attr = entries ? entries.getAs<IntegerAttr>(key) : IntegerAttr();
    return !attr ? 0
           : attr.getType().isInteger(1)
               ? int64_t(attr.getValue().getBoolValue())
               : attr.getInt();
  }
  double real(StringRef key) const {
    auto attr = entries ? entries.getAs<FloatAttr>(key) : FloatAttr();
    return attr ? attr.getValueAsDouble() : 0;
  }
  ArrayRef<Attribute> rows(StringRef key) const {
    auto attr = entries ? entries.getAs<ArrayAttr>(key) : ArrayAttr();
    return attr ? attr.getValue() : ArrayRef<Attribute>();
  }

private:
  DictionaryAttr entries;
};

ArrayRef<Attribute> rowsOf(std::optional<ArrayAttr> rows) {
  return rows && *rows ? rows->getValue() : ArrayRef<Attribute>();
}

void emitLayers(chip::ProgramImageOp image, image::Program &program) {
  for (Attribute attr : rowsOf(image.getLayers())) {
    Row row(attr);
    image::Layer &out = *program.add_layers();
    out.set_population(row.text("population"));
    out.set_neurons(row.number("neurons"));
    for (Attribute entry : row.rows("branches")) {
      Row branch(entry);
      image::Layer::Branch &to = *out.add_branches();
      to.set_first(branch.number("first"));
      to.set_end(branch.number("end"));
      to.set_modes(branch.number("modes"));
      to.set_complex(branch.number("complex") != 0);
    }
    for (Attribute entry : row.rows("sources")) {
      Row source(entry);
      image::Layer::Source &to = *out.add_sources();
      to.set_name(source.text("name"));
      to.set_synapses(source.number("synapses"));
    }
  }
}

void emitOverrides(chip::ProgramImageOp image, image::Program &program) {
  for (Attribute attr : rowsOf(image.getOverriddenLimits())) {
    Row row(attr);
    image::OverriddenLimit &out = *program.add_overridden_limits();
    out.set_name(row.text("name"));
    out.set_limit(row.number("limit"));
    out.set_used(row.number("used"));
  }
}

void emitRewrites(chip::ProgramImageOp image, image::Program &program) {
  for (Attribute attr : rowsOf(image.getRewrites())) {
    Row row(attr);
    image::RewriteRow &out = *program.add_rewrites();
    out.set_rewrite(row.text("rewrite"));
    out.set_population(row.text("population"));
    out.set_detail(row.text("detail"));
    out.set_neurons_before(row.number("neurons_before"));
    out.set_neurons_after(row.number("neurons_after"));
    out.set_synapses_before(row.number("synapses_before"));
    out.set_synapses_after(row.number("synapses_after"));
    out.set_verified(row.text("verified"));
    out.set_removed_ids(row.text("removed_ids"));
  }
}

} // namespace

void emitReports(chip::ProgramImageOp image, image::Program &program) {
  for (Attribute attr : rowsOf(image.getFit())) {
    Row row(attr);
    image::FitRow &out = *program.add_fit();
    out.set_resource(row.text("resource"));
    out.set_unit(row.text("unit"));
    out.set_used(row.number("used"));
    out.set_limit(row.number("limit"));
    out.set_worst_core(static_cast<uint32_t>(row.number("worst_core")));
    out.set_population(row.text("population"));
  }
  for (Attribute attr : rowsOf(image.getQuantisation())) {
    Row row(attr);
    image::QuantRow &out = *program.add_quantisation();
    out.set_layer(row.text("layer"));
    out.set_source(row.text("source"));
    out.set_scale(row.real("scale"));
    out.set_weight_bits(static_cast<uint32_t>(row.number("weight_bits")));
    out.set_shift(static_cast<int32_t>(row.number("shift")));
    out.set_weights(row.number("weights"));
    out.set_clipped(row.number("clipped"));
    out.set_zeroed(row.number("zeroed"));
    out.set_lossless(row.number("lossless") != 0);
    out.set_max_error(row.real("max_error"));
    out.set_detail(row.text("detail"));
  }
  for (Attribute attr : rowsOf(image.getPolicies())) {
    Row row(attr);
    image::Note &out = *program.add_policies();
    out.set_key(row.text("key"));
    out.set_value(row.text("value"));
  }
  if (image.getMapping()) {
    Row row(*image.getMapping());
    image::MappingReport &out = *program.mutable_mapping();
    out.set_solver(row.text("solver"));
    out.set_cost(row.real("cost"));
    out.set_baseline_cost(row.real("baseline_cost"));
    out.set_cost_unit(row.text("cost_unit"));
    out.set_cores(static_cast<uint32_t>(row.number("cores")));
  }
  if (image.getStatistics()) {
    Row row(*image.getStatistics());
    image::ModelStatistics &out = *program.mutable_statistics();
    out.set_parameters(row.number("parameters"));
    out.set_parameter_bytes(row.number("parameter_bytes"));
    out.set_connection_weights(row.number("connection_weights"));
    out.set_zero_weights(row.number("zero_weights"));
    out.set_dense_synops_per_tick(row.number("dense_synops_per_tick"));
  }
  emitLayers(image, program);
  emitOverrides(image, program);
  emitRewrites(image, program);
}

} // namespace neurite
