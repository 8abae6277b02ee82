// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/mlir/RancFiles.h"

#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace dendrolith::ranc {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kFileBytes = uint64_t(1) << 28;
constexpr size_t kMostCores = 1000; // of three digits
constexpr size_t kMostAxons = 1024;
constexpr uint64_t kMostTicks = 1 << 20;
constexpr uint32_t kMostWait = 14; // 15 falls into the row that is read
constexpr uint64_t kAfter = 16;    // ticks behind the last packets

/// The words of a file with their lines; comments are left out.
class Words {
public:
  explicit Words(const std::string &path)
      : path(path), text(readFile(path, kFileBytes)) {}

  /// Goes to the next word of these characters; false at the end.
  bool next(const char *characters) {
    word = {};
    while (at < text.size() && word.empty())
      if (text.compare(at, 2, "/*") == 0) {
        const size_t end = text.find("*/", at + 2);
        if (end == text.npos)
          fail("'*/' behind a comment", "none");
        skipTo(end + 2);
      } else if (text.compare(at, 2, "//") == 0) {
        skipTo(std::min(text.find('\n', at), text.size()));
      } else if (std::isspace(static_cast<unsigned char>(text[at]))) {
        skipTo(at + 1);
      } else {
        const size_t end =
            std::min(text.find_first_of(" \t\r\n/", at + 1), text.size());
        word = std::string_view(text).substr(at, end - at);
        at = end;
      }
    if (word.find_first_not_of(characters) != word.npos)
      fail(fmt::format("a word of {}", characters),
           quotedName(std::string(word)));
    return !word.empty();
  }
  [[noreturn]] void fail(const std::string &expected,
                         const std::string &found) const {
    throw Error(fmt::format("{}:{}: expected {}, found {}", path, line,
                            expected, found));
  }
  void expectBits(size_t bits, const std::string &what) const {
    if (word.size() != bits)
      fail(fmt::format("{} of {} bits", what, bits),
           fmt::format("{} bits", word.size()));
  }

  /// A field of the word of bits, from the front.
  uint32_t take(size_t bits) {
    const std::string field(word.substr(0, bits));
    word.remove_prefix(bits);
    return static_cast<uint32_t>(std::stoul(field, nullptr, 2));
  }
  int takeSigned() { // of 9 bits
    const auto value = static_cast<int>(take(9));
    return value < 256 ? value : value - 512;
  }

  std::string_view word;

private:
  void skipTo(size_t to) {
    line += static_cast<uint64_t>(std::count(
        text.begin() + ptrdiff_t(at), text.begin() + ptrdiff_t(to), '\n'));
    at = to;
  }
  const std::string path, text;
  size_t at = 0;
  uint64_t line = 1;
};

Place targetIn(int64_t width, size_t core, const Neuron &neuron) {
  return {int64_t(core) % width + neuron.offset.first,
          int64_t(core) / width + neuron.offset.second};
}

class Reader {
public:
  explicit Reader(const std::string &path) : path(path) {
    while (cores.size() < kMostCores && has(file("csram")))
      readCore();
    refuseOthers();
    findGrid();
    readPackets();
  }
  Program program;

private:
  std::string in(const std::string &name) const {
    return (fs::path(path) / name).string();
  }
  bool has(const std::string &name) const { return fs::exists(in(name)); }
  /// The file of the next core.
  std::string file(const char *kind) const {
    return fmt::format("{}_{:03}.mem", kind, cores.size());
  }
  void readCore();
  void refuseOthers() const;
  Neuron readNeuron(Words &row) const;
  /// The one place to which neurons send and which has none.
  std::optional<Place> busOf(int64_t width) const;
  void findGrid();
  std::vector<uint64_t> counts(const std::string &name) const;
  void readPackets();

  const std::string path;
  std::vector<Core> &cores = program.cores;
  size_t &axons = program.axons;
  size_t address = 0; // bits of an axon's number
};

/// A core behind a gap, or one whose file is named otherwise, would be lost.
void Reader::refuseOthers() const {
  std::set<std::string> own;
  for (size_t c = 0; c < cores.size(); ++c)
    for (const char *kind : {"csram", "tc"})
      own.insert(fmt::format("{}_{:03}.mem", kind, c));
  for (const auto &entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if ((startsWith(name, "csram_") || startsWith(name, "tc_")) &&
        !own.count(name))
      throw Error(fmt::format("{}: is of no core, as {} is not there; number "
                              "cores from 000 on without a gap, or remove it",
                              in(name), in(file("csram"))));
  }
}

void Reader::readCore() {
  const size_t c = cores.size();
  Core core;
  Words types(in(file("tc")));
  while (types.next("01")) {
    const uint32_t type = types.take(std::min<size_t>(types.word.size(), 31));
    if (type > 3 || !types.word.empty())
      types.fail("the type of an axon, 0 to 3 in bits", "another number");
    core.types.push_back(type);
    if (core.types.size() > kMostAxons)
      types.fail(fmt::format("at most {} axons", kMostAxons), "one more");
  }
  if (core.types.empty() || (c > 0 && core.types.size() != axons))
    types.fail(c > 0 ? fmt::format("types of {} axons, as core 0 has", axons)
                     : "a type for each axon",
               fmt::format("{}", core.types.size()));
  axons = core.types.size();
  for (address = 0; (size_t(1) << address) < axons;)
    ++address;
  Words rows(in(file("csram")));
  while (rows.next("01"))
    core.neurons.push_back(readNeuron(rows));
  cores.push_back(std::move(core));
}

