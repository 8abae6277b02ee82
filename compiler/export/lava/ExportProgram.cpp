// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/ExportProgram.h"

#include "compiler/export/lava/StockNeurons.h"
#include "compiler/export/lava/Synapses.h"
#include "runtime/host/Files.h"
#include "runtime/image/NeuronNumbers.h"
#include "runtime/image/Tables.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <map>
#include <numeric>
#include <tuple>

namespace dendrolith::lava {
namespace {

struct NeuronPlace {
  const image::Group *group = nullptr;
  uint32_t neuron = 0; // its number in the model
};

/// A core's tables, decoded, and which neuron owns each of its accumulators.
struct CoreTables {
  CoreTables(const image::Core &core, const NeuronNumbers &numbers)
      : axons(decodeInAxons(core.in_axons())),
        lists(decodeLists(core.synapses().lists())),
        weights(decodeI16(core.synapses().weights())),
        delays(decodeDelays(core.synapses().weights())),
        offsets(decodeU32(core.synapses().offsets())) {
    for (const image::Group &group : core.groups()) {
      uint32_t end = group.base() + group.count();
      if (places.size() < end)
        places.resize(end);
      for (uint32_t i = 0; i < group.count(); ++i)
        places[group.base() + i] = {&group, uint32_t(numbers.of(group, i))};
    }
  }
  std::vector<InAxon> axons;
  std::vector<SynapseList> lists;
  std::vector<int16_t> weights;
  std::vector<uint16_t> delays; // by weight; empty where none has any
  std::vector<uint32_t> offsets;
  std::vector<NeuronPlace> places;
};

[[noreturn]] void refuse(const std::string &population,
                         const std::string &why) {
  throw Error(fmt::format("population '{}' of the program is no process of "
                          "stock Lava: {}; export the model file instead",
                          population, why));
}

class ProgramExport {
public:
  explicit ProgramExport(const image::Program &program)
      : program(program), numbers(program) {
    for (const image::Core &core : program.cores())
      cores.emplace(std::piecewise_construct, std::forward_as_tuple(core.id()),
                    std::forward_as_tuple(core, numbers));
    for (const image::Population &population : program.populations())
      populations[population.name()] = &population;
  }

  Model run() {
    if (program.schedule().period() != 1)
      throw Error(fmt::format("the program takes {} steps per tick; Lava's "
                              "processes tick in each step",
                              program.schedule().period()));
    for (const image::Population &population : program.populations())
      addNeurons(population);
    readWires();
    addSynapses();
    addOutputs();
    addMapping();
    model.set_name(program.model_name());
    model.mutable_run()->set_tag("fixed_pt");
    return std::move(model);
  }

private:
  using WireKey = std::tuple<std::string, std::string, uint32_t>;

  void addNeurons(const image::Population &population) {
    if (population.ticks() > 1)
      refuse(population.name(), "it has more than one update per tick");
    CubaNumbers all;
    uint64_t size = population.size();
    for (auto *values : {&all.decayU, &all.decayV, &all.threshold, &all.bias,
                         &all.startU, &all.startV})
      values->assign(size, 0);
    for (const image::Core &core : program.cores())
      for (const image::Group &group : core.groups())
        if (group.population() == population.name())
          addGroup(group, all);
    std::vector<uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    std::string why;
    auto process =
        asLif(population.name(), {size}, order, all, population.phase(), why);
    if (!process)
      refuse(population.name(), why);
    *model.add_processes() = std::move(*process);
  }

  void addGroup(const image::Group &group, CubaNumbers &all) {
    if (!group.has_cuba())
      refuse(group.population(), "it runs microcode");
    const image::Cuba &cuba = group.cuba();
    auto copy = [&](const auto &from, std::vector<int64_t> &to) {
      for (uint32_t i = 0; i < group.count() && !from.empty(); ++i)
        to[numbers.of(group, i)] = from[from.size() == 1 ? 0 : int(i)];
    };
    copy(cuba.decay_u(), all.decayU);
    copy(cuba.decay_v(), all.decayV);
    copy(cuba.threshold(), all.threshold);
    copy(cuba.bias(), all.bias);
    copy(cuba.initial_u(), all.startU);
    copy(cuba.initial_v(), all.startV);
    all.inputWrapBits = cuba.input_wrap_bits();
    all.currentBits = cubaCurrentBits(cuba.current_bits());
    all.refractory = cuba.refractory();
    all.vmin = cuba.vmin();
    all.vmax = cuba.vmax();
    all.openHigh = cuba.wrap_open_high();
    all.biasWrap = cuba.bias_wrap();
    all.silent = cuba.silent();
  }

  void readWires() {
    for (const image::Input &input : program.inputs()) {
      AxonTable table = decodeAxons(input.axons());
      bool binary = input.kind() == image::Input::BINARY;
      for (size_t source = 0; source < table.sources(); ++source)
        follow(table, source, uint32_t(source), input.name(), "",
               table.sources(), binary ? 0 : input.low(),
               binary ? 1 : input.high());
    }
    for (const image::Core &core : program.cores())
      for (const image::Group &group : core.groups()) {
        AxonTable table = decodeAxons(group.axons());
        for (size_t source = 0; source < table.sources(); ++source)
          follow(table, source, uint32_t(numbers.of(group, uint32_t(source))),
                 group.population(), "s_out",
                 populations.at(group.population())->size(), 0, 1);
      }
  }

