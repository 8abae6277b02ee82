// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/NetworkToMap.h"

#include "compiler/lowering/CheckFormats.h"
#include "compiler/lowering/FeatureMaps.h"
#include "compiler/lowering/JoinDelays.h"
#include "compiler/lowering/PlaceSynapses.h"
#include "compiler/transforms/engines/Engines.h"
#include "compiler/transforms/network/Refusal.h"
#include "compiler/transforms/network/Synapses.h"
#include "compiler/transforms/quantise/LayerBits.h"
#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"
#include "runtime/image/Tables.h"
#include "targets/loader/Describe.h"
#include "targets/loader/chip/Chip.h"
#include "targets/loader/chip/Sections.h"

#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <map>

using namespace mlir;

namespace dendrolith {
namespace {

/// Numbers each distinct combination of values, per neuron.
template <typename Key>
std::vector<uint32_t>
profiles(size_t neurons, const std::vector<const std::vector<int64_t> *> &parts,
         std::map<Key, uint32_t> &ids) {
  std::vector<uint32_t> profile;
  for (size_t n = 0; n < neurons; ++n) {
    Key key;
    for (const std::vector<int64_t> *values : parts)
      key.push_back(values->empty() ? 0
                                    : (*values)[values->size() == 1 ? 0 : n]);
    profile.push_back(
        ids.emplace(key, static_cast<uint32_t>(ids.size())).first->second);
  }
  return profile;
}

std::vector<double> ratesOf(std::optional<ElementsAttr> attr) {
  auto rates =
      attr ? dend::readReals(*attr) : FailureOr<std::vector<double>>(failure());
  return succeeded(rates) ? *rates : std::vector<double>();
}

/// The ticks in which elements emitted; nothing where nobody has noted them.
std::vector<uint64_t> activityOf(std::optional<ElementsAttr> attr) {
  auto bits =
      attr ? dend::readInts(*attr) : FailureOr<std::vector<int64_t>>(failure());
  return succeeded(bits) ? std::vector<uint64_t>(bits->begin(), bits->end())
                         : std::vector<uint64_t>();
}

/// Builds the lowered network piece by piece.
class MapNetworkBuilder {
public:
  MapNetworkBuilder(dend::NetworkOp network, const Target &chip, bool isLast)
      : network(network), chip(chip), isLast(isLast), engines(network, chip),
        hasKernels(storesKernels(chip)) {}

  FailureOr<LoweredNetwork> build() {
    lowered.map.period = uint32_t(network.getPeriod().value_or(1));
    if (auto sampled = network.getSampled();
        sampled && sampled->size() == 2 &&
        (*sampled)[0] * (*sampled)[1] <= 64) {
      lowered.map.samples = uint32_t((*sampled)[0]);
      lowered.map.sampledTicks = uint32_t((*sampled)[1]);
    }
    dend::NetworkIndex index(network);
    if (failed(addEnds()))
      return failure();
    for (auto output : network.getOps<dend::OutputOp>())
      if (!output.getProbe())
        addHostOutput(output);
    auto projects = llvm::to_vector(network.getOps<dend::ProjectOp>());
    for (dend::ProjectOp project : projects)
      for (FlatSymbolRefAttr symbol : constantsOf(project))
        ++uses[symbol.getValue()];
    for (dend::ProjectOp project : projects) {
      if (failed(addProjection(project)))
        return failure();
      if (isLast)
        release(project);
    }
    joinDelays(lowered, projects, chip.synapses);
    return std::move(lowered);
  }

private:
  /// All inputs and populations, and what their weights take: what is wrong
  /// with one says nothing of the next, and all of it is said.
  LogicalResult addEnds() {
    bool fits = true;
    for (auto input : network.getOps<dend::InputOp>())
      fits &= succeeded(addInput(input));
    for (auto population : network.getOps<dend::PopulationOp>())
      fits &= succeeded(addPopulation(population));
    for (auto project : network.getOps<dend::ProjectOp>()) {
      auto target =
          dend::symbolOf<dend::PopulationOp>(project, project.getTargetAttr());
      fits &= succeeded(checkFormats(
          project, engines.of(dend::modelOf(target)) == "cuba", chip));
    }
    return success(fits);
  }

