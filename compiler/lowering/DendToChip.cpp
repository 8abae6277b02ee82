// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-to-chip: maps an integer network and writes its tables as chip ops.

#include "compiler/lowering/CoreTables.h"
#include "compiler/lowering/Passes.h"

#include "dialects/dend/Constants.h"

#include "mlir/IR/Builders.h"

#include <algorithm>

namespace neurite {
#define GEN_PASS_DEF_DENDTOCHIP
#include "compiler/lowering/Passes.h.inc"

namespace {
using namespace mlir;

/// Writes chip ops for one network.
class ChipWriter {
public:
  ChipWriter(dend::NetworkOp network, const Target &chip,
             const LoweredNetwork &lowered, const Mapping &mapping,
             const ChipTables &tables)
      : network(network), chip(chip), lowered(lowered), mapping(mapping),
        tables(tables), builder(network) {}

  chip::ProgramImageOp write() {
    auto number = [&](StringRef name) {
      return network->getAttrOfType<IntegerAttr>(name);
    };
    auto image = chip::ProgramImageOp::create(
        builder, network.getLoc(), network.getSymNameAttr(),
        builder.getStringAttr(chip.name), number("period"), number("depth"),
        network->getAttrOfType<StringAttr>("critical"), fitRows(),
        network->getAttrOfType<ArrayAttr>("quantisation"),
        network->getAttrOfType<ArrayAttr>("policies"), mappingReport(),
        network->getAttrOfType<DictionaryAttr>("statistics"), overrides());
    builder.setInsertionPointToStart(&image.getBody().emplaceBlock());
    writeInterface();
    for (const CoreTable &core : tables.cores)
      writeCore(core);
    return image;
  }

private:
  IntegerAttr number(int64_t value) { return builder.getI64IntegerAttr(value); }

  ElementsAttr table(StringRef name, ArrayRef<int64_t> shape, unsigned bits,
                     const std::vector<int64_t> &values) {
    auto type = RankedTensorType::get(shape, builder.getIntegerType(bits));
    return dend::makeElements(type, name, values);
  }

  template <typename T>
  ElementsAttr rows(StringRef name, const std::vector<T> &values,
                    int64_t columns, unsigned bits) {
    std::vector<int64_t> wide(values.begin(), values.end());
    SmallVector<int64_t> shape{static_cast<int64_t>(wide.size()) / columns};
    if (columns > 1)
      shape.push_back(columns);
    return table(name, shape, bits, wide);
  }

  /// CSR of the axons of sources [first, first + count).
  std::pair<ElementsAttr, ElementsAttr>
  axons(StringRef name, const OutAxons &out, uint32_t first, uint32_t count) {
    std::vector<int64_t> begin{0}, flat;
    for (uint32_t s = first; s < first + count; ++s) {
      for (auto [core, axon] : out.rows[s]) {
        flat.push_back(core);
        flat.push_back(axon);
      }
      begin.push_back(static_cast<int64_t>(flat.size() / 2));
    }
    int64_t total = begin.back();
    return {table((name + "_begin").str(), {int64_t(begin.size())}, 32, begin),
            table((name + "_rows").str(), {total, 2}, 32, flat)};
  }

