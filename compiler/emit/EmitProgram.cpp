// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/emit/EmitProgram.h"

#include "dialects/chip/Chip.h"
#include "dialects/dend/Constants.h"
#include "dialects/dend/LastUse.h"
#include "runtime/image/Program.h"
#include "runtime/image/Tables.h"
#include "runtime/microcode/Isa.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cstring>

using namespace mlir;

namespace dendrolith {

/// Writes each row into a message that `add` appends.
template <typename RowAttr, typename Add>
static void emitRows(std::optional<ArrayAttr> rows, Add add) {
  if (rows)
    for (auto row : rows->getAsRange<RowAttr>())
      row.writeTo(*add());
}

void emitReports(chip::ProgramImageOp image, image::Program &program) {
  emitRows<report::FitRowAttr>(image.getFit(),
                               [&] { return program.add_fit(); });
  emitRows<report::QuantRowAttr>(image.getQuantisation(),
                                 [&] { return program.add_quantisation(); });
  emitRows<report::NoteAttr>(image.getPolicies(),
                             [&] { return program.add_policies(); });
  emitRows<report::WarningAttr>(image.getWarnings(),
                                [&] { return program.add_warnings(); });
  if (image.getMapping())
    image.getMapping()->writeTo(*program.mutable_mapping());
  if (image.getStatistics())
    image.getStatistics()->writeTo(*program.mutable_statistics());
  emitRows<report::LayerAttr>(image.getLayers(),
                              [&] { return program.add_layers(); });
  emitRows<report::OverriddenLimitAttr>(image.getOverriddenLimits(), [&] {
    return program.add_overridden_limits();
  });
  emitRows<report::RewriteRowAttr>(image.getRewrites(),
                                   [&] { return program.add_rewrites(); });
}

using Emission = image::Microprogram::Emission;

// chip::EmissionAttr writes its kind into the message as a number.
static_assert(int(chip::EmissionKind::Binary) == Emission::BINARY &&
              int(chip::EmissionKind::Graded) == Emission::GRADED &&
              int(chip::EmissionKind::Unary) == Emission::UNARY &&
              int(chip::EmissionKind::Split) == Emission::SPLIT);

FailureOr<image::Microprogram> emitMicroprogram(chip::ProgramOp op) {
  image::Microprogram program;
  program.set_model(op.getModel().str());
  program.set_registers(static_cast<uint32_t>(op.getRegisters()));
  for (auto port : op.getPorts().getAsRange<chip::PortAttr>())
    port.writeTo(*program.add_ports());
  for (auto state : op.getStates().getAsRange<chip::StateAttr>())
    state.writeTo(*program.add_states());
  for (auto param : op.getParams().getAsRange<chip::ParamAttr>())
    param.writeTo(*program.add_params());
  for (auto output : op.getOutputs().getAsRange<chip::EmissionAttr>())
    output.writeTo(*program.add_outputs());
  if (std::optional<ArrayAttr> names = op.getNames())
    for (auto name : names->getAsRange<StringAttr>())
      program.add_names(name.str());
  auto code = dend::readInts(op.getCode());
  auto constants = dend::readInts(op.getConstants());
  if (failed(code) || failed(constants))
    return op.emitError("its code cannot be read as integers");
  program.set_code(micro::encodeI64(*code));
  program.set_constants(micro::encodeI64(*constants));
  return program;
}

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
    chip::Table flat = rowsOf(op, rows, "axon rows", 2);
    table.rows.resize(static_cast<size_t>(flat.rows));
    for (int64_t i = 0; i < flat.rows; ++i)
      table.rows[static_cast<size_t>(i)] = {
          static_cast<uint32_t>(flat.at(i, 0)),
          static_cast<uint32_t>(flat.at(i, 1))};
    return encodeAxons(table);
  }

  /// A vector of numbers that are in the table as T has them.
  template <typename T>
  std::vector<T> column(Operation *op, Attribute attr, StringRef what) {
    chip::Table table = rowsOf(op, attr, what, 0, 8 * sizeof(T));
    std::vector<T> values(static_cast<size_t>(table.rows));
    if (table.splat)
      std::fill(values.begin(), values.end(), static_cast<T>(table.at(0)));
    else if (!values.empty())
      std::memcpy(values.data(), table.bytes.data(), sizeof(T) * values.size());
    return values;
  }

  /// Rows of numbers in place; none if they cannot be read.
  chip::Table rowsOf(Operation *op, Attribute attr, StringRef what,
                     int64_t columns, unsigned bits = 32) {
    auto elements = dyn_cast_or_null<ElementsAttr>(attr);
    auto table = elements ? chip::readTable(op, what, elements, columns, bits)
                          : FailureOr<chip::Table>(failure());
    if (succeeded(table))
      return *table;
    op->emitError("its ") << what << " cannot be read";
    ok = false;
    return {};
  }

  bool ok = true;
};