  /// Follows every synapse behind one source.
  void follow(const AxonTable &table, size_t row, uint32_t source,
              const std::string &name, const std::string &output,
              uint64_t sources, int64_t low, int64_t high) {
    for (uint32_t r = table.begin[row]; r < table.begin[row + 1]; ++r) {
      const CoreTables &core = cores.at(table.rows[r].core);
      const InAxon &axon = core.axons[table.rows[r].axon];
      const SynapseList &list = core.lists[axon.list];
      if (rightShiftOf(list.shift))
        throw Error(fmt::format("{} -> {}: lists shift each product right, "
                                "which no synapse of Lava does",
                                name,
                                core.places[axon.base].group->population()));
      for (uint32_t k = 0; k < list.count; ++k) {
        uint32_t at = axon.base + (list.kind == ListKind::Dense
                                       ? k
                                       : core.offsets[list.firstOffset + k]);
        const NeuronPlace &place = core.places[at];
        const std::string &target = place.group->population();
        const uint32_t delay =
            axon.delay +
            (core.delays.empty() ? 0u : core.delays[list.first + k]);
        Wire &wire = wires[{name, target, delay}];
        wire.source = name;
        wire.output = output;
        wire.target = target;
        wire.port = "a_in";
        wire.sources = sources;
        wire.targets = populations.at(target)->size();
        wire.low = low;
        wire.high = high;
        wire.delay = delay;
        wire.sourceOf.push_back(source);
        wire.targetOf.push_back(place.neuron);
        wire.weights.push_back(int64_t(core.weights[list.first + k]) *
                               (int64_t(1) << list.shift));
      }
    }
  }

  void addSynapses() {
    checkInputs();
    SynapseWriter writer(model);
    std::vector<Wire> all;
    for (auto &[key, wire] : wires)
      all.push_back(std::move(wire));
    for (const Wire &wire : joinDelays(std::move(all))) {
      Sender from("", wire.source, {});
      from.low = wire.low;
      from.high = wire.high;
      int64_t steps = 1 + wire.delay;
      if (!wire.output.empty())
        from = Sender(wire.source, "s_out", {wire.sources});
      else
        for (const image::Input &input : program.inputs())
          if (input.name() == wire.source) {
            // Lava's inputs arrive in the step of their tick.
            steps += input.phase();
            from.scale =
                input.kind() == image::Input::BINARY ? 0.0 : input.scale();
          }
      Receiver to(wire.target, "a_in", {wire.targets});
      to.unit = kCurrentShift;
      writer.add(wire, from, to, steps);
    }
  }

  /// Checks inputs: that of LIF counts units of 2^6 and must not wrap twice.
  void checkInputs() {
    std::map<std::string, std::vector<double>> sums;
    for (const auto &[key, wire] : wires) {
      if (!divisible(wire, kCurrentShift))
        refuse(wire.target, "a weight is no multiple of 64");
      auto &sum = sums[wire.target];
      sum.resize(wire.targets, 0.0);
      auto largest = largestSums(wire);
      for (size_t i = 0; i < sum.size(); ++i)
        sum[i] += largest[i] / (1 << kCurrentShift);
    }
    for (const auto &[name, sum] : sums)
      if (*std::max_element(sum.begin(), sum.end()) > kMostCurrent)
        refuse(name, "its input may wrap in another way than LIF's");
  }

  void addOutputs() {
    for (const image::Output &output : program.outputs()) {
      lava::Output &to = *model.add_outputs();
      to.set_name(output.name());
      to.set_source(output.population());
      to.set_latency(populations.at(output.population())->phase());
      to.set_probe(output.kind() == image::Output::STATE);
      to.set_source_port(to.probe() ? output.from() : "s_out");
      if (to.probe())
        to.set_scale(output.scale());
    }
  }

  void addMapping() {
    Mapping &mapping = *model.mutable_mapping();
    mapping.set_target(program.target_name());
    for (const image::Core &core : program.cores())
      for (const image::Group &group : core.groups())
        for (const NumberRange &range : numbers.rangesOf(group)) {
          Core &to = *mapping.add_cores();
          to.set_id(core.id());
          to.set_process(group.population());
          to.set_first(range.first);
          to.set_count(range.end - range.first);
        }
  }

  const image::Program &program;
  const NeuronNumbers numbers;
  std::map<uint32_t, CoreTables> cores;
  std::map<std::string, const image::Population *> populations;
  std::map<WireKey, Wire> wires;
  Model model;
};

} // namespace

Model exportProgram(const image::Program &program) {
  return ProgramExport(program).run();
}

std::string serialize(const Model &model) {
  if (model.ByteSizeLong() > INT32_MAX)
    throw Error("the Lava model has " +
                std::to_string(model.ByteSizeLong() >> 20) +
                " MiB; protobuf reads at most 2047");
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true); // maps sorted by key
    model.SerializeToCodedStream(&coded);
  }
  return bytes;
}

void writeModel(const Model &model, const std::string &path) {
  writeAside(path, serialize(model));
}

} // namespace dendrolith::lava
