// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/Synapses.h"

#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dendrolith::lava {
namespace {

// Integer weights as sums of what Lava's synapse processes hold: 8 bits and an
// exponent that all weights of a process share.

/// What goes into `weights` and `weight_exp` of a process with num_weight_bits
/// 8 and no sign mode. Lava then takes the mode from the weights: none
/// negative, 0..255 as they are; none positive, -255..0 as they are; else even
/// numbers in [-256, 254]. So weights of both signs are stored doubled, with an
/// exponent less by one (sums of even numbers are halved exactly).
struct Digit {
  std::vector<int64_t> weights; // one per given weight
  int64_t exponent = 0;
};

struct Span {
  int64_t low = 0, high = 0;
};

Span spanOf(const std::vector<int64_t> &values) {
  Span span;
  for (int64_t value : values) {
    span.low = std::min(span.low, value);
    span.high = std::max(span.high, value);
  }
  return span;
}

/// Gives a process with such weights, which lie within -128..127 or have one
/// sign.
Digit stored(std::vector<int64_t> values, int64_t exponent) {
  Span span = spanOf(values);
  if (span.low < 0 && span.high > 0) {
    for (int64_t &value : values)
      value *= 2;
    --exponent;
  }
  return {std::move(values), exponent};
}

/// Whether one such process can store the weights as they are.
bool isStored(const std::vector<int64_t> &weights) {
  Span span = spanOf(weights);
  if (span.low >= 0)
    return span.high <= 255;
  if (span.high <= 0)
    return span.low >= -255;
  return span.low >= -256 && span.high <= 254 &&
         std::all_of(weights.begin(), weights.end(),
                     [](int64_t weight) { return weight % 2 == 0; });
}

/// Finds digits such that weights[k] is exactly the sum over digits of
/// digit.weights[k] * 2^exponent. Digits that are zero everywhere are left out,
/// so there are none if all weights are zero.
std::vector<Digit> toDigits(std::vector<int64_t> weights) {
  std::vector<Digit> digits;
  Span span = spanOf(weights);
  if (span.low == 0 && span.high == 0)
    return digits;
  int64_t exponent = 0;
  while (std::all_of(weights.begin(), weights.end(),
                     [](int64_t weight) { return weight % 2 == 0; })) {
    for (int64_t &weight : weights)
      weight /= 2;
    ++exponent;
  }
  while (true) {
    span = spanOf(weights);
    if (span.low == 0 && span.high == 0)
      return digits;
    bool fits = span.low >= 0    ? span.high <= 255
                : span.high <= 0 ? span.low >= -255
                                 : span.low >= -128 && span.high <= 127;
    if (fits) {
      digits.push_back(stored(std::move(weights), exponent));
      return digits;
    }
    std::vector<int64_t> low(weights.size());
    for (size_t k = 0; k < weights.size(); ++k) {
      // The remainder is taken in -128..127, so that the rest stays small.
      low[k] = ((weights[k] % 256) + 256) % 256;
      if (low[k] > 127)
        low[k] -= 256;
      weights[k] = (weights[k] - low[k]) / 256;
    }
    span = spanOf(low);
    if (span.low != 0 || span.high != 0)
      digits.push_back(stored(std::move(low), exponent));
    exponent += 8;
  }
}

constexpr double kPortLimit = 2147483648.0;     // 2^31: ports are int32
constexpr double kConvolutionLimit = 8388608.0; // 2^23: Conv wraps its sums
constexpr uint64_t kLargestMatrix = uint64_t(1) << 28;
constexpr int64_t kLargestField = 127; // Conv keeps strides and the like in i8

std::string label(const Wire &wire) {
  return fmt::format("projection @{} -> @{}[{}]", wire.source, wire.target,
                     wire.port);
}

/// Lava's number of our element i, neuron by neuron.
uint64_t lavaNumber(const Terminal &to, uint64_t i) {
  if (!to.isPicture)
    return i;
  const uint64_t width = to.shape[0], height = to.shape[1],
                 channels = to.shape[2];
  const uint64_t elements = product(to.shape) / (width * height * channels);
  const uint64_t own = i % elements, neuron = i / elements;
  const uint64_t x = neuron % width, y = neuron / width % height,
                 c = neuron / width / height;
  return ((x * height + y) * channels + c) * elements + own;
}

/// Whether a port has one number for each neuron of a picture.
bool isPlain(const Terminal &port) {
  return port.isPicture && port.shape.size() == 3;
}

/// How many bits a payload has, sign included. To Lava 0 means binary spikes;
/// any other number makes no difference there.
int64_t messageBits(const Wire &wire) {
  constexpr int64_t most = 16;
  if (wire.low >= 0 && wire.high <= 1)
    return 0;
  int64_t bits = wire.low < 0 ? 1 : 0;
  for (int64_t left = wire.largestMessage(); left > 0 && bits < most; left /= 2)
    ++bits;
  return bits;
}

/// A weight at its place in Lava, with its delay beyond that of the process.
struct Synapse {
  uint32_t row, column;
  int64_t weight, later;
};

/// Gives the synapses sorted by (row, column), each pair once and zeros left
/// out.
std::vector<Synapse> synapsesOf(const Wire &wire, const Receiver &to) {
  std::vector<Synapse> all;
  all.reserve(wire.weights.size());
  for (size_t k = 0; k < wire.weights.size(); ++k)
    if (wire.weights[k] != 0)
      all.push_back({static_cast<uint32_t>(lavaNumber(to, wire.targetOf[k])),
                     wire.sourceOf[k],
                     wire.weights[k] / (int64_t(1) << to.unit),
                     wire.later.empty() ? 0 : wire.later[k]});
  std::sort(all.begin(), all.end(), [](const Synapse &a, const Synapse &b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  size_t kept = 0;
  for (const Synapse &synapse : all) {
    if (kept && all[kept - 1].row == synapse.row &&
        all[kept - 1].column == synapse.column)
      all[kept - 1].weight += synapse.weight;
    else
      all[kept++] = synapse;
  }
  all.resize(kept);
  return all;
}

/// Lava adds the stored weights up before it shifts, modulo 2^32: as a narrow
/// port does, unless bits are dropped.
void checkSums(const Wire &wire, const std::vector<Synapse> &synapses,
               const Digit &digit) {
  std::vector<double> sums(wire.targets, 0.0);
  double message = static_cast<double>(wire.largestMessage());
  double shifted = digit.exponent > 0
                       ? static_cast<double>(uint64_t(1) << digit.exponent)
                       : 1.0;
  for (size_t k = 0; k < synapses.size(); ++k)
    sums[synapses[k].row] +=
        std::abs(static_cast<double>(digit.weights[k])) * message * shifted;
  double most = *std::max_element(sums.begin(), sums.end());
  if (most >= kPortLimit)
    throw Error(fmt::format("{}: a sum may reach {:.0f}; Lava's synapses add "
                            "in 32 bits",
                            label(wire), most));
}

} // namespace

SynapseWriter::SynapseWriter(Model &model) : model(model) {
  for (const Process &process : model.processes())
    names.insert(process.name());
}

Process &SynapseWriter::process(const std::string &lavaClass,
                                const std::string &wanted) {
  std::string name = wanted;
  for (int i = 1; !names.insert(name).second; ++i)
    name = fmt::format("{}_{}", wanted, i);
  Process &added = *model.add_processes();
  added.set_name(name);
  added.set_lava_class(lavaClass);
  return added;
}

void SynapseWriter::joinInput(const Sender &sender, const std::string &process,
                              const std::string &port, const Dims &shape) {
  if (!sender.process.empty())
    return join(sender, process, port, shape);
  Input &input = *model.add_inputs();
  input.set_name(sender.port);
  input.set_target(process);
  input.set_target_port(port);
  input.mutable_shape()->Assign(shape.begin(), shape.end());
  input.set_lowest(sender.low);
  input.set_highest(sender.high);
  input.set_scale(sender.scale);
}

void SynapseWriter::join(const Terminal &source, const std::string &process,
                         const std::string &port, const Dims &shape) {
  Connection &connection = *model.add_connections();
  connection.set_source(source.process);
  connection.set_source_port(source.port);
  connection.set_target(process);
  connection.set_target_port(port);
  if (source.shape == shape)
    return;
  // A population in one row has our numbers.
  if (source.isPicture && shape.size() == 1)
    for (uint64_t axis = 0; axis < source.shape.size(); ++axis)
      connection.add_transpose(axis < 3 ? 2 - axis : axis);
  connection.mutable_reshape()->Assign(shape.begin(), shape.end());
}

bool SynapseWriter::addConvolution(const Wire &wire, const Sender &sender,
                                   const Receiver &to) {
  if (!wire.window)
    return false;
  const dend::Window &window = *wire.window;
  auto sums = largestSums(wire);
  double scale = static_cast<double>(uint64_t(1) << to.unit);
  bool wraps = to.width == 24; // as Lava's sums do
  auto small = [](int64_t x) { return x <= kLargestField; };
  if (window.padding[0] != window.padding[2] ||
      window.padding[1] != window.padding[3] || !isPlain(to) ||
      !(sender.process.empty() || isPlain(sender)) ||
      (!wraps && *std::max_element(sums.begin(), sums.end()) / scale >=
                     kConvolutionLimit) ||
      !small(window.groups))
    return false;
  for (unsigned axis : {0, 1})
    if (!small(window.kernel[axis]) || !small(window.stride[axis]) ||
        !small(window.padding[axis]) || !small(window.dilation[axis]))
      return false;
  uint64_t height = window.kernel[0], width = window.kernel[1],
           inputs = window.inPerGroup(), outputs = window.channels;
  // Lava turns its kernel (Cout, W, H, Cin) round before it uses it.
  std::vector<int64_t> kernel(wire.kernel.size());
  for (uint64_t k = 0; k < outputs; ++k)
    for (uint64_t c = 0; c < inputs; ++c)
      for (uint64_t y = 0; y < height; ++y)
        for (uint64_t x = 0; x < width; ++x)
          kernel[((k * width + (width - 1 - x)) * height + (height - 1 - y)) *
                     inputs +
                 c] = wire.kernel[((k * inputs + c) * height + y) * width + x] /
                      (int64_t(1) << to.unit);
  Process &conv =
      process("lava.proc.conv.process.Conv", wire.target + "." + wire.source);
  auto pair = [&](const char *key, const auto &size) {
    setIntegers(conv, key, {size[1], size[0]});
  };
  setIntegers(conv, "input_shape",
              {window.input[2], window.input[1], window.input[0]});
  setTensor(conv, "weight",
            denseTensor({outputs, width, height, inputs}, kernel));
  pair("stride", window.stride);
  pair("padding", window.padding);
  pair("dilation", window.dilation);
  setInteger(conv, "groups", window.groups);
  setInteger(conv, "num_message_bits", messageBits(wire));
  Dims in{static_cast<uint64_t>(window.input[2]),
          static_cast<uint64_t>(window.input[1]),
          static_cast<uint64_t>(window.input[0])};
  std::string name = conv.name();
  joinInput(sender, name, "s_in", in);
  join({name, "a_out", to.shape}, to.process, to.port, to.shape);
  return true;
}

void SynapseWriter::addMatrix(const Wire &wire, const Sender &sender,
                              const Receiver &to, int64_t steps) {
  std::vector<Synapse> synapses = synapsesOf(wire, to);
  uint64_t rows = wire.targets, columns = wire.sources;
  bool dense = isDense(wire);
  if (dense && rows * columns > kLargestMatrix)
    throw Error(fmt::format("{}: {} x {} weights, at most {} fit into a dense "
                            "process",
                            label(wire), rows, columns, kLargestMatrix));
  std::vector<int64_t> weights, delays;
  bool delayed = steps > 1 || !wire.later.empty();
  for (const Synapse &synapse : synapses)
    weights.push_back(synapse.weight);
  auto delay = [&](const Synapse &synapse) {
    return steps - 1 + synapse.later;
  };
  bool ownDelays = !wire.later.empty();
  if (ownDelays && dense)
    delays.resize(rows * columns, 0);
  for (const Synapse &synapse : synapses)
    if (!delays.empty())
      delays[synapse.row * columns + synapse.column] = delay(synapse);
  // Weights are stored as they are where a sum may wrap before it is shifted.
  bool asTheyAre = to.shift && isStored(weights);
  std::vector<Digit> digits;
  if (asTheyAre)
    digits.push_back({std::move(weights), 0});
  else
    digits = toDigits(std::move(weights));
  if (to.shift && digits.size() > 1)
    throw Error(
        fmt::format("{}: its sum is shifted by {} bits, and its weights "
                    "are too wide for one process",
                    label(wire), to.shift));
  for (const Digit &digit : digits) {
    if (!asTheyAre && (to.shift || to.width > 32 || digit.exponent < 0))
      checkSums(wire, synapses, digit);
    Process &added = process(
        fmt::format("lava.proc.{}.process.{}{}", dense ? "dense" : "sparse",
                    delayed ? "Delay" : "", dense ? "Dense" : "Sparse"),
        wire.target + "." + wire.source);
    std::vector<MatrixEntry> stored, late;
    std::vector<int64_t> matrix(dense ? rows * columns : 0, 0);
    for (size_t k = 0; k < synapses.size(); ++k) {
      const Synapse &synapse = synapses[k];
      if (dense)
        matrix[synapse.row * columns + synapse.column] = digit.weights[k];
      else if (digit.weights[k] != 0) {
        stored.push_back({synapse.row, synapse.column, digit.weights[k]});
        if (ownDelays && delay(synapse) != 0)
          late.push_back({synapse.row, synapse.column, delay(synapse)});
      }
    }
    setTensor(added, "weights",
              dense ? denseTensor({rows, columns}, matrix)
                    : csrTensor(rows, columns, stored));
    setInteger(added, "weight_exp", digit.exponent - to.shift);
    setInteger(added, "num_weight_bits", 8);
    setInteger(added, "num_message_bits", messageBits(wire));
    // DelaySparse takes a sparse matrix of delays alone.
    if (ownDelays && dense)
      setTensor(added, "delays", denseTensor({rows, columns}, delays));
    else if (ownDelays)
      setTensor(added, "delays", csrTensor(rows, columns, late));
    else if (delayed)
      setInteger(added, "delays", steps - 1);
    std::string name = added.name();
    joinInput(sender, name, "s_in", {columns});
    join({name, "a_out", {rows}}, to.process, to.port, to.shape);
  }
}

void SynapseWriter::add(const Wire &wire, const Sender &sender,
                        const Receiver &to, int64_t steps) {
  int64_t later = wire.later.empty()
                      ? 0
                      : *std::max_element(wire.later.begin(), wire.later.end());
  if (steps - 1 + later > kMostDelay)
    throw Error(fmt::format("{}: it takes {} steps; Lava's delay processes "
                            "hold at most {}",
                            label(wire), steps + later, kMostDelay + 1));
  if (steps == 0)
    return joinInput(sender, to.process, to.port, to.shape);
  if (steps != 1 || !addConvolution(wire, sender, to))
    addMatrix(wire, sender, to, steps);
}

} // namespace dendrolith::lava
