// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/Engines.h"

#include "compiler/lowering/Variants.h"
#include "compiler/lowering/microcode/LowerBody.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/FixedPoint.h"
#include "dialects/dend/NetworkIndex.h"
#include "targets/support/FixedNeuron.h"

using namespace mlir;

namespace dendrolith {
namespace {

/// The two enumerations have the same numbers, those of the program image.
chip::EmissionKind onChip(dend::EmissionKind kind) {
  static_assert(
      int(dend::EmissionKind::Binary) == int(chip::EmissionKind::Binary) &&
      int(dend::EmissionKind::Graded) == int(chip::EmissionKind::Graded) &&
      int(dend::EmissionKind::Unary) == int(chip::EmissionKind::Unary) &&
      int(dend::EmissionKind::Split) == int(chip::EmissionKind::Split));
  return static_cast<chip::EmissionKind>(kind);
}

/// Ticks per root tick of a clock: the product of its divisions.
int64_t ticksOf(dend::NetworkOp network, FlatSymbolRefAttr name) {
  int64_t ticks = 1;
  auto clock = dend::symbolOf<dend::ClockOp>(network, name);
  while (clock && clock.getDividesAttr()) {
    ticks *= static_cast<int64_t>(clock.getBy().value_or(1));
    clock = dend::symbolOf<dend::ClockOp>(network, clock.getDividesAttr());
  }
  return ticks;
}

/// The words of one population on their way into the tables.
class MicrocodeReader {
public:
  MicrocodeReader(dend::PopulationOp population, dend::NeuronOp whole,
                  const Target &chip)
      : population(population), whole(whole), chip(chip),
        network(population->getParentOfType<dend::NetworkOp>()) {}

  FailureOr<MicroTables> read() {
    auto ticks = scheduled(population, population.getTicks(),
                           population.getTicksAttrName());
    if (failed(ticks))
      return failure();
    perRoot = *ticks;
    auto variants = findVariants(population, whole);
    if (failed(variants) || failed(sumBiases()))
      return failure();
    SmallVector<dend::NeuronOp> models = specialiseAll(whole, *variants);
    MicroTables tables;
    tables.runs = std::move(variants->runs);
    bool good = true;
    for (dend::NeuronOp model : models) {
      auto table = good ? read(model) : FailureOr<MicroTable>(failure());
      good = succeeded(table);
      if (good)
        tables.programs.push_back(std::move(*table));
      if (model != whole)
        model.erase();
    }
    if (!good)
      return failure();
    return tables;
  }

private:
  FailureOr<MicroTable> read(dend::NeuronOp model) {
    BodyContext context = describe(model);
    auto program = lowerBody(model, context);
    if (failed(program))
      return failure();
    MicroTable table;
    table.program = std::move(*program);
    if (failed(readParams(model, context, table)) ||
        failed(readStates(model, table)))
      return failure();
    return table;
  }

  /// Updates of the population between two ticks of a clock, at least 1.
  int64_t updatesPer(FlatSymbolRefAttr clock) {
    return std::max<int64_t>(1, perRoot / ticksOf(network, clock));
  }

  /// What every update adds to a port: one word per target element.
  LogicalResult sumBiases() {
    std::vector<std::vector<int64_t>> sums(whole.getPortArgs().size());
    for (dend::ProjectOp project : dend::projectionsInto(population)) {
      if (!project.getBiasAttr())
        continue;
      int port = whole.findPort(project.getPort());
      Type type = whole.getPortArgs()[port].getType();
      auto values = dend::readInts(project, project.getBiasAttr());
      if (failed(values))
        return project.emitError("its bias has no readable integer values");
      std::vector<int64_t> &sum = sums[port];
      sum.resize(values->size(), 0);
      for (size_t i = 0; i < values->size(); ++i)
        sum[i] =
            dend::wrapTo(dend::Int128(sum[i]) + (*values)[i], widthOf(type));
    }
    for (std::vector<int64_t> &sum : sums)
      biases.push_back(share(std::move(sum)));
    return success();
  }

  static unsigned widthOf(Type type) {
    dend::FxType fixed = dend::fixedType(type);
    return fixed ? fixed.getWidth() : 32;
  }

  static Words share(std::vector<int64_t> words) {
    return std::make_shared<const std::vector<int64_t>>(std::move(words));
  }

