// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/study/Study.h"

#include "compiler/import/study/File.h"
#include "compiler/import/study/Meta.h"
#include "dialects/dend/Constants.h"
#include "dialects/dend/Dend.h"
#include "dialects/dend/SampledTicks.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <numeric>
#include <set>

using namespace mlir;

namespace dendrolith {
namespace {

// decay_u = 4095 forgets u at once: v gets the input of this step alone. A
// column has a bias for each neuron, which is added to the text later.
constexpr const char *kNoBias =
    "  dend.constant @bias : tensor<i32> = dense<0> : tensor<i32>\n";
constexpr const char *kNetwork = R"(dend.network @study {{
  dend.clock @step
  dend.input @in on @step : tensor<{inputs}xf64> as !dend.spike<binary>
  dend.constant @decay_u : tensor<i32> = dense<{decay_u}> : tensor<i32>
  dend.constant @decay_v : tensor<i32> = dense<{leak}> : tensor<i32>
  dend.constant @threshold : tensor<i32> = dense<{threshold}> : tensor<i32>
{bias}  dend.neuron @lif_neuron ports(%I : !dend.fx<64, 0>)
      params(%decay_u : i32, %decay_v : i32, %threshold : i32, %bias : i32{per})
      states(%u : !dend.fx<32, 0> reset sample,
             %v : !dend.fx<32, 0> reset sample, %r : i32 reset sample)
      outputs(s : !dend.spike<binary>) {{
    %s, %u1, %v1, %r1 = dend.cuba %I, %u, %v, %r decay %decay_u, %decay_v
        threshold %threshold bias %bias{held}
        : (!dend.fx<64, 0>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32,
           i32, i32) -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
    dend.yield states(%u1, %v1, %r1 : !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
        emit(%s : i1)
  }}
  dend.population @lif : @lif_neuron[{neurons}] on @step
      bind {{decay_u = @decay_u, decay_v = @decay_v, threshold = @threshold,
             bias = @bias}}
}}
)";

class StudyBuilder {
public:
  StudyBuilder(dend::NetworkOp network)
      : builder(OpBuilder::atBlockEnd(&network.getBody().front())) {}

  template <typename T>
  ElementsAttr vector(const std::string &name, std::vector<T> values,
                      int64_t columns = 1) {
    SmallVector<int64_t> shape{int64_t(values.size()) / columns};
    if (columns > 1)
      shape.push_back(columns);
    auto type =
        RankedTensorType::get(shape, builder.getIntegerType(8 * sizeof(T)));
    return dend::takeElements(type, name, std::move(values));
  }

  ElementsAttr reals(const std::string &name, const std::vector<double> &all) {
    auto type =
        RankedTensorType::get({int64_t(all.size())}, builder.getF64Type());
    return dend::makeElements(type, name, all);
  }
  ElementsAttr integers(const std::string &name,
                        const std::vector<int64_t> &all) {
    auto type =
        RankedTensorType::get({int64_t(all.size())}, builder.getI64Type());
    return dend::makeElements(type, name, all);
  }

  /// `part` tells projections of one source apart.
  void project(const std::string &source, const std::string &part,
               study::Synapses synapses, int16_t delay, int16_t shift) {
    if (synapses.weight.empty())
      return;
    const std::string name = source + part;
    auto weight = constant(
        name + ".weight", vector(name + ".weight", std::move(synapses.weight)));
    auto indices =
        constant(name + ".indices",
                 vector(name + ".indices", std::move(synapses.indices), 2));
    dend::ProjectOp::create(
        builder, loc, symbol(source),
        source == "in" ? StringAttr() : builder.getStringAttr("s"),
        symbol("lif"), builder.getStringAttr("I"),
        dend::SparseAttr::get(builder.getContext()), weight, indices,
        FlatSymbolRefAttr(), builder.getI64IntegerAttr(delay),
        builder.getI64IntegerAttr(shift));
  }

  FlatSymbolRefAttr constant(const std::string &name, ElementsAttr values) {
    dend::ConstantOp::create(builder, loc, builder.getStringAttr(name),
                             TypeAttr::get(values.getType()), values,
                             StringAttr(), DenseI64ArrayAttr());
    return symbol(name);
  }

private:
  FlatSymbolRefAttr symbol(const std::string &name) {
    return FlatSymbolRefAttr::get(builder.getContext(), name);
  }

  OpBuilder builder;
  Location loc = builder.getUnknownLoc();
};