/// A line without its bit of the mode resets to a value.
Neuron Reader::readNeuron(Words &row) const {
  const size_t bits = axons + 103 + address;
  const bool hasMode = row.word.size() == bits + 1;
  if (!hasMode)
    row.expectBits(bits, fmt::format("a neuron at {} axons", axons));
  Neuron neuron;
  for (size_t axon = axons; axon-- > 0;)
    if (row.take(1))
      neuron.connected.push_back(int(axon));
  neuron.start = row.takeSigned();
  neuron.reset = row.takeSigned();
  for (int &weight : neuron.weights)
    weight = row.takeSigned();
  neuron.leak = row.takeSigned();
  neuron.positive = row.takeSigned();
  neuron.negative = row.takeSigned();
  neuron.linear = hasMode ? int(row.take(1)) : 0;
  neuron.offset.first = row.takeSigned();
  neuron.offset.second = row.takeSigned();
  neuron.axon = address ? int(row.take(address)) : 0;
  neuron.wait = row.take(4);
  if (neuron.wait > kMostWait && !neuron.connected.empty())
    row.fail(
        fmt::format("a packet that waits 0 to {} ticks", kMostWait),
        fmt::format("{}, which falls into the row that is read", neuron.wait));
  return neuron;
}

std::optional<Place> Reader::busOf(int64_t width) const {
  std::set<Place> empty;
  for (size_t c = 0; c < cores.size(); ++c)
    for (const Neuron &neuron : cores[c].neurons) {
      if (neuron.connected.empty())
        continue;
      const auto [x, y] = targetIn(width, c, neuron);
      if (x < 0 || x >= width || y < 0)
        return std::nullopt;
      const auto to = static_cast<size_t>(y * width + x);
      if (to >= cores.size() || !cores[to].isUsed())
        empty.insert({x, y});
    }
  return empty.size() == 1 ? std::optional(*empty.begin()) : std::nullopt;
}

void Reader::findGrid() {
  std::string fit;
  size_t fits = 0;
  for (auto width = int64_t(cores.size()); width > 0; --width)
    if (const auto found = busOf(width)) {
      program.columns = width;
      program.bus = *found;
      fit += (fits++ ? ", " : "") + std::to_string(width);
    }
  if (fits != 1)
    throw Error(fmt::format(
        "{}: expected one number of columns with which all neurons of {} cores "
        "send into the grid, and to one place without neurons, the output bus, "
        "found {}; correct the offsets of neurons with synapses",
        path, cores.size(), fits ? fit : "none"));
}

std::vector<uint64_t> Reader::counts(const std::string &name) const {
  std::vector<uint64_t> all;
  for (Words words(in(name)); words.next("0123456789");) {
    if (words.word.size() > 9 || all.size() == kMostTicks)
      words.fail(fmt::format("at most {} counts of 9 digits", kMostTicks),
                 "more");
    all.push_back(std::stoull(std::string(words.word)));
  }
  return all;
}

void Reader::readPackets() {
  if (!has("tb_num_inputs.txt"))
    return;
  const std::vector<uint64_t> byTick = counts("tb_num_inputs.txt");
  uint64_t &ticks = program.ticks = byTick.size();
  if (has("tb_num_outputs.txt"))
    ticks = std::max<uint64_t>(ticks, counts("tb_num_outputs.txt").size());
  ticks += kAfter;
  Words words(in("tb_input.txt"));
  for (size_t tick = 0; tick < byTick.size(); ++tick)
    for (uint64_t i = 0; i < byTick[tick]; ++i) {
      if (!words.next("01"))
        words.fail(
            fmt::format("packet {} of tick {}, as tb_num_inputs.txt says", i,
                        tick),
            "the end");
      words.expectBits(22 + address, "a packet");
      const int x = words.takeSigned();
      const Place to{x, words.takeSigned()};
      Packet packet;
      packet.axon = address ? words.take(address) : 0;
      packet.tick = tick + words.take(4);
      packet.core = program.coreAt(to);
      if (packet.core == SIZE_MAX)
        words.fail("a packet to a core",
                   fmt::format("column {}, row {}", to.first, to.second));
      if (packet.axon >= axons || packet.tick > tick + kMostWait)
        words.fail(
            fmt::format("an axon below {} and an offset of at most {}", axons,
                        kMostWait),
            fmt::format("axon {}, offset {}", packet.axon, packet.tick - tick));
      program.packets.push_back(packet);
    }
}

} // namespace

size_t Program::coreAt(const Place &place) const {
  const auto [x, y] = place;
  const auto core = static_cast<size_t>(y * columns + x);
  const bool is = x >= 0 && x < columns && y >= 0 && place != bus &&
                  core < cores.size() && !cores[core].neurons.empty();
  return is ? core : SIZE_MAX;
}

Place Program::targetOf(size_t core, const Neuron &neuron) const {
  return targetIn(columns, core, neuron);
}

std::set<size_t> Program::fedCores() const {
  std::set<size_t> fed;
  for (const Packet &packet : packets)
    fed.insert(packet.core);
  for (size_t c = 0; c < cores.size() && packets.empty(); ++c)
    if (cores[c].isUsed())
      fed.insert(c);
  return fed;
}

Program read(const std::string &folder) {
  return std::move(Reader(folder).program);
}

} // namespace dendrolith::ranc