  BodyContext describe(dend::NeuronOp model) {
    BodyContext context;
    context.chip = &chip;
    for (unsigned i = 0; i < model.getPortArgs().size(); ++i) {
      // What no branch of a variant reads needs no bias either.
      context.biased.push_back(!biases[i]->empty() &&
                               !model.getPortArgs()[i].use_empty());
      FlatSymbolRefAttr hold = model.getPort(i).getHold();
      context.hold.push_back(hold ? updatesPer(hold) : 1);
    }
    for (unsigned i = 0; i < model.getStateArgs().size(); ++i) {
      Attribute reset = model.getState(i).getReset();
      auto clock = dyn_cast<FlatSymbolRefAttr>(reset);
      context.resetEvery.push_back(clock ? updatesPer(clock) : 0);
      auto when = dyn_cast<StringAttr>(reset);
      context.keep.push_back(when && when == "never");
    }
    if (std::optional<ArrayAttr> emission = population.getEmission())
      for (auto form : emission->getAsRange<dend::EmissionAttr>())
        context.outputs.push_back({onChip(form.getKind()), form.getSteps()});
    return context;
  }

  /// The model's parameters in order, then the biases of biased ports.
  LogicalResult readParams(dend::NeuronOp model, const BodyContext &context,
                           MicroTable &table) {
    DictionaryAttr bound = population.getParamsAttr();
    for (unsigned i = 0; i < model.getParamArgs().size(); ++i) {
      StringAttr name = model.getParam(i).getName();
      Words &words = params[name];
      if (!words) {
        auto values =
            dend::readInts(population, bound ? bound.get(name) : nullptr);
        if (failed(values))
          return population.emitError("parameter '")
                 << name.getValue() << "' has no readable integer value";
        words = share(std::move(*values));
      }
      table.params.push_back(words);
    }
    for (auto [bias, biased] : llvm::zip_equal(biases, context.biased))
      if (biased)
        table.params.push_back(bias);
    return success();
  }

  LogicalResult readStates(dend::NeuronOp model, MicroTable &table) {
    for (auto [i, argument] : llvm::enumerate(model.getStateArgs())) {
      Attribute init = model.getState(i).getInit();
      std::vector<int64_t> words;
      if (auto number = dyn_cast_or_null<IntegerAttr>(init)) {
        int64_t value = argument.getType().isInteger(1)
                            ? int64_t(number.getValue().getBoolValue())
                            : number.getValue().getSExtValue();
        if (value != 0)
          words.assign(dend::elementCount(argument.getType()), value);
      } else if (init) {
        auto values = dend::readInts(model, init);
        if (failed(values))
          return population.emitError("initial value of state '")
                 << model.getState(i).getName().getValue()
                 << "' has no readable integer value";
        words = std::move(*values);
      }
      table.initial.push_back(share(std::move(words)));
    }
    return success();
  }