/// Leaves what a calibration run would: the file says who spikes when.
void noteActivity(dend::NetworkOp network, const study::Stimulus &stimulus,
                  const study::Layout &layout, StudyBuilder &builder) {
  const SampledTicks sampled(1, stimulus.steps);
  std::vector<uint32_t> rank(layout.numbers.size());
  for (size_t n = 0; n < rank.size(); ++n)
    rank[size_t(layout.numbers[n])] = uint32_t(n);
  auto note = [&](auto op, const study::Raster &raster, uint32_t size,
                  const std::vector<uint32_t> *order) {
    std::vector<double> rates(size);
    std::vector<int64_t> ticks(size);
    for (size_t i = 0; i < raster.size(); ++i) {
      size_t id = order ? (*order)[size_t(raster.id[i])] : size_t(raster.id[i]);
      rates[id] += 1.0 / double(stimulus.steps);
      if (auto bit = sampled.bitOf(uint64_t(raster.step[i]) - 1))
        ticks[id] |= int64_t(uint64_t(1) << *bit);
    }
    op.setRatesAttr(builder.reals((op.getSymName() + ".rates").str(), rates));
    op.setActivityAttr(
        builder.integers((op.getSymName() + ".activity").str(), ticks));
  };
  note(*network.getOps<dend::InputOp>().begin(), stimulus.in, stimulus.inputs,
       nullptr);
  note(*network.getOps<dend::PopulationOp>().begin(), stimulus.expected,
       stimulus.neurons, &rank);
  network.setSampled(ArrayRef<int64_t>{int64_t(sampled.samples()),
                                       int64_t(sampled.ticksOfEach())});
}

/// Leaves the rates that the file expects, where no spikes are known.
void noteRates(dend::NetworkOp network, const study::Meta &net,
               const study::Stimulus &stimulus, StudyBuilder &builder) {
  std::vector<double> neurons;
  for (const study::Range &range : net.populations)
    neurons.insert(neurons.end(), range.size, range.rate);
  const std::vector<double> inputs(net.inputs, double(stimulus.in.size()) /
                                                   double(stimulus.steps) /
                                                   double(net.inputs));
  (*network.getOps<dend::InputOp>().begin())
      .setRatesAttr(builder.reals("in.rates", inputs));
  (*network.getOps<dend::PopulationOp>().begin())
      .setRatesAttr(builder.reals("lif.rates", neurons));
}

/// Adds the synapses of inputs or neurons: a projection for each delay and
/// shift.
void projectAll(StudyBuilder &builder, const study::Network &net,
                const study::Waits &waits, const study::Layout &layout,
                bool inputs, const std::string &path) {
  const uint32_t first = inputs ? 0 : net.inputs,
                 count = inputs ? net.inputs : net.neurons;
  const std::string name = inputs ? "in" : "lif";
  if (waits.delay.empty())
    return builder.project(
        name, "",
        layout.synapses(first, count, path, [](uint32_t) { return true; }), 1,
        study::kFractionBits);
  std::set<std::pair<int16_t, int16_t>> kinds;
  for (uint32_t s = first; s < first + count; ++s)
    kinds.emplace(waits.delay[s], waits.shift[s]);
  for (const auto &kind : kinds)
    builder.project(name, fmt::format(".d{}s{}", kind.first, kind.second),
                    layout.synapses(first, count, path,
                                    [&](uint32_t s) {
                                      return waits.delay[s] == kind.first &&
                                             waits.shift[s] == kind.second;
                                    }),
                    kind.first, kind.second);
}

} // namespace

ImportedModel importStudy(MLIRContext &context, const InputFile &file,
                          const std::string &path) {
  context.getOrLoadDialect<dend::DendDialect>();
  // What one of these has read of the file is gone before the next begins.
  const study::Network net = study::readNetwork(zip::Bytes(file), path);
  const study::Meta meta = study::readMeta(path);
  const study::Waits waits = study::readWaits(zip::Bytes(file), path);
  study::Layout layout(net);
  if (!meta.column)
    layout.checkPotentials(path);
  ImportedModel model;
  model.name = std::filesystem::path(path).stem().string();
  model.complete = true;
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  model.module = parseSourceString<ModuleOp>(
      fmt::format(
          kNetwork, fmt::arg("inputs", net.inputs),
          fmt::arg("neurons", net.neurons), fmt::arg("leak", net.leak),
          fmt::arg("threshold", net.threshold << study::kFractionBits),
          fmt::arg("decay_u", meta.decayU),
          fmt::arg("bias", meta.column ? "" : kNoBias),
          fmt::arg("per", meta.column ? " per_neuron" : ""),
          fmt::arg("held", meta.refractory
                               ? fmt::format(" {{refractory = {} : i64}}",
                                             meta.refractory)
                               : "")),
      config);
  auto network = *model.module->getOps<dend::NetworkOp>().begin();
  network.setSymName(model.name);
  // Lines of a text that nobody has would only mislead.
  model.module->walk(
      [&](Operation *op) { op->setLoc(UnknownLoc::get(&context)); });
  StudyBuilder builder(network);
  projectAll(builder, net, waits, layout, /*inputs=*/true, path);
  projectAll(builder, net, waits, layout, /*inputs=*/false, path);
  auto population = *network.getOps<dend::PopulationOp>().begin();
  const study::Stimulus stimulus = study::readStimulus(zip::Bytes(file), path);
  if (meta.column) {
    std::vector<int32_t> bias;
    for (const study::Range &range : meta.populations)
      bias.insert(bias.end(), range.size, range.bias);
    builder.constant("bias", builder.vector("bias", std::move(bias)));
    noteRates(network, meta, stimulus, builder);
    return model;
  }
  noteActivity(network, stimulus, layout, builder);
  population.setNumbersAttr(builder.vector("lif.numbers", layout.numbers));
  population.setCoresAttr(builder.vector("lif.cores", layout.cores));
  return model;
}

} // namespace dendrolith

