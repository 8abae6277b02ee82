// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/emit/EmitProgram.h"

#include "dialects/dend/Constants.h"

#include "runtime/Program.h"
#include "runtime/Tables.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace neurite {
namespace {

/// Reads blobs; remembers whether one of them could not be read.
class Blobs {
public:
  std::vector<int64_t> ints(Operation *op, Attribute attr, StringRef what) {
    // The engine's parameters may be arrays as well as tensors.
    if (auto array = dyn_cast_or_null<DenseI32ArrayAttr>(attr))
      return std::vector<int64_t>(array.asArrayRef().begin(),
                                  array.asArrayRef().end());
    auto elements = dyn_cast_or_null<ElementsAttr>(attr);
    auto values = elements ? dend::readInts(elements)
                           : FailureOr<std::vector<int64_t>>(failure());
    if (succeeded(values))
      return std::move(*values);
    op->emitError("its ") << what << " cannot be read as integers";
    ok = false;
    return {};
  }

  template <typename T>
  std::vector<T> as(Operation *op, Attribute attr, StringRef what) {
    std::vector<int64_t> wide = ints(op, attr, what);
    return std::vector<T>(wide.begin(), wide.end());
  }

  image::Axons axons(Operation *op, Attribute begin, Attribute rows) {
    AxonTable table;
    table.begin = as<uint32_t>(op, begin, "axon index");
    std::vector<int64_t> flat = ints(op, rows, "axon rows");
    for (size_t i = 0; i + 1 < flat.size(); i += 2)
      table.rows.push_back(
          {static_cast<uint32_t>(flat[i]), static_cast<uint32_t>(flat[i + 1])});
    return encodeAxons(table);
  }

  bool ok = true;
};

template <typename Repeated>
void append(Repeated *into, ArrayRef<int64_t> values) {
  for (int64_t value : values)
    into->Add(value);
}

void emitSynapses(chip::SynapsesOp op, image::Synapses &out, Blobs &blobs) {
  std::vector<int64_t> flat = blobs.ints(op, op.getLists(), "list table");
  std::vector<SynapseList> lists;
  for (size_t i = 0; i + 7 < flat.size(); i += 8) {
    SynapseList list;
    list.first = static_cast<uint32_t>(flat[i]);
    list.count = static_cast<uint32_t>(flat[i + 1]);
    list.firstOffset = static_cast<uint32_t>(flat[i + 2]);
    list.words = static_cast<uint32_t>(flat[i + 3]);
    list.kind = static_cast<ListKind>(flat[i + 4]);
    list.shift = static_cast<uint8_t>(flat[i + 5]);
    list.weightBits = static_cast<uint8_t>(flat[i + 6]);
    list.indexBits = static_cast<uint8_t>(flat[i + 7]);
    lists.push_back(list);
  }
  out.set_lists(encodeLists(lists));
  out.set_weights(encodeI16(blobs.as<int16_t>(op, op.getWeights(), "weights")));
  out.set_offsets(
      encodeU32(blobs.as<uint32_t>(op, op.getOffsets(), "offsets")));
}

void emitInAxons(chip::InAxonsOp op, image::Core &out, Blobs &blobs) {
  std::vector<int64_t> flat = blobs.ints(op, op.getRows(), "in-axon rows");
  std::vector<InAxon> rows;
  for (size_t i = 0; i + 3 < flat.size(); i += 4)
    rows.push_back({static_cast<uint32_t>(flat[i]),
                    static_cast<uint32_t>(flat[i + 1]),
                    static_cast<uint16_t>(flat[i + 2]),
                    static_cast<uint16_t>(flat[i + 3])});
  out.set_in_axons(encodeInAxons(rows));
}

void emitGroup(chip::GroupOp op, image::Group &out, Blobs &blobs) {
  out.set_population(op.getPopulation().str());
  out.set_first_neuron(op.getFirst());
  out.set_count(static_cast<uint32_t>(op.getCount()));
  out.set_base(static_cast<uint32_t>(op.getBase()));
  out.set_phase(static_cast<uint32_t>(op.getPhase()));
  image::Cuba &cuba = *out.mutable_cuba();
  DictionaryAttr entries = op.getCuba();
  auto values = [&](StringRef name, auto *into, bool required) {
    Attribute attr = entries.get(name);
    if (attr || required)
      append(into, blobs.ints(op, attr, name));
  };
  values("decay_u", cuba.mutable_decay_u(), true);
  values("decay_v", cuba.mutable_decay_v(), true);
  values("threshold", cuba.mutable_threshold(), true);
  values("bias", cuba.mutable_bias(), true);
  values("initial_u", cuba.mutable_initial_u(), false);
  values("initial_v", cuba.mutable_initial_v(), false);
  auto option = [&](StringRef name) {
    auto attr = entries.getAs<IntegerAttr>(name);
    return attr ? attr.getInt() : 0;
  };
  cuba.set_input_wrap_bits(static_cast<uint32_t>(option("input_wrap_bits")));
  cuba.set_vmin(option("vmin"));
  cuba.set_vmax(option("vmax"));
  cuba.set_refractory(static_cast<uint32_t>(option("refractory")));
  cuba.set_wrap_open_high(bool(entries.get("wrap_open_high")));
  cuba.set_bias_wrap(bool(entries.get("bias_wrap")));
  cuba.set_silent(bool(entries.get("silent")));
  *out.mutable_axons() = blobs.axons(op, op.getAxonBegin(), op.getAxonRows());
}

void emitCore(chip::CoreOp op, image::Core &out, Blobs &blobs) {
  out.set_id(static_cast<uint32_t>(op.getId()));
  for (Operation &row : op.getBody().front())
    llvm::TypeSwitch<Operation *>(&row)
        .Case([&](chip::GroupOp g) { emitGroup(g, *out.add_groups(), blobs); })
        .Case([&](chip::SynapsesOp s) {
          emitSynapses(s, *out.mutable_synapses(), blobs);
        })
        .Case([&](chip::InAxonsOp a) { emitInAxons(a, out, blobs); });
}

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

private:
  DictionaryAttr entries;
};