  LogicalResult addInput(dend::InputOp input) {
    if (failed(checkHost(input, chip)))
      return failure();
    inputIndex[input.getSymName()] = lowered.inputs.size();
    lowered.inputs.push_back(input);
    auto type = cast<RankedTensorType>(input.getType());
    // Calibration says nothing of the two sources of an element.
    const uint32_t sources = static_cast<uint32_t>(type.getNumElements()) *
                             (isSplit(input, chip) ? 2 : 1);
    lowered.map.inputs.push_back({input.getSymName().str(),
                                  sources,
                                  {uint32_t(input.getPhase().value_or(0)),
                                   uint32_t(input.getTicks().value_or(1)),
                                   uint32_t(input.getStride().value_or(1))}});
    lowered.map.inputRate.push_back(ratesOf(input.getRates()));
    lowered.map.inputActivity.push_back(activityOf(input.getActivity()));
    if (lowered.map.inputRate.back().size() != sources)
      lowered.map.inputRate.back().clear();
    if (lowered.map.inputActivity.back().size() !=
        uint64_t(sources) * lowered.map.inputs.back().schedule.ticks)
      lowered.map.inputActivity.back().clear();
    return success();
  }

  LogicalResult addPopulation(dend::PopulationOp population) {
    dend::NeuronOp model = dend::modelOf(population);
    LoweredPopulation out;
    out.op = population;
    std::string engine = engines.of(model);
    if (engine.empty())
      return refuse(population, model);
    auto read = [&](std::optional<uint64_t> value, StringAttr name,
                    int64_t &into) -> LogicalResult {
      auto number = scheduled(population, value, name);
      if (succeeded(number))
        into = *number;
      return number;
    };
    if (failed(read(population.getPhase(), population.getPhaseAttrName(),
                    out.phase)) ||
        failed(read(population.getTicks(), population.getTicksAttrName(),
                    out.ticks)) ||
        failed(read(population.getStride(), population.getStrideAttrName(),
                    out.stride)))
      return failure();
    MapPopulation mapped;
    mapped.name = population.getSymName().str();
    mapped.size = static_cast<uint32_t>(population.getSize());
    mapped.schedule = {uint32_t(out.phase), uint32_t(out.ticks),
                       uint32_t(out.stride)};
    if (engine == "cuba") {
      auto cuba = readCuba(population, model);
      if (failed(cuba) || failed(checkFormats(population, *cuba, chip)))
        return failure();
      mapped.decayProfile =
          profiles(mapped.size, {&cuba->decayU, &cuba->decayV}, decayIds);
      mapped.thresholdProfile =
          profiles(mapped.size, {&cuba->threshold}, thresholdIds);
      out.cuba = std::move(*cuba);
    } else {
      auto tables = readMicrocode(population, model, chip);
      if (failed(tables))
        return failure();
      out.microcode = std::move(*tables);
      out.runs = out.microcode.runs;
      measurePrograms(out, mapped);
    }
    mapped.grid = gridOf(population);
    populationIndex[population.getSymName()] = lowered.populations.size();
    lowered.map.populations.push_back(std::move(mapped));
    dend::PopulationOp op = out.op;
    lowered.map.populationRate.push_back(bySource(out, ratesOf(op.getRates())));
    lowered.map.populationActivity.push_back(
        bySource(out, activityOf(op.getActivity()), out.ticks));
    lowered.map.hostOutput.push_back(0);
    lowered.populations.push_back(std::move(out));
    return success();
  }

  LogicalResult refuse(dend::PopulationOp population, dend::NeuronOp model) {
    InFlightDiagnostic error = dendrolith::refuse(
        population.emitError(),
        "target '" + chip.name +
            "' has only the fixed-function neuron, which cannot run model '" +
            population.getModel() + "' of population '" +
            population.getSymName() + "'",
        "choose a target whose cores run programs, such as loihi2 or ideal");
    for (Operation &op : model.getBlock())
      if (!isa<dend::CubaOp, dend::YieldOp>(op)) {
        error.attachNote(op.getLoc()) << "this step has no place in it";
        break;
      }
    return error;
  }