  void writeInterface() {
    Location loc = network.getLoc();
    std::vector<const LoweredPopulation *> byName;
    for (const LoweredPopulation &population : lowered.populations)
      byName.push_back(&population);
    std::sort(byName.begin(), byName.end(), [](auto *a, auto *b) {
      return dend::PopulationOp(a->op).getSymName() <
             dend::PopulationOp(b->op).getSymName();
    });
    for (const LoweredPopulation *entry : byName) {
      dend::PopulationOp op = entry->op;
      auto shape = op.getShapeAttr();
      double scale = op.getScale() ? op.getScale()->convertToDouble() : 0.0;
      chip::PopulationOp::create(
          builder, op.getLoc(), op.getSymNameAttr(),
          builder.getStringAttr(op.getModel()),
          shape ? shape : builder.getDenseI64ArrayAttr({int64_t(op.getSize())}),
          number(entry->phase), builder.getF64FloatAttr(scale));
    }
    for (size_t i = 0; i < lowered.inputs.size(); ++i) {
      dend::InputOp input = lowered.inputs[i];
      auto spike = cast<dend::SpikeType>(input.getSpike());
      bool integer = spike.getKind() != dend::SpikeKind::Binary;
      auto type = cast<RankedTensorType>(input.getType());
      auto [begin, rows] = axons(input.getSymName(), tables.inputs[i], 0,
                                 static_cast<uint32_t>(type.getNumElements()));
      chip::InputOp::create(
          builder, input.getLoc(), input.getSymNameAttr(),
          builder.getDenseI64ArrayAttr(type.getShape()),
          builder.getBoolAttr(integer), number(integer ? spike.getLow() : 0),
          number(integer ? spike.getHigh() : 1),
          builder.getF64FloatAttr(
              input.getScale() ? input.getScale()->convertToDouble() : 1.0),
          input->getAttrOfType<IntegerAttr>("phase"), begin, rows);
    }
    for (auto output : network.getOps<dend::OutputOp>()) {
      auto kind = !output.getProbe()        ? chip::OutputKind::Spikes
                  : output.getFrom() == "u" ? chip::OutputKind::ProbeU
                                            : chip::OutputKind::ProbeV;
      auto population =
          SymbolTable::lookupNearestSymbolFrom<dend::PopulationOp>(
              output, output.getPopulationAttr());
      auto shape = output.getShapeAttr() ? output.getShapeAttr()
                                         : population.getShapeAttr();
      chip::OutputOp::create(
          builder, loc, output.getSymNameAttr(),
          shape ? shape
                : builder.getDenseI64ArrayAttr({int64_t(population.getSize())}),
          builder.getStringAttr(output.getPopulation()),
          chip::OutputKindAttr::get(builder.getContext(), kind));
    }
  }

  /// The slice's part of a parameter: one value stays one value.
  NamedAttribute parameter(StringRef name, const std::vector<int64_t> &values,
                           const Slice &slice) {
    std::vector<int64_t> part = values;
    if (values.size() > 1)
      part.assign(values.begin() + slice.first,
                  values.begin() + slice.first + slice.count);
    return builder.getNamedAttr(
        name, table(name, {static_cast<int64_t>(part.size())}, 32, part));
  }

  DictionaryAttr cuba(const LoweredPopulation &population, const Slice &slice) {
    const CubaTable &table = population.cuba;
    dend::CubaOp op = table.op;
    SmallVector<NamedAttribute> entries{
        parameter("decay_u", table.decayU, slice),
        parameter("decay_v", table.decayV, slice),
        parameter("threshold", table.threshold, slice),
        parameter("bias", table.bias, slice)};
    if (!table.startU.empty())
      entries.push_back(parameter("initial_u", table.startU, slice));
    if (!table.startV.empty())
      entries.push_back(parameter("initial_v", table.startV, slice));
    auto option = [&](StringRef name, int64_t value) {
      entries.push_back(builder.getNamedAttr(name, number(value)));
    };
    option("input_wrap_bits", op.getInputWrapBits());
    option("vmin", op.getVmin());
    option("vmax", op.getVmax());
    option("refractory", op.getRefractory());
    if (op.getWrap() == dend::WrapRange::OpenHigh)
      entries.push_back(
          builder.getNamedAttr("wrap_open_high", builder.getUnitAttr()));
    if (op.getBiasWrap())
      entries.push_back(
          builder.getNamedAttr("bias_wrap", builder.getUnitAttr()));
    if (op.getSilent())
      entries.push_back(builder.getNamedAttr("silent", builder.getUnitAttr()));
    return builder.getDictionaryAttr(entries);
  }

  void writeCore(const CoreTable &core) {
    Location loc = network.getLoc();
    auto op = chip::CoreOp::create(builder, loc, number(core.id));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&op.getBody().emplaceBlock());
    std::string id = "c" + std::to_string(core.id);
    for (const Slice &slice : core.slices) {
      const LoweredPopulation &population =
          lowered.populations[slice.population];
      dend::PopulationOp source = population.op;
      auto [begin, rows] =
          axons((id + "_" + source.getSymName()).str(),
                tables.populations[slice.population], slice.first, slice.count);
      chip::GroupOp::create(builder, source.getLoc(), source.getSymNameAttr(),
                            number(slice.first), number(slice.count),
                            number(slice.base), number(population.phase),
                            cuba(population, slice), begin, rows);
    }
    chip::SynapsesOp::create(builder, loc,
                             rows(id + "_lists", core.lists, 8, 32),
                             rows(id + "_weights", core.weights, 1, 16),
                             rows(id + "_offsets", core.offsets, 1, 32));
    chip::InAxonsOp::create(builder, loc,
                            rows(id + "_in", core.inAxons, 4, 32));
  }