template <typename Repeated>
void append(Repeated *into, ArrayRef<int64_t> values) {
  for (int64_t value : values)
    into->Add(value);
}

// A row of shapes holds a list's kind as the number that images store.
static_assert(int(ListKind::Dense) == 0 && int(ListKind::Sparse) == 1 &&
              int(ListKind::Conv) == 2);

void emitSynapses(chip::SynapsesOp op, image::Synapses &out, Blobs &blobs) {
  chip::Table rows = blobs.rowsOf(op, op.getShapes(), "shapes", 6);
  std::vector<SynapseList> shapes(static_cast<size_t>(rows.rows));
  for (int64_t i = 0; i < rows.rows; ++i) {
    SynapseList &shape = shapes[static_cast<size_t>(i)];
    shape.count = static_cast<uint32_t>(rows.at(i, 0));
    shape.words = static_cast<uint32_t>(rows.at(i, 1));
    shape.kind = static_cast<ListKind>(rows.at(i, 2));
    shape.shift = static_cast<uint8_t>(rows.at(i, 3));
    shape.weightBits = static_cast<uint8_t>(rows.at(i, 4));
    shape.indexBits = static_cast<uint8_t>(rows.at(i, 5));
  }
  out.set_lists(
      encodeLists(shapes, blobs.column<uint32_t>(op, op.getLists(), "lists")));
  out.set_weights(encodeWeights(
      blobs.column<int16_t>(op, op.getWeights(), "weights"),
      op.getDelays() ? blobs.column<uint16_t>(op, *op.getDelays(), "delays")
                     : std::vector<uint16_t>()));
  out.set_offsets(
      encodeU32(blobs.column<uint32_t>(op, op.getOffsets(), "offsets")));
}

void emitInAxons(chip::InAxonsOp op, image::Core &out, Blobs &blobs) {
  chip::Table flat = blobs.rowsOf(op, op.getRows(), "in-axon rows", 4);
  std::vector<InAxon> rows(static_cast<size_t>(flat.rows));
  for (int64_t i = 0; i < flat.rows; ++i)
    rows[static_cast<size_t>(i)] = {static_cast<uint32_t>(flat.at(i, 0)),
                                    static_cast<uint32_t>(flat.at(i, 1)),
                                    static_cast<uint16_t>(flat.at(i, 2)),
                                    static_cast<uint16_t>(flat.at(i, 3))};
  out.set_in_axons(encodeInAxons(rows));
}

void emitCuba(chip::GroupOp op, image::Cuba &out, Blobs &blobs) {
  chip::CubaAttr cuba = *op.getCuba();
  auto values = [&](StringRef name, Attribute attr, auto *into) {
    if (attr)
      append(into, blobs.ints(op, attr, name));
  };
  values("decay_u", cuba.getDecayU(), out.mutable_decay_u());
  values("decay_v", cuba.getDecayV(), out.mutable_decay_v());
  values("threshold", cuba.getThreshold(), out.mutable_threshold());
  values("bias", cuba.getBias(), out.mutable_bias());
  values("initial_u", cuba.getInitialU(), out.mutable_initial_u());
  values("initial_v", cuba.getInitialV(), out.mutable_initial_v());
  cuba.writeTo(out);
}

void emitMicrocode(chip::GroupOp op, image::Microcode &out, Blobs &blobs) {
  chip::MicrocodeAttr microcode = *op.getMicrocode();
  microcode.writeTo(out);
  for (Attribute values : microcode.getParams())
    out.add_params(micro::encodeI64(blobs.ints(op, values, "parameters")));
  for (Attribute values : microcode.getInitial())
    out.add_initial(micro::encodeI64(blobs.ints(op, values, "initial states")));
}

void emitGroup(chip::GroupOp op, image::Group &out, Blobs &blobs) {
  out.set_population(op.getPopulation().str());
  out.set_first_neuron(op.getFirst());
  out.set_count(static_cast<uint32_t>(op.getCount()));
  out.set_base(static_cast<uint32_t>(op.getBase()));
  out.set_phase(static_cast<uint32_t>(op.getPhase()));
  out.set_ticks(static_cast<uint32_t>(op.getTicks()));
  out.set_stride(static_cast<uint32_t>(op.getStride()));
  if (op.getCuba())
    emitCuba(op, *out.mutable_cuba(), blobs);
  else
    emitMicrocode(op, *out.mutable_microcode(), blobs);
  *out.mutable_axons() = blobs.axons(op, op.getAxonBegin(), op.getAxonRows());
}