ArrayRef<Attribute> rowsOf(std::optional<ArrayAttr> rows) {
  return rows && *rows ? rows->getValue() : ArrayRef<Attribute>();
}

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

} // namespace

FailureOr<image::Program> emitProgram(chip::ProgramImageOp op,
                                      const Target &target) {
  image::Program program;
  Blobs blobs;
  program.set_format_version(kFormatVersion);
  program.set_producer("neurite " NEURITE_VERSION);
  program.set_target_name(target.name);
  program.set_target_yaml(target.yamlText);
  program.mutable_schedule()->set_period(static_cast<uint32_t>(op.getPeriod()));
  program.mutable_schedule()->set_depth(static_cast<uint32_t>(op.getDepth()));
  program.mutable_schedule()->set_critical(op.getCritical().str());
  for (Operation &row : op.getBody().front())
    llvm::TypeSwitch<Operation *>(&row)
        .Case([&](chip::PopulationOp p) {
          image::Population &out = *program.add_populations();
          out.set_name(p.getName().str());
          out.set_model(p.getModel().str());
          append(out.mutable_shape(), p.getShape());
          uint64_t size = 1;
          for (int64_t extent : p.getShape())
            size *= static_cast<uint64_t>(extent);
          out.set_size(size);
          out.set_phase(static_cast<uint32_t>(p.getPhase()));
          out.set_scale(p.getScale().convertToDouble());
        })
        .Case([&](chip::InputOp i) {
          image::Input &out = *program.add_inputs();
          out.set_name(i.getName().str());
          append(out.mutable_shape(), i.getShape());
          out.set_kind(i.getInteger() ? image::Input::INTEGER
                                      : image::Input::BINARY);
          out.set_low(i.getLow());
          out.set_high(i.getHigh());
          out.set_scale(i.getScale().convertToDouble());
          out.set_phase(static_cast<uint32_t>(i.getPhase()));
          *out.mutable_axons() =
              blobs.axons(i, i.getAxonBegin(), i.getAxonRows());
        })
        .Case([&](chip::OutputOp o) {
          image::Output &out = *program.add_outputs();
          out.set_name(o.getName().str());
          append(out.mutable_shape(), o.getShape());
          out.set_population(o.getPopulation().str());
          out.set_kind(static_cast<image::Output::Kind>(o.getKind()));
        })
        .Case(
            [&](chip::CoreOp c) { emitCore(c, *program.add_cores(), blobs); });
  emitReports(op, program);
  emitOverrides(op, program);
  if (!blobs.ok)
    return failure();
  try {
    validate(program);
  } catch (const Error &error) {
    return op.emitError("the program image is not valid: ") << error.what();
  }
  return program;
}

} // namespace neurite