  /// What each program and its neurons take, and its id.
  void measurePrograms(LoweredPopulation &out, MapPopulation &mapped) {
    std::vector<NeuronNeeds> needs;
    for (const MicroTable &table : out.microcode.programs)
      needs.push_back(needsOf(table.program));
    for (const NeuronNeeds &each : needs)
      out.programs.push_back(each.program);
    const Microprogram &any = out.microcode.programs.front().program;
    mapped.accumulators = 0;
    for (const auto &port : any.ports)
      mapped.accumulators += static_cast<uint32_t>(port.elements);
    out.sources = 0;
    for (const auto &output : any.outputs)
      out.sources += static_cast<uint32_t>(
          output.elements * (output.kind == chip::EmissionKind::Split ? 2 : 1));
    mapped.sources = out.sources;
    if (out.microcode.runs.size() > 1)
      for (const ProgramRun &run : out.microcode.runs)
        mapped.runs.push_back({needs[run.program], run.first});
    else
      static_cast<NeuronNeeds &>(mapped) = needs.front();
  }

  ProgramWork workOf(const Microprogram &program) const {
    ProgramWork work;
    const uint64_t lanes = std::max<uint64_t>(chip.microcode.lanes, 1);
    std::string code(reinterpret_cast<const char *>(program.code.data()),
                     program.code.size() * sizeof(int64_t));
    for (const micro::Instruction &instruction : micro::decodeCode(code)) {
      ++work.instructions;
      micro::Work one = micro::workOf(instruction);
      for (size_t c = 0; c < one.size(); ++c) {
        work.elements[c] += one[c];
        work.slots[c] += (one[c] + lanes - 1) / lanes;
      }
    }
    return work;
  }

  NeuronNeeds needsOf(const Microprogram &program) {
    auto bytes = [](uint64_t bits) { return (bits + 7) / 8; };
    uint64_t ports = 0, states = 0, shared = 0, each = 0, remainders = 0;
    for (const auto &port : program.ports)
      ports += uint64_t(port.elements * port.width);
    for (const auto &state : program.states)
      states += uint64_t(state.elements * state.width);
    for (const auto &param : program.params)
      (param.per_neuron ? each : shared) +=
          uint64_t(param.elements * param.width);
    // What is left to send of a value that leaves over several steps.
    for (const auto &output : program.outputs)
      if (output.kind == chip::EmissionKind::Split ||
          output.kind == chip::EmissionKind::Unary)
        remainders += 8 * uint64_t(output.elements);
    NeuronNeeds needs;
    needs.neuronBytes = bytes(states + remainders) + bytes(each) + bytes(ports);
    needs.sliceBytes = bytes(shared);
    needs.programWords = program.instructions() + program.constants.size();
    needs.work = workOf(program);
    auto known = llvm::find(programs, program);
    needs.program = static_cast<uint32_t>(known - programs.begin());
    if (known == programs.end())
      programs.push_back(program);
    return needs;
  }

  /// Calibration records `each` values by output element; a split element has
  /// two sources, of which it says nothing.
  template <class T>
  std::vector<T> bySource(const LoweredPopulation &out, std::vector<T> values,
                          int64_t each = 1) const {
    dend::PopulationOp op = out.op;
    if (values.size() !=
        static_cast<size_t>(op.getSize()) * out.sources * size_t(each))
      values.clear();
    return values;
  }

  void addHostOutput(dend::OutputOp output) {
    uint32_t index = populationIndex.lookup(output.getPopulation());
    const LoweredPopulation &population = lowered.populations[index];
    ElementPlace place = placeOfOutput(population, output.getFrom());
    lowered.map.hostOutput[index] +=
        static_cast<uint8_t>(std::min<uint32_t>(place.elements, 255));
  }