void emitProgramOf(chip::ProgramOp op, image::Core &out, Blobs &blobs) {
  auto program = emitMicroprogram(op);
  if (succeeded(program))
    *out.add_programs() = std::move(*program);
  else
    blobs.ok = false;
}

void emitCore(chip::CoreOp op, image::Core &out, Blobs &blobs) {
  out.set_id(static_cast<uint32_t>(op.getId()));
  for (Operation &row : op.getBody().front())
    llvm::TypeSwitch<Operation *>(&row)
        .Case([&](chip::GroupOp g) { emitGroup(g, *out.add_groups(), blobs); })
        .Case([&](chip::ProgramOp p) { emitProgramOf(p, out, blobs); })
        .Case([&](chip::SynapsesOp s) {
          emitSynapses(s, *out.mutable_synapses(), blobs);
        })
        .Case([&](chip::InAxonsOp a) { emitInAxons(a, out, blobs); });
}

} // namespace

FailureOr<image::Program> emitProgram(chip::ProgramImageOp op,
                                      const Target &target) {
  image::Program program;
  Blobs blobs;
  const bool isLast = dend::isLastUse(op);
  program.set_format_version(kFormatVersion);
  program.set_producer("dendrolith " DENDROLITH_VERSION);
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
          out.set_ticks(static_cast<uint32_t>(p.getTicks()));
          out.set_stride(static_cast<uint32_t>(p.getStride()));
          out.set_scale(p.getScale().convertToDouble());
          if (Attribute numbers = p.getNumbersAttr())
            out.set_numbers(
                encodeU32(blobs.as<uint32_t>(p, numbers, "numbers")));
          if (DictionaryAttr calibrated = p.getCalibratedAttr())
            for (NamedAttribute entry : calibrated) {
              auto &state = *out.add_calibrated();
              state.set_state(entry.getName().str());
              state.set_most(
                  cast<FloatAttr>(entry.getValue()).getValueAsDouble());
            }
        })
        .Case([&](chip::InputOp i) {
          image::Input &out = *program.add_inputs();
          out.set_name(i.getName().str());
          append(out.mutable_shape(), i.getShape());
          out.set_kind(i.getSplit()     ? image::Input::SPLIT
                       : i.getUnary()   ? image::Input::UNARY
                       : i.getInteger() ? image::Input::INTEGER
                                        : image::Input::BINARY);
          out.set_low(i.getLow());
          out.set_high(i.getHigh());
          out.set_scale(i.getScale().convertToDouble());
          out.set_phase(static_cast<uint32_t>(i.getPhase()));
          out.set_ticks(static_cast<uint32_t>(i.getTicks()));
          out.set_stride(static_cast<uint32_t>(i.getStride()));
          *out.mutable_axons() =
              blobs.axons(i, i.getAxonBegin(), i.getAxonRows());
          if (i.getQuery())
            out.set_query(static_cast<uint32_t>(*i.getQuery()));
          if (i.getMasks())
            out.set_masks(static_cast<uint32_t>(*i.getMasks()));
          out.set_tokens(i.getTokens());
        })
        .Case([&](chip::OutputOp o) {
          image::Output &out = *program.add_outputs();
          out.set_name(o.getName().str());
          append(out.mutable_shape(), o.getShape());
          out.set_population(o.getPopulation().str());
          out.set_kind(o.getKind() == chip::OutputKind::State
                           ? image::Output::STATE
                           : image::Output::SPIKES);
          out.set_from(o.getFrom().str());
          out.set_scale(o.getScale().convertToDouble());
          out.set_decode(o.getDecode().value_or("").str());
        })
        .Case([&](chip::CoreOp c) {
          emitCore(c, *program.add_cores(), blobs);
          if (isLast)
            c->walk([](Operation *row) {
              if (isa<chip::GroupOp, chip::SynapsesOp, chip::InAxonsOp>(row))
                dend::releaseAttributes(row);
            });
        });
  emitReports(op, program);
  if (!blobs.ok)
    return failure();
  try {
    validate(program);
  } catch (const Error &error) {
    return op.emitError("the program image is not valid: ") << error.what();
  }
  return program;
}

} // namespace dendrolith
