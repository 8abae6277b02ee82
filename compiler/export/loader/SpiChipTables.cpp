// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ODIN and tinyODIN: transactions of 20 address and 20 data bits, in the order
// in which nothing that was in the memories can start to fire.

#include "compiler/export/loader/ChipTables.h"

#include "targets/loader/Target.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace dendrolith::loader {
namespace {

constexpr size_t kNumbers = 256; // that the files have room for

/// One transaction of the serial port.
struct Transactions {
  void add(uint32_t address, uint32_t data) {
    text += fmt::format("{:05X} {:05X}\n", address, data);
  }
  std::string text;
};

class Crossbar {
public:
  Crossbar(const image::Program &program, const image::Microprogram &circuit,
           const Target &target, bool isTiny)
      : tables(chipTables(program, circuit)), target(target),
        chip(program.target_name()), tiny(isTiny),
        numbers(std::min(size_t(held(target, "numbers")), kNumbers)) {
    if (tables.cores.size() != 1)
      throw Error(fmt::format("the network takes {} cores, and '{}' is one; "
                              "take away neurons",
                              tables.cores.size(), chip));
  }

  std::map<std::string, std::string> files() {
    numberRows();
    for (const auto &[row, sender] : rows)
      addRow(row, *sender);
    return {{"load.spi", load()}, {"names.txt", names()}};
  }

private:
  const std::vector<Neuron> &neurons() const { return tables.cores[0].neurons; }

  /// A neuron sends from the row of its own number. Inputs have numbers behind
  /// the neurons; where no spike comes back they may share numbers.
  void numberRows() {
    std::vector<const Sender *> hosts;
    for (const Sender &sender : tables.senders) {
      for (const Reach &reach : sender.reach)
        if (reach.delay != !sender.isHost)
          throw Error(fmt::format("{}: a delay of {} ticks, and '{}' has {}; "
                                  "give the projection that one",
                                  sender.text(), reach.delay, chip,
                                  int(!sender.isHost)));
      if (isTime(sender))
        continue;
      if (sender.isHost)
        hosts.push_back(&sender);
      else
        rows[sender.slot] = &sender;
    }
    closed = !rows.empty();
    const size_t all = neurons().size() + hosts.size();
    if (closed && all > numbers)
      throw Error(fmt::format(
          "{} neurons and {} inputs take {} numbers, and '{}' has {} for both "
          "where spikes of neurons come back; take away neurons or inputs",
          neurons().size(), hosts.size(), all, chip, numbers));
    if (hosts.size() > numbers)
      throw Error(fmt::format("{} inputs, and '{}' has {} rows; take away "
                              "inputs",
                              hosts.size(), chip, numbers));
    uint32_t next = all > numbers ? 0 : uint32_t(neurons().size());
    for (const Sender *sender : hosts)
      rows[next++] = sender;
  }

  /// Whether it is the time reference of all neurons: the port T.
  bool isTime(const Sender &sender) {
    size_t timed = 0, others = 0;
    for (const Reach &reach : sender.reach)
      for (const Synapse &synapse : reach.synapses)
        (synapse.port == 1 ? timed : others) += 1;
    if (!timed)
      return false;
    if (others || timed != neurons().size() || !sender.isHost)
      throw Error(fmt::format(
          "{}: it reaches the port T of {} of {} neurons and has {} synapses "
          "beside; a time reference is an input of its own that reaches the "
          "port T of every neuron with a weight of 1, and single events (one "
          "neuron's time reference, one synapse out of a row, a virtual event) "
          "have no form here: reach every neuron, or give a synapse a row of "
          "its own at the port I",
          sender.text(), timed, neurons().size(), others));
    for (const Reach &reach : sender.reach)
      for (const Synapse &synapse : reach.synapses)
        if (synapse.weight != 1)
          throw Error(sender.text() + ": a weight of " +
                      std::to_string(synapse.weight) +
                      " at the port T, where a time reference has 1");
    timeReference = &sender;
    return true;
  }

  void addRow(uint32_t row, const Sender &sender) {
    std::optional<bool> sign;
    for (const Reach &reach : sender.reach)
      for (const auto &[slot, port, weight] : reach.synapses) {
        checkWeight(sender, weight, target);
        if (held(target, "source_sign") && sign && *sign != (weight < 0))
          throw Error(fmt::format(
              "{}: weights of both signs, and '{}' has one sign for each "
              "source; divide it into two",
              sender.text(), chip));
        sign = weight < 0;
        uint8_t &nibble = weights[row][slot];
        if (nibble)
          throw Error(fmt::format("{}: two synapses to neuron {} of '{}', of "
                                  "which the chip holds one; add them up",
                                  sender.text(), neurons()[slot].number,
                                  neurons()[slot].population));
        nibble = uint8_t(tiny ? weight & 15 : 8 | std::abs(weight));
      }
    signs[row / 16] |= uint16_t(!tiny && sign && *sign) << row % 16;
  }