  /// Bits of synapse memory for a place of a list. A row of a crossbar has one
  /// place for all ports of a neuron; where events come one by one, what
  /// reaches another port than the first is an event and has no row.
  uint64_t storedBits(dend::ProjectOp project, const ElementPlace &to) const {
    auto asked = weightBitsOf(project);
    const uint64_t all = chip.formats.weightBits;
    const uint64_t bits =
        asked ? chip.synapses.weightBits(*asked).value_or(all) : all;
    if (chip.synapses.indexBits(0))
      return bits;
    const bool isEvent = to.first > 0 && queueOf(chip) > 0;
    return isEvent ? 0 : std::max<uint64_t>(bits / to.perNeuron, 1);
  }

  LogicalResult addProjection(dend::ProjectOp project) {
    auto delay =
        scheduled(project, project.getSteps(), project.getStepsAttrName());
    if (failed(delay))
      return failure();
    auto input = inputIndex.find(project.getSource());
    uint32_t target = populationIndex.lookup(project.getTarget());
    bool fromInput = input != inputIndex.end();
    uint32_t source =
        fromInput ? input->second : populationIndex.lookup(project.getSource());
    ElementPlace from;
    if (fromInput && isSplit(lowered.inputs[source], chip))
      from = {2, 0, 1, true};
    else if (!fromInput)
      from = placeOfOutput(lowered.populations[source],
                           project.getOutput().value_or(""));
    ElementPlace to =
        placeOfPort(lowered.populations[target],
                    lowered.map.populations[target], project.getPort());
    uint64_t sources = fromInput
                           ? lowered.map.inputs[source].size
                           : uint64_t(lowered.map.populations[source].size) *
                                 lowered.populations[source].sources;
    auto out = placeSynapses(project, from, to, sources);
    if (failed(out))
      return failure();
    out->fromInput = fromInput;
    out->source = source;
    out->target = target;
    out->delay = static_cast<uint32_t>(*delay);
    out->weightBits = static_cast<uint32_t>(storedBits(project, to));
    if (hasKernels && isPlain(from) && isPlain(to))
      out->kernel = kernelOf(project);
    lowered.map.projections.push_back(std::move(*out));
    if (failed(checkProductShift(project, sendsUnits(fromInput, source), chip)))
      return failure();
    const uint64_t down = project.getProductShift();
    lowered.shift.push_back(
        static_cast<uint32_t>(down ? kRightShift + down : project.getShift()));
    return success();
  }

  static SmallVector<FlatSymbolRefAttr, 2>
  constantsOf(dend::ProjectOp project) {
    SmallVector<FlatSymbolRefAttr, 2> symbols;
    for (auto symbol : {project.getWeightAttr(), project.getIndicesAttr()})
      if (symbol)
        symbols.push_back(symbol);
    return symbols;
  }

  /// Lets go of constants that only `lowered` has a use for now.
  void release(dend::ProjectOp project) {
    for (FlatSymbolRefAttr symbol : constantsOf(project))
      if (--uses[symbol.getValue()] == 0)
        if (auto constant = dend::symbolOf<dend::ConstantOp>(project, symbol))
          dend::releaseElements(constant.getValueAttr());
  }

  /// Whether a source sends its values as unit spikes.
  bool sendsUnits(bool isInput, uint32_t source) const {
    if (isInput)
      return leavesInUnits(lowered.inputs[source], chip);
    const LoweredPopulation &population = lowered.populations[source];
    return !population.cuba &&
           llvm::any_of(population.microcode.programs.front().program.outputs,
                        [](const auto &output) {
                          return output.kind == chip::EmissionKind::Unary ||
                                 output.kind == chip::EmissionKind::Split;
                        });
  }

  dend::NetworkOp network;
  const Target &chip;
  const bool isLast;
  EngineChoice engines;
  const bool hasKernels;
  LoweredNetwork lowered;
  llvm::StringMap<uint32_t> inputIndex, populationIndex;
  llvm::StringMap<uint32_t> uses; // of constants, by projections to come
  std::map<std::vector<int64_t>, uint32_t> decayIds, thresholdIds;
  std::vector<Microprogram> programs; // by id
};

} // namespace

FailureOr<LoweredNetwork> toMapNetwork(dend::NetworkOp network,
                                       const Target &chip, bool isLast) {
  return MapNetworkBuilder(network, chip, isLast).build();
}

} // namespace dendrolith