  ArrayAttr fitRows() {
    SmallVector<Attribute> all;
    for (const FitRow &row : mapping.fit)
      all.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr("resource",
                                builder.getStringAttr(row.resource)),
           builder.getNamedAttr("unit", builder.getStringAttr(row.unit)),
           builder.getNamedAttr("used", number(int64_t(row.used))),
           builder.getNamedAttr("limit", number(int64_t(row.limit))),
           builder.getNamedAttr("worst_core", number(row.worstCore)),
           builder.getNamedAttr("population",
                                builder.getStringAttr(row.population))}));
    return builder.getArrayAttr(all);
  }

  DictionaryAttr mappingReport() {
    return builder.getDictionaryAttr(
        {builder.getNamedAttr("solver", builder.getStringAttr(mapping.solver)),
         builder.getNamedAttr("cost", builder.getF64FloatAttr(mapping.cost)),
         builder.getNamedAttr("baseline_cost",
                              builder.getF64FloatAttr(mapping.baselineCost)),
         builder.getNamedAttr("cost_unit",
                              builder.getStringAttr(mapping.costUnit)),
         builder.getNamedAttr("cores", number(int64_t(tables.cores.size())))});
  }

  /// What the chip itself would allow, and what is used of it. Limits that have
  /// no row in the fit table (delays) report no use.
  ArrayAttr overrides() {
    static const std::pair<StringRef, StringRef> resources[] = {
        {"compartments_per_core", "compartments"},
        {"synapse_memory_words", "synapse memory"},
        {"in_axons", "in-axons"},
        {"out_axons", "out-axons"},
        {"decay_profiles", "decay profiles"},
        {"threshold_profiles", "threshold profiles"},
        {"synapse_formats", "synapse formats"}};
    SmallVector<Attribute> all;
    for (const std::string &name : chip.overriddenLimits) {
      int64_t limit = 0, used = 0;
      for (const Record &record : chip.records)
        if (record.name == "limits." + name)
          limit = std::stoll(record.value);
      for (auto [key, resource] : resources)
        for (const FitRow &row : mapping.fit)
          if (key == name && resource == row.resource)
            used = int64_t(row.used);
      all.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr("name", builder.getStringAttr(name)),
           builder.getNamedAttr("limit", number(limit)),
           builder.getNamedAttr("used", number(used))}));
    }
    return all.empty() ? ArrayAttr() : builder.getArrayAttr(all);
  }

  dend::NetworkOp network;
  const Target &chip;
  const LoweredNetwork &lowered;
  const Mapping &mapping;
  const ChipTables &tables;
  OpBuilder builder;
};

struct DendToChipPass : impl::DendToChipBase<DendToChipPass> {
  using DendToChipBase::DendToChipBase;

  void runOnOperation() override {
    for (auto network :
         llvm::make_early_inc_range(getOperation().getOps<dend::NetworkOp>()))
      if (failed(lower(network)))
        return signalPassFailure();
  }

  LogicalResult lower(dend::NetworkOp network) {
    try {
      Target chip = Target::load(target);
      for (const std::string &limit : overrideLimit)
        chip.overrideLimit(limit);
      auto lowered =
          toMapNetwork(network, static_cast<uint32_t>(chip.formats.weightBits));
      if (failed(lowered))
        return failure();
      MappingOptions options;
      options.solver = solver;
      options.placementFile = placement;
      Mapping mapping = mapNetwork(lowered->map, chip, options);
      ChipTables tables = buildTables(*lowered, mapping, chip.synapses);
      ChipWriter(network, chip, *lowered, mapping, tables).write();
    } catch (const Error &error) {
      return emitError(network.getLoc()) << error.what();
    }
    network.erase();
    return success();
  }
};
} // namespace
} // namespace neurite