  /// The low 16 bytes of a neuron's word; one that is unused stays silent.
  std::array<uint8_t, 16> word(size_t n) const {
    std::array<uint8_t, 16> bytes{};
    uint32_t low = tiny ? 0x807FF000 : 0x0001FE01;
    uint32_t potential = 0;
    if (n < neurons().size()) {
      const Neuron &neuron = neurons()[n];
      checkNeuron(neuron, target);
      const auto threshold = uint32_t(neuron.params.at("threshold")),
                 leak = uint32_t(neuron.params.at("leak"));
      potential = uint32_t(neuron.start);
      low = tiny ? (potential & 0xFFF) | threshold << 12 | leak << 24
                 : 1 | leak << 1 | uint32_t(leak > 0) << 8 | threshold << 9;
    } else if (!tiny) {
      bytes[15] = 0x80;
    }
    for (size_t b = 0; b < 4; ++b)
      bytes[b] = uint8_t(low >> 8 * b);
    if (!tiny) { // bits 77-70
      bytes[8] = uint8_t(potential << 6);
      bytes[9] = uint8_t(potential >> 2);
    }
    return bytes;
  }

  std::string load() const {
    Transactions spi;
    spi.add(0, 1); // the core stands still
    spi.add(1, 1); // no spike comes back while words are written
    if (tiny) {
      spi.add(2, 0);
      spi.add(3, uint32_t(std::min(target.limits.compartmentsPerCore.value_or(
                                       kNumbers),
                                   uint64_t(kNumbers)) -
                          1));
    } else {
      for (uint32_t i = 0; i < signs.size(); ++i)
        spi.add(2 + i, signs[i]);
      for (uint32_t i = 18; i <= 25; ++i)
        spi.add(i, 0);
    }
    for (uint32_t n = 0; n < kNumbers; ++n) {
      const auto bytes = word(n);
      for (uint32_t b = 0; b < (tiny ? 4 : 16); ++b)
        spi.add(5 << 16 | b << 8 | n, bytes[b]);
    }
    for (uint32_t row = 0; row < kNumbers; ++row)
      for (uint32_t k = 0; k < 32; ++k)
        for (uint32_t b = 0; b < 4; ++b) {
          const auto &nibbles = weights[row];
          const uint32_t post = 8 * k + 2 * b;
          spi.add(6 << 16 | b << 13 | row << 5 | k,
                  uint32_t(nibbles[post] | nibbles[post + 1] << 4));
        }
    spi.add(1, closed ? 0 : 1);
    spi.add(0, 0);
    return spi.text;
  }

  std::string names() const {
    std::string text = "# number  what  name  element; an input with its "
                       "address, a neuron with its output\n";
    for (size_t n = 0; n < neurons().size(); ++n)
      text += fmt::format(
          "{} neuron {} {}{}\n", n, neurons()[n].population,
          neurons()[n].number,
          neurons()[n].output.empty() ? "" : " output " + neurons()[n].output);
    for (const auto &[row, sender] : rows)
      if (sender->isHost)
        text += fmt::format("{} input {} {} {:05X}\n", row, sender->name,
                            sender->number, tiny ? row : row << 8 | 7);
    if (timeReference)
      text += fmt::format("- input {} {} {:05X}\n", timeReference->name,
                          timeReference->number, tiny ? 0x1FF : 0x7F);
    return text;
  }

  const ChipTables tables;
  const Target &target;
  const std::string chip;
  const bool tiny;
  const size_t numbers; ///< of neurons and of rows
  bool closed = false;  ///< spikes of neurons come back
  std::map<uint32_t, const Sender *> rows;
  const Sender *timeReference = nullptr;
  std::array<std::array<uint8_t, kNumbers>, kNumbers> weights{};
  std::array<uint16_t, 16> signs{};
};

} // namespace

std::map<std::string, std::string> spiFiles(const image::Program &program,
                                            const image::Microprogram &circuit,
                                            const Target &chip, bool isTiny) {
  return Crossbar(program, circuit, chip, isTiny).files();
}

} // namespace dendrolith::loader
