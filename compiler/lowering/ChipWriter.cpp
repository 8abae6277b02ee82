// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/ChipWriter.h"

#include "compiler/lowering/CheckFormats.h"
#include "compiler/lowering/Engines.h"
#include "compiler/lowering/Reports.h"
#include "compiler/lowering/microcode/LowerBody.h"
#include "dialects/chip/Chip.h"
#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/NumberAttrs.h"

#include "mlir/IR/Builders.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace dendrolith {
namespace {
using namespace mlir;

/// The parts of runs that fall into a slice.
std::vector<ProgramRun> runsIn(const std::vector<ProgramRun> &runs,
                               const Slice &slice) {
  std::vector<ProgramRun> parts;
  for (const ProgramRun &run : runs) {
    uint32_t first = std::max(run.first, slice.first);
    uint32_t end = std::min(run.first + run.count, slice.first + slice.count);
    if (first < end)
      parts.push_back({first, end - first, run.program});
  }
  return parts;
}

/// Writes chip ops for one network.
class ChipWriter {
public:
  ChipWriter(dend::NetworkOp network, const Target &chip,
             const LoweredNetwork &lowered, const Mapping &mapping,
             ChipTables &tables)
      : network(network), chip(chip), lowered(lowered), mapping(mapping),
        tables(tables), builder(network) {}

  chip::ProgramImageOp write() {
    auto image = chip::ProgramImageOp::create(
        builder, network.getLoc(), network.getSymNameAttr(),
        builder.getStringAttr(chip.name), network.getPeriodAttr(),
        network.getDepthAttr(), network.getCriticalAttr(),
        fitRows(builder, mapping), network.getQuantisationAttr(),
        policies(builder, network.getPoliciesAttr(), lowered, tables.sharing),
        network.getWarningsAttr(),
        mappingReport(builder, mapping, tables.cores.size()),
        network.getStatisticsAttr(), network.getLayersAttr(),
        overriddenLimits(builder, chip, lowered, mapping),
        network.getRewritesAttr());
    builder.setInsertionPointToStart(&image.getBody().emplaceBlock());
    writeInterface();
    for (CoreTable &core : tables.cores)
      writeCore(core);
    return image;
  }

private:
  IntegerAttr number(int64_t value) { return builder.getI64IntegerAttr(value); }

  /// A table that takes over its rows.
  template <typename T>
  ElementsAttr rows(StringRef name, std::vector<T> values, int64_t columns) {
    SmallVector<int64_t> shape{static_cast<int64_t>(values.size()) / columns};
    if (columns > 1)
      shape.push_back(columns);
    auto type =
        RankedTensorType::get(shape, builder.getIntegerType(8 * sizeof(T)));
    return dend::takeElements(type, name, std::move(values));
  }

  /// CSR of the axons of sources [first, first + count).
  std::pair<ElementsAttr, ElementsAttr>
  axons(StringRef name, const OutAxons &out, uint32_t first, uint32_t count) {
    std::vector<int32_t> begin{0}, flat;
    flat.reserve(2 * out.size(first, count));
    begin.reserve(count + 1);
    for (uint32_t s = first; s < first + count; ++s) {
      for (auto [core, axon] : out.of(s)) {
        flat.push_back(core);
        flat.push_back(axon);
      }
      begin.push_back(static_cast<int32_t>(flat.size() / 2));
    }
    return {rows((name + "_begin").str(), std::move(begin), 1),
            rows((name + "_rows").str(), std::move(flat), 2)};
  }