namespace dendrolith::study {

Layout::Layout(const Network &net) : net(net), rank(net.neurons) {
  if (net.core.empty()) {
    numbers.resize(net.neurons);
    std::iota(numbers.begin(), numbers.end(), 0);
    rank = numbers;
    cores.resize(net.neurons);
    return;
  }
  // A counting sort by core, which is stable: neurons of a core keep their
  // order.
  std::vector<uint32_t> next(net.cores + 1);
  for (uint32_t n = 0; n < net.neurons; ++n)
    ++next[net.core[net.inputs + n] + 1];
  for (uint32_t c = 0; c < net.cores; ++c)
    next[c + 1] += next[c];
  numbers.resize(net.neurons);
  cores.resize(net.neurons);
  for (uint32_t n = 0; n < net.neurons; ++n) {
    int32_t core = net.core[net.inputs + n];
    uint32_t at = next[core]++;
    rank[n] = int32_t(at);
    numbers[at] = int32_t(n);
    cores[at] = core;
  }
}

void Layout::checkPotentials(const std::string &path) const {
  constexpr int64_t most = (int64_t(1) << 23) - 1;
  // A weight is added to the sum upwards or downwards without a branch, because
  // signs are as good as random.
  std::vector<std::array<int64_t, 2>> sums(net.neurons);
  for (size_t k = 0; k < net.target.size(); ++k)
    sums[net.target[k]][net.weight[k] < 0] += net.weight[k];
  for (uint32_t n = 0; n < net.neurons; ++n) {
    const auto [up, down] = sums[n];
    // The worst case is that all sources spike at once and, for the potential,
    // in every step. What is above the threshold is reset, so only the way down
    // adds up.
    int64_t high = up << kFractionBits, low = -down * 64;
    bool fits = high <= most && low <= most;
    bool state = low == 0 || (net.leak > 0 && low * 4096 / net.leak <= most);
    if (!fits || !state)
      throw Error(fmt::format(
          "{}: neuron {}: expected a potential within 24 bits of 1/64, found "
          "weights of +{} and {} in all at a leak of {}/4096: what leaves them "
          "would no longer be the file's integers; use smaller or fewer "
          "weights, or a larger leak",
          path, n, up, down, net.leak));
  }
}

Synapses
Layout::synapses(uint32_t first, uint32_t count, const std::string &path,
                 const std::function<bool(uint32_t source)> &wanted) const {
  Synapses out;
  size_t size = 0;
  for (uint32_t source = first; source < first + count; ++source)
    if (wanted(source))
      size += size_t(net.begin[source + 1] - net.begin[source]);
  out.indices.resize(2 * size);
  out.weight.resize(size);
  std::vector<std::pair<int32_t, int16_t>> row;
  std::vector<uint32_t> next(net.cores + 1);
  size_t at = 0; // the source's first
  auto put = [&](size_t k, int32_t target, uint32_t source, int16_t weight) {
    out.indices[2 * (at + k)] = target;
    out.indices[2 * (at + k) + 1] = int32_t(source);
    out.weight[at + k] = weight;
  };
  for (uint32_t source = 0; source < count; ++source) {
    uint32_t from = first + (first ? uint32_t(numbers[source]) : source);
    if (!wanted(from))
      continue;
    const int64_t begin = net.begin[from], end = net.begin[from + 1];
    row.resize(size_t(end - begin));
    for (int64_t k = begin; k < end; ++k)
      row[size_t(k - begin)] = {rank[net.target[k]], net.weight[k]};
    bool rising = true;
    for (int64_t k = begin + 1; k < end; ++k)
      rising &= net.target[k] > net.target[k - 1];
    if (rising && row.size() * 8 > net.cores) {
      // Sorting by core is enough: within a core, new numbers rise as the old
      // ones do.
      std::fill(next.begin(), next.end(), 0);
      for (auto [target, weight] : row)
        ++next[cores[target] + 1];
      for (uint32_t c = 0; c < net.cores; ++c)
        next[c + 1] += next[c];
      for (auto [target, weight] : row)
        put(next[cores[target]]++, target, source, weight);
    } else {
      std::sort(row.begin(), row.end());
      for (size_t k = 0; k < row.size(); ++k) {
        const auto [target, weight] = row[k];
        if (k > 0 && target == row[k - 1].first)
          throw Error(
              fmt::format("{}: 'col': source {} reaches neuron {} by two "
                          "synapses; add their weights",
                          path, from, numbers[target]));
        put(k, target, source, weight);
      }
    }
    at += row.size();
  }
  return out;
}

} // namespace dendrolith::study