  dend::PopulationOp population;
  dend::NeuronOp whole; // with every branch
  const Target &chip;
  dend::NetworkOp network;
  int64_t perRoot = 1;
  std::vector<Words> biases; // by port; empty = none
  llvm::DenseMap<StringAttr, Words> params;
};

} // namespace

FailureOr<MicroTables> readMicrocode(dend::PopulationOp population,
                                     dend::NeuronOp model, const Target &chip) {
  return MicrocodeReader(population, model, chip).read();
}

/// Reads the population's dend.cuba parameters by position in the op.
FailureOr<CubaTable> readCuba(dend::PopulationOp population,
                              dend::NeuronOp model) {
  CubaTable table;
  table.op = *model.getBlock().getOps<dend::CubaOp>().begin();
  auto argument = [&](Value value) -> FailureOr<std::vector<int64_t>> {
    for (auto [i, arg] : llvm::enumerate(model.getParamArgs()))
      if (arg == value && population.getParamsAttr())
        return dend::readInts(population, population.getParamsAttr().get(
                                              model.getParam(i).getName()));
    return failure();
  };
  auto state = [&](Value value) -> FailureOr<std::vector<int64_t>> {
    for (auto [i, arg] : llvm::enumerate(model.getStateArgs()))
      if (arg == value) {
        Attribute init = model.getState(i).getInit();
        if (!init)
          return std::vector<int64_t>();
        if (auto number = dyn_cast<IntegerAttr>(init))
          return std::vector<int64_t>{number.getInt()};
        return dend::readInts(model, init);
      }
    return failure();
  };
  struct Field {
    const char *name;
    FailureOr<std::vector<int64_t>> values;
    std::vector<int64_t> *into;
  };
  Field fields[] = {
      {"decay_u", argument(table.op.getDecayU()), &table.decayU},
      {"decay_v", argument(table.op.getDecayV()), &table.decayV},
      {"threshold", argument(table.op.getThreshold()), &table.threshold},
      {"bias", argument(table.op.getBias()), &table.bias},
      {"initial u", state(table.op.getU()), &table.startU},
      {"initial v", state(table.op.getV()), &table.startV}};
  for (Field &field : fields) {
    if (failed(field.values))
      return population.emitError("its ")
             << field.name << " has no readable integer value";
    if (field.values->size() > 1 &&
        field.values->size() != static_cast<size_t>(population.getSize()))
      return population.emitError("its ")
             << field.name << " has " << field.values->size() << " values for "
             << population.getSize() << " neurons";
    *field.into = std::move(*field.values);
  }
  return table;
}

FailureOr<int64_t> scheduled(Operation *op, std::optional<uint64_t> value,
                             StringAttr name) {
  if (!value)
    return op->emitError("has no '")
           << name.getValue() << "'; run --dend-schedule first";
  return int64_t(*value);
}

std::vector<int64_t> GroupNeurons::gather(const std::vector<int64_t> &values,
                                          uint64_t elements) const {
  auto at = [&](uint64_t neuron) { return values.begin() + elements * neuron; };
  if (order.empty())
    return {at(first), at(uint64_t(first) + count)};
  std::vector<int64_t> part;
  part.reserve(elements * count);
  for (uint32_t neuron : order.slice(first, count))
    part.insert(part.end(), at(neuron), at(uint64_t(neuron) + 1));
  return part;
}

/// The group's part of a parameter: one value stays one value.
static ElementsAttr parameter(Builder &builder, StringRef name,
                              const std::vector<int64_t> &values,
                              const GroupNeurons &neurons) {
  std::vector<int64_t> part =
      values.size() > 1 ? neurons.gather(values, 1) : values;
  return dend::makeElements(
      RankedTensorType::get({static_cast<int64_t>(part.size())},
                            builder.getIntegerType(32)),
      name, part);
}

chip::CubaAttr cubaAttr(Builder &builder, const CubaTable &table,
                        const GroupNeurons &neurons) {
  dend::CubaOp op = table.op;
  chip::CubaAttr::Fields cuba;
  cuba.decay_u = parameter(builder, "decay_u", table.decayU, neurons);
  cuba.decay_v = parameter(builder, "decay_v", table.decayV, neurons);
  cuba.threshold = parameter(builder, "threshold", table.threshold, neurons);
  cuba.bias = parameter(builder, "bias", table.bias, neurons);
  if (!table.startU.empty())
    cuba.initial_u = parameter(builder, "initial_u", table.startU, neurons);
  if (!table.startV.empty())
    cuba.initial_v = parameter(builder, "initial_v", table.startV, neurons);
  cuba.input_wrap_bits = op.getInputWrapBits();
  if (op.getCurrentBits() != kCubaCurrentBits)
    cuba.current_bits = op.getCurrentBits();
  cuba.vmin = op.getVmin();
  cuba.vmax = op.getVmax();
  cuba.refractory = op.getRefractory();
  cuba.wrap_open_high = op.getWrap() == dend::WrapRange::OpenHigh;
  cuba.bias_wrap = op.getBiasWrap();
  cuba.silent = op.getSilent();
  return chip::CubaAttr::of(builder.getContext(), cuba);
}

/// Words of the group's neurons; those that all neurons share stay whole.
static Attribute words(Builder &builder, StringRef name,
                       const std::vector<int64_t> &values, uint64_t elements,
                       bool perNeuron, const GroupNeurons &neurons) {
  std::vector<int64_t> part =
      perNeuron ? neurons.gather(values, elements) : values;
  auto type = RankedTensorType::get({static_cast<int64_t>(part.size())},
                                    builder.getI64Type());
  return dend::makeElements(type, name, part);
}

chip::MicrocodeAttr microcodeAttr(Builder &builder, const MicroTable &table,
                                  const GroupNeurons &neurons,
                                  int64_t program) {
  SmallVector<Attribute> params, initial;
  for (size_t i = 0; i < table.params.size(); ++i) {
    const auto &param = table.program.params[i];
    params.push_back(words(builder, param.name, *table.params[i],
                           uint64_t(param.elements), param.per_neuron,
                           neurons));
  }
  for (size_t i = 0; i < table.initial.size(); ++i) {
    const auto &state = table.program.states[i];
    bool perNeuron = table.initial[i]->size() > uint64_t(state.elements);
    initial.push_back(words(builder, state.name, *table.initial[i],
                            uint64_t(state.elements), perNeuron, neurons));
  }
  return chip::MicrocodeAttr::get(builder.getContext(), program,
                                  builder.getArrayAttr(params),
                                  builder.getArrayAttr(initial));
}

} // namespace dendrolith
