// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/loader/ChipTables.h"

#include "runtime/image/NeuronNumbers.h"
#include "runtime/image/Tables.h"
#include "targets/loader/Target.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace dendrolith::loader {
namespace {

std::vector<int64_t> integers(const std::string &bytes) {
  std::vector<int64_t> values(bytes.size() / sizeof(int64_t));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(int64_t));
  return values;
}

/// The value of neuron n, where one stands for all or each has its own.
int64_t pick(const std::vector<int64_t> &values, uint32_t n) {
  return values.empty() ? 0 : values[values.size() == 1 ? 0 : n];
}

/// Names of models and values do not matter.
bool isSame(const image::Microprogram &a, const image::Microprogram &b) {
  auto bare = [](image::Microprogram program) {
    program.clear_model();
    program.clear_names();
    return program.SerializeAsString();
  };
  return bare(a) == bare(b);
}

/// The tables of a core, decoded.
struct Memory {
  explicit Memory(const image::Core &core)
      : axons(decodeInAxons(core.in_axons())),
        lists(decodeLists(core.synapses().lists())),
        weights(decodeI16(core.synapses().weights())),
        delays(decodeDelays(core.synapses().weights())),
        offsets(decodeU32(core.synapses().offsets())) {}

  std::vector<InAxon> axons;
  std::vector<SynapseList> lists;
  std::vector<int16_t> weights;
  std::vector<uint16_t> delays;
  std::vector<uint32_t> offsets;
  /// By accumulator, the slot and the port.
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> places;
};

class Reader {
public:
  Reader(const image::Program &program, const image::Microprogram &circuit)
      : program(program), circuit(circuit), numbers(program) {}

  ChipTables read() {
    if (program.schedule().period() != 1)
      throw Error(fmt::format("a tick takes {} steps, and one on '{}'; give "
                              "loops a delay of 1 or more",
                              program.schedule().period(),
                              program.target_name()));
    for (const image::Core &core : program.cores())
      addCore(core);
    for (const image::Input &input : program.inputs()) {
      if (input.kind() != image::Input::BINARY)
        throw Error(fmt::format("input '{}': it sends numbers, and the chip "
                                "takes spikes; make it binary",
                                input.name()));
      addSenders(input.axons(), [&](size_t i) {
        Sender sender;
        sender.name = input.name();
        sender.number = i;
        sender.isHost = true;
        sender.phase = input.phase();
        return sender;
      });
    }
    for (const image::Core &core : program.cores()) {
      uint32_t slot = 0;
      for (const image::Group &group : core.groups()) {
        addSenders(group.axons(), [&](size_t i) {
          Sender sender;
          sender.name = group.population();
          sender.number = numbers.of(group, uint32_t(i));
          sender.core = core.id();
          sender.slot = slot + uint32_t(i);
          sender.phase = group.phase();
          return sender;
        });
        slot += group.count();
      }
    }
    return std::move(tables);
  }

private:
  void addCore(const image::Core &core) {
    Memory &memory = memories.emplace(core.id(), core).first->second;
    Core &added = tables.cores.emplace_back();
    added.id = core.id();
    for (const image::Group &group : core.groups()) {
      const image::Microcode &code = group.microcode();
      if (!group.has_microcode() ||
          !isSame(core.programs(int(code.program())), circuit))
        throw Error(fmt::format(
            "layer '{}': its neuron is not the one of '{}', whose other ones "
            "(ODIN's Izhikevich) have no loader files; use the neuron of "
            "targets/{}/neuron.mlir as it stands there",
            group.population(), program.target_name(), program.target_name()));
      const std::vector<int64_t> start = code.initial_size()
                                             ? integers(code.initial(0))
                                             : std::vector<int64_t>();
      const auto ports = uint32_t(circuit.ports_size());
      for (uint32_t n = 0; n < group.count(); ++n) {
        for (uint32_t port = 0; port < ports; ++port)
          memory.places[group.base() + n * ports + port] = {
              uint32_t(added.neurons.size()), port};
        Neuron neuron;
        neuron.population = group.population();
        neuron.number = numbers.of(group, n);
        neuron.phase = group.phase();
        neuron.start = pick(start, n);
        for (int s = 1; s < code.initial_size(); ++s)
          if (pick(integers(code.initial(s)), n))
            throw Error(fmt::format("neuron {} of '{}': a state beside its "
                                    "potential starts at {}, and no message of "
                                    "'{}' says that; start at 0",
                                    neuron.number, neuron.population,
                                    pick(integers(code.initial(s)), n),
                                    program.target_name()));
        for (int p = 0; p < circuit.params_size(); ++p)
          neuron.params[circuit.params(p).name()] =
              pick(integers(code.params(p)), n);
        for (const image::Output &output : program.outputs())
          if (output.kind() == image::Output::SPIKES &&
              output.population() == neuron.population)
            neuron.output = output.name();
        added.neurons.push_back(std::move(neuron));
      }
    }
  }

