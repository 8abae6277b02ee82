// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Catalyst N1: messages of its host interface, a byte of the command and its
// payload, as the RTL counts them.

#include "compiler/export/loader/ChipTables.h"

#include "targets/loader/Target.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

namespace dendrolith::loader {
namespace {

constexpr uint8_t kPool = 0x01, kRoute = 0x02, kFlags = 0x06, kParameter = 0x07,
                  kIndex = 0x08, kDelay = 0x0A, kGlobalRoute = 0x10;
constexpr uint32_t kThreshold = 0; // of the parameters
constexpr size_t kLocalSlots = 8, kSlots = 12;

/// Bytes of one message, most significant first.
struct Message {
  explicit Message(uint8_t command) { byte(command); }
  Message &byte(uint64_t value) {
    text += fmt::format("{}{:02X}", text.empty() ? "" : " ", value & 0xFF);
    return *this;
  }
  Message &two(int64_t value) {
    const auto bits = static_cast<uint64_t>(value);
    return byte(bits >> 8).byte(bits);
  }
  std::string text;
};

class Mesh {
public:
  Mesh(const image::Program &program, const image::Microprogram &circuit,
       const Target &chip)
      : tables(chipTables(program, circuit)), chip(chip),
        slots(chip.limits.compartmentsPerCore.value_or(1024)) {
    for (const Core &core : tables.cores)
      cores[core.id] = &core;
  }

  std::map<std::string, std::string> files() {
    say(Message(kFlags).byte(0));
    for (uint32_t id = 0; id < chip.numCores(); ++id)
      addNeurons(id);
    for (const Sender &sender : tables.senders)
      if (sender.isHost)
        nameInput(sender);
      else
        addSpikes(sender);
    for (const auto &[core, count] : pool)
      if (chip.limits.synapseMemoryWords &&
          count > *chip.limits.synapseMemoryWords)
        throw Error(fmt::format(
            "core {}: {} synapses, and its pool of '{}' has {} entries; spread "
            "the network over more cores",
            core, count, chip.name, *chip.limits.synapseMemoryWords));
    return {{"load.uart", load}, {"names.txt", names}};
  }

private:
  void say(const Message &message) { load += message.text + "\n"; }

  /// Every threshold is written: a memory of zeros fires in each step.
  void addNeurons(uint32_t id) {
    const auto found = cores.find(id);
    for (uint32_t n = 0; n < slots; ++n) {
      auto parameter = [&](uint32_t number, int64_t value) {
        say(Message(kParameter).byte(id).two(n).byte(number).two(value));
      };
      if (found == cores.end() || n >= found->second->neurons.size()) {
        parameter(kThreshold, 32767);
        continue;
      }
      const Neuron &neuron = found->second->neurons[n];
      checkNeuron(neuron, chip);
      parameter(kThreshold, neuron.params.at("threshold"));
      parameter(1, neuron.params.at("leak"));
      parameter(2, within(neuron, "rest", -32768, 32767));
      parameter(3, within(neuron, "period", 0, 255));
      parameter(30, within(neuron, "low", -32768, 32767));
      parameter(31, within(neuron, "high", -32768, 32767));
      names +=
          fmt::format("core {} number {} neuron {} {}{}\n", id, n,
                      neuron.population, neuron.number,
                      neuron.output.empty() ? "" : " output " + neuron.output);
    }
  }

  int64_t within(const Neuron &neuron, const char *what, int64_t low,
                 int64_t high) const {
    const int64_t value = neuron.params.at(what);
    if (value < low || value > high)
      throw Error(fmt::format("neuron {} of '{}': '{}' is {}, and '{}' holds "
                              "{} to {}; give the layer one of these",
                              neuron.number, neuron.population, what, value,
                              chip.name, low, high));
    return value;
  }

  /// The host adds up what the elements of a step give a neuron: the chip keeps
  /// the last stimulus alone.
  void nameInput(const Sender &sender) {
    for (const Reach &reach : sender.reach) {
      if (reach.delay != 0)
        throw Error(fmt::format("{}: a delay of {} steps, and a stimulus of "
                                "'{}' has none; send it later",
                                sender.text(), reach.delay, chip.name));
      for (const Synapse &synapse : reach.synapses) {
        checkWeight(sender, synapse.weight, chip);
        names += fmt::format("core {} number {} input {} {} value {}\n",
                             reach.core, synapse.slot, sender.name,
                             sender.number, synapse.weight);
      }
    }
  }

  void addSpikes(const Sender &sender) {
    const uint64_t base = pool[sender.core];
    size_t slot = 0;
    for (const Reach &reach : sender.reach)
      for (const Synapse &synapse : reach.synapses) {
        checkWeight(sender, synapse.weight, chip);
        if (reach.core == sender.core)
          addEntry(sender, synapse, reach.delay - 1);
        else
          addRoute(sender, reach, synapse, slot++);
      }
    const int64_t count = int64_t(pool[sender.core] - base);
    if (count > held(chip, "list_synapses"))
      throw Error(fmt::format("{}: {} synapses on its core, and a list of '{}' "
                              "has {}; divide the neuron",
                              sender.text(), count, chip.name,
                              held(chip, "list_synapses")));
    // The public script appends a format and a target, which the RTL takes for
    // commands: the format is in the two bits above the count.
    if (count)
      say(Message(kIndex)
              .byte(sender.core)
              .two(sender.slot)
              .two(int64_t(base))
              .two(count));
  }

  void addEntry(const Sender &sender, const Synapse &synapse, int64_t delay) {
    if (delay < 0 || delay > 63)
      throw Error(fmt::format("{}: a delay of {} steps, and '{}' has 1 to 64",
                              sender.text(), delay + 1, chip.name));
    const auto at = int64_t(pool[sender.core]++);
    say(Message(kPool)
            .byte(sender.core)
            .two(at)
            .byte((sender.slot >> 8 & 3) << 4 | (synapse.slot >> 8 & 3) << 2)
            .byte(sender.slot)
            .byte(synapse.slot)
            .two(synapse.weight));
    say(Message(kDelay).byte(sender.core).two(at).byte(uint64_t(delay)));
  }

  void addRoute(const Sender &sender, const Reach &reach,
                const Synapse &synapse, size_t slot) {
    if (reach.delay != 1)
      throw Error(fmt::format("{}: a delay of {} steps to another core, and "
                              "'{}' has 1; place both on one core",
                              sender.text(), reach.delay, chip.name));
    if (slot >= kSlots)
      throw Error(fmt::format("{}: more than {} synapses on other cores of "
                              "'{}'; add neurons that relay",
                              sender.text(), kSlots, chip.name));
    const bool isLocal = slot < kLocalSlots;
    say(Message(isLocal ? kRoute : kGlobalRoute)
            .byte(sender.core)
            .two(sender.slot)
            .byte(isLocal ? slot : slot - kLocalSlots)
            .byte(reach.core)
            .two(synapse.slot)
            .two(synapse.weight));
  }

  const ChipTables tables;
  const Target &chip;
  const uint64_t slots;
  std::map<uint32_t, const Core *> cores;
  std::map<uint32_t, uint64_t> pool; ///< entries by core
  std::string load;
  std::string names = "# an input with the value that it gives a neuron: the "
                      "host adds up those "
                      "of a step\n";
};

} // namespace

std::map<std::string, std::string> meshFiles(const image::Program &program,
                                             const image::Microprogram &circuit,
                                             const Target &chip) {
  return Mesh(program, circuit, chip).files();
}

} // namespace dendrolith::loader
