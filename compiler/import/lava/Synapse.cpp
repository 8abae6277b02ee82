// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/lava/Synapse.h"

#include "compiler/lava/Array.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <set>
#include <tuple>

namespace dendrolith::lava {

namespace {

constexpr int64_t kMostDelay = 63;
constexpr Range kExponents{-31, 31};
// Kernels, strides and paddings are bytes in Lava.
constexpr int64_t kMostExtent = 127;
constexpr double kMostSynapses = 1 << 28; // of a convolution

const std::vector<std::string> &classes() {
  static const std::vector<std::string> all{
      "lava.proc.dense.process.Dense", "lava.proc.dense.process.DelayDense",
      "lava.proc.sparse.process.Sparse", "lava.proc.sparse.process.DelaySparse",
      "lava.proc.conv.process.Conv"};
  return all;
}

std::optional<SignMode> signMode(Kwargs &kwargs) {
  std::optional<int64_t> mode = kwargs.member("sign_mode", kSignModes);
  return mode ? std::optional(SignMode(*mode)) : std::nullopt;
}

bool isBinary(Kwargs &kwargs) {
  return kwargs.integer("num_message_bits", 0, {0, 32}) == 0;
}

/// Delay of the weight in row r and column c; 0 where a sparse matrix has none.
int64_t delayAt(const Array &delays, uint64_t r, uint64_t c) {
  if (!delays.isSparse)
    return delays.integers[r * delays.dims[1] + c];
  auto begin = delays.columns.begin() + delays.rows[r],
       end = delays.columns.begin() + delays.rows[r + 1];
  auto found = std::lower_bound(begin, end, int32_t(c));
  return found != end && *found == int32_t(c)
             ? delays.integers[size_t(found - delays.columns.begin())]
             : 0;
}

void readDelays(Kwargs &kwargs, const Process &process, Synapse &synapse) {
  const Value &value = process.kwargs().at("delays");
  if (value.kind_case() != Value::kTensor) {
    synapse.delays = {kwargs.integer("delays", std::nullopt, {0, kMostDelay})};
  } else {
    Array delays = kwargs.array("delays");
    const Array &weights = synapse.weights;
    if (delays.isReal)
      kwargs.fail("delays", "integers", "a tensor of reals");
    if (delays.size() == 1 && !delays.isSparse)
      delays.dims = {};
    else if (delays.dims != weights.dims)
      kwargs.fail("delays", "the shape of weights, " + shapeText(weights.dims),
                  shapeText(delays.dims));
    for (int64_t delay : delays.integers)
      if (delay < 0 || delay > kMostDelay)
        kwargs.fail("delays", fmt::format("0 to {} steps", kMostDelay),
                    fmt::format("{}", delay));
    if (delays.dims.empty() || (!delays.isSparse && !weights.isSparse)) {
      synapse.delays = std::move(delays.integers);
    } else {
      synapse.delays.reserve(weights.size());
      for (uint64_t r = 0; r < weights.dims[0]; ++r)
        if (weights.isSparse)
          for (int64_t k = weights.rows[r]; k < weights.rows[r + 1]; ++k)
            synapse.delays.push_back(
                delayAt(delays, r, uint64_t(weights.columns[size_t(k)])));
        else
          for (uint64_t c = 0; c < weights.dims[1]; ++c)
            synapse.delays.push_back(delayAt(delays, r, c));
    }
  }
  int64_t most = kwargs.integer("max_delay", 0, {0, kMostDelay});
  int64_t found =
      synapse.delays.empty()
          ? 0
          : *std::max_element(synapse.delays.begin(), synapse.delays.end());
  if (most && found > most)
    kwargs.fail("max_delay",
                fmt::format("at least the longest delay, {}", found),
                fmt::format("{}", most));
}

Synapse readMatrix(Kwargs &kwargs, const Process &process, bool delayed) {
  Synapse synapse;
  synapse.weights = kwargs.array("weights");
  const Array &weights = synapse.weights;
  if (weights.dims.size() != 2)
    kwargs.fail("weights", "two dims (targets x sources)",
                shapeText(weights.dims));
  int64_t bits = kwargs.integer("num_weight_bits", 8, {1, 8});
  synapse.exponent = int(kwargs.integer("weight_exp", 0, kExponents));
  synapse.binary = isBinary(kwargs);
  prepareWeights(synapse.weights, signMode(kwargs), int(bits),
                 kwargs.name("weights"));
  synapse.outShape = {weights.dims[0]};
  synapse.inShape = {weights.dims[1]};
  if (delayed && !kwargs.has("delays"))
    kwargs.integer("delays", std::nullopt, {0, kMostDelay}); // says so
  if (delayed)
    readDelays(kwargs, process, synapse);
  return synapse;
}

Synapse readConv(Kwargs &kwargs) {
  Synapse synapse;
  Array kernel = kwargs.array("weight");
  if (kernel.isSparse || kernel.dims.size() != 4)
    kwargs.fail("weight", "four dims (Cout, kx, ky, Cin/groups)",
                shapeText(kernel.dims));
  castWeights(kernel, kwargs.name("weight"));
  std::vector<int64_t> in =
      kwargs.tuple("input_shape", std::nullopt, 3, {1, 1 << 20});
  auto pair = [&](const char *key, int64_t usual, int64_t least) {
    std::vector<int64_t> xy = kwargs.tuple(key, usual, 2, {least, kMostExtent});
    return std::array<int64_t, 2>{xy[1], xy[0]}; // (y, x), as dend has them
  };
  dend::Window window;
  window.input = {in[2], in[1], in[0]};
  window.stride = pair("stride", 1, 1);
  window.dilation = pair("dilation", 1, 1);
  auto [py, px] = pair("padding", 0, 0);
  window.padding = {py, px, py, px};
  window.groups = kwargs.integer("groups", 1, {1, kMostExtent});
  window.channels = int64_t(kernel.dims[0]);
  int64_t kx = int64_t(kernel.dims[1]), ky = int64_t(kernel.dims[2]);
  window.kernel = {ky, kx};
  if (kx > kMostExtent || ky > kMostExtent)
    kwargs.fail("weight", fmt::format("a kernel of at most {}", kMostExtent),
                shapeText(kernel.dims));
  if (in[2] % window.groups || window.channels % window.groups)
    kwargs.fail("groups",
                fmt::format("a divisor of {} input and {} output channels",
                            in[2], window.channels),
                fmt::format("{}", window.groups));
  if (int64_t(kernel.dims[3]) != window.inPerGroup())
    kwargs.fail("weight",
                fmt::format("{} input channels per group", window.inPerGroup()),
                shapeText(kernel.dims));
  if (!window.output(0) || !window.output(1))
    kwargs.fail("weight",
                "a kernel within the padded input " +
                    fmt::format("{}", fmt::join(in, "x")),
                shapeText(kernel.dims));
  double synapses = double(window.targets()) * double(window.inPerGroup()) *
                    double(kx) * double(ky);
  if (synapses > kMostSynapses)
    kwargs.fail("weight", fmt::format("at most {:.0f} synapses", kMostSynapses),
                fmt::format("{:.0f}", synapses));
  // A true convolution: the kernel is turned by half a turn.
  Array &turned = synapse.weights;
  turned.dims = {kernel.dims[0], kernel.dims[3], kernel.dims[2],
                 kernel.dims[1]};
  turned.integers.resize(kernel.integers.size());
  size_t next = 0;
  for (int64_t k = 0; k < window.channels; ++k)
    for (int64_t c = 0; c < window.inPerGroup(); ++c)
      for (int64_t b = 0; b < ky; ++b)
        for (int64_t a = 0; a < kx; ++a)
          turned.integers[next++] = kernel.integers[size_t(
              ((k * kx + kx - 1 - a) * ky + ky - 1 - b) * window.inPerGroup() +
              c)];
  synapse.inShape = {uint64_t(in[0]), uint64_t(in[1]), uint64_t(in[2])};
  synapse.outShape = {uint64_t(window.output(1)), uint64_t(window.output(0)),
                      kernel.dims[0]};
  synapse.window = window;
  synapse.binary = isBinary(kwargs);
  // Lava takes these and does nothing with them.
  kwargs.integer("weight_exp", 0, kExponents);
  kwargs.integer("num_weight_bits", 8, {1, 8});
  signMode(kwargs);
  return synapse;
}

} // namespace

bool isSynapseClass(const std::string &lavaClass) {
  const auto &all = classes();
  return std::find(all.begin(), all.end(), lavaClass) != all.end();
}

std::string synapseClassNames() {
  return fmt::format("{}", fmt::join(classes(), ", "));
}

Synapse readSynapse(const Process &process, const std::string &place) {
  Kwargs kwargs(process, place);
  std::string name = className(process.lava_class());
  Synapse synapse =
      name == "Conv"
          ? readConv(kwargs)
          : readMatrix(kwargs, process, name.compare(0, 5, "Delay") == 0);
  kwargs.finish();
  elementCount(synapse.inShape, kwargs.name("input shape"));
  elementCount(synapse.outShape, kwargs.name("output shape"));
  return synapse;
}

std::vector<int16_t> takeSorted(SynapseEntries &entries,
                                std::vector<int32_t> &indices) {
  std::sort(entries.begin(), entries.end(),
            [](const SynapseEntry &a, const SynapseEntry &b) {
              return std::tie(a.source, a.target) <
                     std::tie(b.source, b.target);
            });
  std::vector<int16_t> weights;
  for (const SynapseEntry &entry : entries) {
    weights.push_back(int16_t(entry.weight));
    indices.push_back(int32_t(entry.target));
    indices.push_back(int32_t(entry.source));
  }
  return weights;
}

/// Calls use(target, source, weight) for the group's weights that are not 0;
/// those of a convolution by row of targets, with source 0.
template <typename F>
void DelayGroup::each(const Synapse &synapse, F use) const {
  const Array &weights = synapse.weights;
  auto visit = [&](uint64_t row, uint64_t column, size_t k) {
    int64_t own = synapse.delays.empty()       ? 0
                  : synapse.delays.size() == 1 ? synapse.delays[0]
                                               : synapse.delays[k];
    if (own == delay && weights.integers[k] != 0)
      use(row, column, int32_t(weights.integers[k]));
  };
  if (weights.isSparse) {
    for (uint64_t row = 0; row < weights.dims[0]; ++row)
      for (int64_t k = weights.rows[row]; k < weights.rows[row + 1]; ++k)
        visit(row, uint64_t(weights.columns[size_t(k)]), size_t(k));
    return;
  }
  size_t perRow = weights.integers.size() / weights.dims[0];
  for (size_t k = 0; k < weights.integers.size(); ++k)
    visit(k / perRow, synapse.window ? 0 : k % perRow, k);
}

unsigned DelayGroup::trailingZeros() const {
  return unsigned(__builtin_ctz(bits));
}

std::vector<double> DelayGroup::rowSums(const Synapse &synapse) const {
  std::vector<double> sums(synapse.weights.dims[0], 0);
  each(synapse, [&](uint64_t row, uint64_t, int32_t weight) {
    sums[row] += std::fabs(double(weight));
  });
  return sums;
}

SynapseEntries DelayGroup::entries(const Synapse &synapse) const {
  SynapseEntries all;
  if (synapse.window) {
    synapse.window->taps([&](int64_t target, int64_t source, int64_t weight) {
      int64_t value = synapse.weights.integers[size_t(weight)];
      if (value)
        all.push_back({uint32_t(target), uint32_t(source), int32_t(value)});
    });
    return all;
  }
  each(synapse, [&](uint64_t row, uint64_t column, int32_t weight) {
    all.push_back({uint32_t(row), uint32_t(column), weight});
  });
  return all;
}

std::vector<DelayGroup> delayGroupsOf(const Synapse &synapse) {
  std::set<int64_t> delays(synapse.delays.begin(), synapse.delays.end());
  if (delays.empty())
    delays.insert(0);
  std::vector<DelayGroup> groups;
  for (int64_t delay : delays) {
    DelayGroup group;
    group.delay = delay;
    group.whole = delays.size() == 1;
    group.each(synapse, [&](uint64_t, uint64_t, int32_t weight) {
      ++group.size;
      group.bits |= uint32_t(weight);
    });
    groups.push_back(group);
  }
  return groups;
}

} // namespace dendrolith::lava