  void writeInterface() {
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
          number(entry->phase), builder.getF64FloatAttr(scale),
          number(entry->ticks), number(entry->stride), numbersOf(*entry),
          calibratedOf(op));
    }
    for (size_t i = 0; i < lowered.inputs.size(); ++i) {
      dend::InputOp input = lowered.inputs[i];
      auto spike = cast<dend::SpikeType>(input.getSpike());
      bool integer = spike.getKind() != dend::SpikeKind::Binary;
      auto type = cast<RankedTensorType>(input.getType());
      auto [begin, rows] = axons(input.getSymName(), tables.inputs[i], 0,
                                 lowered.map.inputs[i].size);
      chip::InputOp::create(
          builder, input.getLoc(), input.getSymNameAttr(),
          builder.getDenseI64ArrayAttr(type.getShape()),
          builder.getBoolAttr(integer),
          leavesInUnits(input, chip) ? builder.getUnitAttr() : UnitAttr(),
          isSplit(input, chip) ? builder.getUnitAttr() : UnitAttr(),
          number(integer ? spike.getLow() : 0),
          number(integer ? spike.getHigh() : 1),
          builder.getF64FloatAttr(
              input.getScale() ? input.getScale()->convertToDouble() : 1.0),
          input.getPhaseAttr(), input.getTicksAttr(), input.getStrideAttr(),
          begin, rows, input.getQueryAttr(), input.getMasksAttr(),
          input.getTokensAttr());
    }
    for (auto output : network.getOps<dend::OutputOp>())
      writeOutput(output);
  }

  /// The largest magnitude that calibration saw of the states of which the
  /// quantiser kept it.
  DictionaryAttr calibratedOf(dend::PopulationOp population) {
    NamedAttrList states;
    if (DictionaryAttr ranges = population.getCalibrationAttr())
      for (NamedAttribute range : ranges)
        states.set(range.getName(),
                   builder.getF64FloatAttr(
                       cast<DenseF64ArrayAttr>(range.getValue())[1]));
    return states.empty() ? DictionaryAttr()
                          : states.getDictionary(builder.getContext());
  }

  /// The number that users know the neuron at each position by.
  ElementsAttr numbersOf(const LoweredPopulation &population) {
    dend::PopulationOp op = population.op;
    if (population.order.empty())
      return op.getNumbersAttr();
    const auto &numbers =
        mapping.order[size_t(&population - lowered.populations.data())];
    return rows((op.getSymName() + "_numbers").str(),
                std::vector<int32_t>(numbers.begin(), numbers.end()), 1);
  }

  /// Elements of a neuron's output or state, and what a unit of it is worth.
  void writeOutput(dend::OutputOp output) {
    auto population =
        dend::symbolOf<dend::PopulationOp>(output, output.getPopulationAttr());
    dend::NeuronOp model = dend::modelOf(population);
    int64_t elements = 1;
    double scale = 1;
    if (output.getProbe()) {
      Type type =
          model.getStateArgs()[model.findState(output.getFrom())].getType();
      elements = dend::elementCount(type);
      dend::FxType fixed = dend::fixedType(type);
      if (population.getScale())
        scale = population.getScale()->convertToDouble();
      else if (fixed)
        scale = std::ldexp(1.0, -fixed.getExponent()) *
                dend::unitsOf(population, dend::kStateUnits, output.getFrom());
    } else {
      elements =
          model.getOutput(model.findOutput(output.getFrom())).getElements();
    }
    SmallVector<int64_t> shape;
    if (output.getShape())
      shape.assign(output.getShape()->begin(), output.getShape()->end());
    else if (elements == 1 && population.getShape())
      shape.assign(population.getShape()->begin(),
                   population.getShape()->end());
    else
      shape.push_back(int64_t(population.getSize()));
    if (!output.getShape() && elements > 1)
      shape.push_back(elements);
    // The fixed-function neuron has one output, whatever its model calls it.
    StringAttr from = output.getFromAttr();
    for (const LoweredPopulation &known : lowered.populations)
      if (known.op == population && known.cuba && !output.getProbe())
        from = builder.getStringAttr("s");
    chip::OutputOp::create(
        builder, output.getLoc(), output.getSymNameAttr(),
        builder.getDenseI64ArrayAttr(shape),
        builder.getStringAttr(output.getPopulation()),
        chip::OutputKindAttr::get(builder.getContext(),
                                  output.getProbe() ? chip::OutputKind::State
                                                    : chip::OutputKind::Spikes),
        from, builder.getF64FloatAttr(scale), output.getDecodeAttr());
  }

  /// The programs that the groups of a core run, once each, in order of use.
  std::map<uint32_t, int64_t> writePrograms(const CoreTable &core,
                                            StringRef id) {
    std::map<uint32_t, int64_t> index;
    for (const Slice &slice : core.slices) {
      const LoweredPopulation &population =
          lowered.populations[slice.population];
      for (const ProgramRun &run : runsIn(population.runs, slice)) {
        uint32_t program = population.programs[run.program];
        if (!index.emplace(program, int64_t(index.size())).second)
          continue;
        createProgram(builder, dend::PopulationOp(population.op).getLoc(),
                      population.microcode.programs[run.program].program,
                      (id + "_program" + Twine(index.size() - 1)).str());
      }
    }
    return index;
  }

  /// The positions of a slice that run one program, or all that are
  /// fixed-function. The accumulators of all of them stay contiguous, so that
  /// one synapse list serves the whole slice.
  void writeGroup(const Slice &part, chip::CubaAttr cuba,
                  chip::MicrocodeAttr microcode) {
    const LoweredPopulation &population = lowered.populations[part.population];
    dend::PopulationOp source = population.op;
    uint32_t sources = population.sources;
    auto [begin, rows] =
        axons(("c" + Twine(part.core) + "_" + source.getSymName()).str(),
              tables.populations[part.population], part.first * sources,
              part.count * sources);
    chip::GroupOp::create(builder, source.getLoc(), source.getSymNameAttr(),
                          number(part.first), number(part.count),
                          number(part.base), number(population.phase),
                          number(population.ticks), number(population.stride),
                          number(sources), cuba, microcode, begin, rows);
  }

  void writeSlice(const Slice &slice,
                  const std::map<uint32_t, int64_t> &programs) {
    const LoweredPopulation &population = lowered.populations[slice.population];
    if (population.cuba)
      return writeGroup(slice,
                        cubaAttr(builder, *population.cuba,
                                 {slice.first, slice.count, population.order}),
                        {});
    uint32_t each = lowered.map.populations[slice.population].accumulators;
    for (const ProgramRun &code : runsIn(population.runs, slice)) {
      Slice part = slice;
      part.first = code.first;
      part.count = code.count;
      part.base += (code.first - slice.first) * each;
      writeGroup(part, {},
                 microcodeAttr(builder,
                               population.microcode.programs[code.program],
                               {part.first, part.count, population.order},
                               programs.at(population.programs[code.program])));
    }
  }

  void writeCore(CoreTable &core) {
    Location loc = network.getLoc();
    auto op = chip::CoreOp::create(builder, loc, number(core.id));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&op.getBody().emplaceBlock());
    std::string id = "c" + std::to_string(core.id);
    std::map<uint32_t, int64_t> programs = writePrograms(core, id);
    for (const Slice &slice : core.slices)
      writeSlice(slice, programs);
    ElementsAttr delays; // none where no weight has one
    if (!core.delays.empty()) {
      core.delays.resize(core.weights.size());
      delays = rows(id + "_delays", std::move(core.delays), 1);
    }
    chip::SynapsesOp::create(
        builder, loc, rows(id + "_shapes", std::move(core.shapes), 6),
        rows(id + "_lists", std::move(core.lists), 1),
        rows(id + "_weights", std::move(core.weights), 1),
        rows(id + "_offsets", std::move(core.offsets), 1), delays);
    chip::InAxonsOp::create(builder, loc,
                            rows(id + "_in", std::move(core.inAxons), 4));
  }

  dend::NetworkOp network;
  const Target &chip;
  const LoweredNetwork &lowered;
  const Mapping &mapping;
  ChipTables &tables; // its rows become blobs
  OpBuilder builder;
};

} // namespace

chip::ProgramImageOp writeChip(dend::NetworkOp network, const Target &chip,
                               const LoweredNetwork &lowered,
                               const Mapping &mapping, ChipTables &tables) {
  return ChipWriter(network, chip, lowered, mapping, tables).write();
}

} // namespace dendrolith