  template <typename Name> void addSenders(const image::Axons &axons, Name of) {
    const AxonTable table = decodeAxons(axons);
    for (size_t i = 0; i < table.sources(); ++i) {
      Sender sender = of(i);
      for (uint32_t r = table.begin[i]; r < table.begin[i + 1]; ++r)
        addReach(sender, table.rows[r]);
      if (!sender.reach.empty())
        tables.senders.push_back(std::move(sender));
    }
  }

  void addReach(Sender &sender, const AxonRow &row) {
    const Memory &memory = memories.at(row.core);
    const InAxon &axon = memory.axons[row.axon];
    const SynapseList &list = memory.lists[axon.list];
    Reach reach;
    reach.core = row.core;
    for (uint32_t k = 0; k < list.count; ++k) {
      const uint32_t at = list.kind == ListKind::Dense
                              ? k
                              : memory.offsets[list.firstOffset + k];
      if (!memory.delays.empty() && memory.delays[list.first + k])
        throw Error(sender.text() + ": a synapse has a delay of its own; keep "
                                    "lists by delay");
      auto [slot, port] = memory.places.at(axon.base + at);
      const int64_t weight =
          contribution(memory.weights[list.first + k], 1, list.shift);
      if (weight)
        reach.synapses.push_back({slot, port, weight});
    }
    if (reach.synapses.empty())
      return;
    // A tick of all begins at once on the chip, wherever its steps are here.
    const auto core =
        std::find_if(tables.cores.begin(), tables.cores.end(),
                     [&](const Core &other) { return other.id == row.core; });
    reach.delay = int64_t(axon.delay) + 1 + sender.phase -
                  core->neurons[reach.synapses[0].slot].phase;
    sender.reach.push_back(std::move(reach));
  }

  const image::Program &program;
  const image::Microprogram &circuit;
  const NeuronNumbers numbers;
  std::map<uint32_t, Memory> memories;
  ChipTables tables;
};

} // namespace

std::string Sender::text() const {
  return isHost ? fmt::format("input '{}', element {}", name, number)
                : fmt::format("neuron {} of '{}'", number, name);
}

int64_t held(const Chip &chip, const std::string &key) {
  for (const Record &record : chip.records)
    if (record.name == "loader." + key)
      return record.value == "true"    ? 1
             : record.value == "false" ? 0
                                       : std::stoll(record.value);
  throw Error(
      fmt::format("chip '{}' has no 'loader.{}', which its loader files "
                  "need; give it one",
                  chip.name, key));
}

void checkNeuron(const Neuron &neuron, const Chip &chip) {
  auto check = [&](const char *what, int64_t value, const std::string &key) {
    const int64_t low = held(chip, key + "_min"),
                  high = held(chip, key + "_max");
    if (value < low || value > high)
      throw Error(fmt::format("neuron {} of '{}': {} {}, and '{}' holds {} to "
                              "{} (loader.{}_min, _max); scale the layer",
                              neuron.number, neuron.population, what, value,
                              chip.name, low, high, key));
  };
  check("a threshold of", neuron.params.at("threshold"), "threshold");
  check("a leak of", neuron.params.at("leak"), "leak");
  check("a start at", neuron.start, "start");
}

void checkWeight(const Sender &sender, int64_t weight, const Chip &chip) {
  const int64_t low = held(chip, "weight_min"), high = held(chip, "weight_max");
  if (weight < low || weight > high)
    throw Error(fmt::format("{}: a weight of {}, and '{}' holds {} to {} "
                            "(loader.weight_min, _max); scale the layer",
                            sender.text(), weight, chip.name, low, high));
}

std::map<std::string, std::string> filesOf(const std::string &format,
                                           const image::Program &program,
                                           const image::Microprogram &circuit,
                                           const Target &chip) {
  if (format == "ranc")
    return rancFiles(program, circuit, chip);
  if (format == "catalyst-n1")
    return meshFiles(program, circuit, chip);
  return spiFiles(program, circuit, chip, format == "tinyodin");
}

ChipTables chipTables(const image::Program &program,
                      const image::Microprogram &circuit) {
  return Reader(program, circuit).read();
}

} // namespace dendrolith::loader
