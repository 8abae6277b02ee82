// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/agreement/RandomNetwork.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <random>

namespace dendrolith::test {
namespace {

class NetworkGenerator {
public:
  NetworkGenerator(uint32_t seed, const RandomNetworkOptions &options)
      : options(options), random(seed) {}

  RandomNetwork run() {
    uint64_t inputCount = below(2) + 1;
    for (uint64_t i = 0; i < inputCount; ++i)
      makeInput(i);
    uint64_t count = below(5) + 1;
    for (uint64_t p = 0; p < count; ++p)
      makePopulation(p, p + 1 == count);
    for (uint64_t p = 0; p < count; ++p)
      connectInto(p);
    if (options.loops && below(2))
      closeLoops();
    network.text =
        "module {\n  dend.network @random {\n    dend.clock @step\n" + body +
        "  }\n}\n";
    return std::move(network);
  }

private:
  enum Kind { CubaLif, Lif, Threshold, ReadOut };
  struct Population {
    Kind kind;
    uint64_t size;
  };

  uint64_t below(uint64_t n) { return random() % n; }
  double uniform(double low, double high) {
    return low + (high - low) * double(random() >> 11) / double(1u << 21);
  }
  std::string number(double value) { return fmt::format("{:.17e}", value); }

  /// A constant of one shared value, or of n values; returns the binding.
  std::string bind(const std::string &name, uint64_t n, bool perNeuron,
                   const std::function<double()> &draw) {
    std::string values = number(draw());
    if (perNeuron) {
      for (uint64_t i = 1; i < n; ++i)
        values += ", " + number(draw());
      values = "[" + values + "]";
    }
    body += fmt::format("    dend.constant @{0} : tensor<{1}f64> = dense<{2}> "
                        ": tensor<{1}f64>\n",
                        name, perNeuron ? std::to_string(n) + "x" : "", values);
    return "@" + name;
  }

  void makeInput(uint64_t i) {
    uint64_t size = below(8) + 1;
    std::string name = fmt::format("x{}", i);
    body += fmt::format("    dend.input @{} on @step : tensor<{}xf64> as "
                        "!dend.spike<graded>\n",
                        name, size);
    double rate = uniform(0.05, 0.7);
    Samples samples;
    samples.samples = 3;
    samples.steps = steps;
    samples.shape = {size};
    std::vector<double> values(3 * steps * size);
    for (double &spike : values) {
      spike = uniform(0, 1) < rate;
      if (options.gradedInputs && spike != 0)
        spike = double(below(7)) - 3;
    }
    samples.values = std::move(values);
    network.inputs[name] = std::move(samples);
    inputSize.push_back(size);
  }

  void makePopulation(uint64_t p, bool last) {
    Population population{last && below(2) ? ReadOut : Kind(below(3)),
                          below(12) + 1};
    std::string name = fmt::format("p{}", p);
    bool perNeuron = below(3) == 0;
    auto per = perNeuron ? " per_neuron" : "";
    std::string bindings, params, ops, states,
        emit = "%s : i1", output = "s : !dend.spike<binary>";
    auto param = [&](const char *key, double low, double high) {
      bindings += (bindings.empty() ? "" : ", ") + std::string(key) + " = " +
                  bind(name + "." + key, population.size, perNeuron,
                       [&] { return uniform(low, high); });
      params +=
          (params.empty() ? "%" : ", %") + std::string(key) + " : f64" + per;
    };
    if (population.kind == Threshold) {
      param("theta", -0.5, 1.0);
      ops =
          "      %s, %n = dend.fire %I, %theta reset none : (f64, f64) -> (i1, "
          "f64)\n      dend.yield emit(%s : i1)\n";
    } else {
      std::string drive = "%I";
      if (population.kind == CubaLif ||
          (population.kind == ReadOut && below(2))) {
        param("ki", 0.0, 0.9);
        states = "%i : f64 reset sample, ";
        ops = "      %i1 = dend.compartment %i drive %I keep %ki : (f64, f64, "
              "f64) -> f64\n";
        drive = "%i1";
      }
      // Exactly 0 and 1 are the ends of the decay's range.
      double ends[] = {0.0, 1.0};
      bool end = below(4) == 0 && population.kind != ReadOut;
      double which = ends[below(2)];
      param("kv", end ? which : 0.3, end ? which : 0.98);
      param("gain", 0.2, 1.5);
      param("off", -0.1, 0.1);
      states += "%v : f64 reset sample";
      ops += "      %v1 = dend.compartment %v drive " + drive +
             " keep %kv gain %gain offset %off : (f64, f64, f64, f64, f64) -> "
             "f64\n";
      std::string next = "%v1";
      if (population.kind != ReadOut) {
        param("theta", 0.5, 2.0);
        param("to", -0.4, 0.3);
        ops +=
            "      %s, %v2 = dend.fire %v1, %theta reset value to %to : (f64, "
            "f64, f64) -> (i1, f64)\n";
        next = "%v2";
      } else {
        emit = "%v1 : f64";
        output = "v : !dend.spike<graded>";
      }
      bool synaptic = drive == "%i1";
      ops += fmt::format("      dend.yield states({}{} : {}f64) emit({})\n",
                         synaptic ? "%i1, " : "", next, synaptic ? "f64, " : "",
                         emit);
    }
    body += fmt::format(
        "    dend.neuron @{0}.model ports(%I : f64) params({1}) "
        "{2}outputs({3}) {{\n{4}    }}\n",
        name, params, states.empty() ? "" : "states(" + states + ") ", output,
        ops);
    body +=
        fmt::format("    dend.population @{0} : @{0}.model[{1}] on @step bind "
                    "{{{2}}}\n",
                    name, population.size, bindings);
    body += fmt::format("    dend.output @out{0} = {1} @{2}[\"{3}\"]\n", p,
                        population.kind == ReadOut ? "probe" : "", name,
                        population.kind == ReadOut ? "v" : "s");
    populations.push_back(population);
  }

  void project(const std::string &from, uint64_t sources, uint64_t p,
               uint64_t delay) {
    if (options.synapseDelays)
      return projectDelayed(from, sources, p, delay);
    uint64_t targets = populations[p].size;
    std::string name = fmt::format("w{}", projections++);
    double size = 2.5 / std::sqrt(double(sources));
    std::string kind = "dense", shape = fmt::format("{}x{}", targets, sources);
    uint64_t count = targets * sources;
    std::string indices, extra;
    if (sources == targets && below(3) == 0) {
      kind = "diagonal";
      count = targets;
      shape = std::to_string(count);
    } else if (below(3) == 0) {
      kind = "sparse";
      count = 0;
      for (uint64_t s = 0; s < sources; ++s)
        for (uint64_t t = 0; t < targets; ++t)
          if (below(4) == 0) {
            indices += fmt::format("{}[{}, {}]", count ? ", " : "", t, s);
            ++count;
          }
      if (!count)
        return;
      shape = std::to_string(count);
      body += fmt::format("    dend.constant @{0}.at : tensor<{1}x2xi32> = "
                          "dense<[{2}]> : tensor<{1}x2xi32>\n",
                          name, count, indices);
      extra = fmt::format(" indices @{}.at", name);
    }
    bool oneSign = below(4) == 0;
    std::string values;
    for (uint64_t k = 0; k < count; ++k)
      values +=
          (k ? ", " : "") +
          number(below(8) == 0 ? 0.0 : uniform(oneSign ? 0.0 : -size, size));
    // Element lists are flat here; nested ones follow the shape.
    if (kind == "dense") {
      std::string nested;
      size_t at = 0;
      for (uint64_t t = 0; t < targets; ++t) {
        size_t end = at;
        for (uint64_t s = 0; s < sources; ++s)
          end = values.find(',', end) == std::string::npos
                    ? values.size()
                    : values.find(',', end) + 1;
        std::string row = values.substr(at, end - at);
        if (!row.empty() && row.back() == ',')
          row.pop_back();
        nested += (t ? ", [" : "[") + row + "]";
        at = end;
      }
      values = nested;
    }
    body +=
        fmt::format("    dend.constant @{0} : tensor<{1}xf64> = dense<[{2}]> "
                    ": tensor<{1}xf64>\n",
                    name, shape, values);
    std::string bias;
    if (below(3) == 0)
      bias = " bias " + bind(name + ".b", targets, true,
                             [&] { return uniform(-0.2, 0.3); });
    body += fmt::format("    dend.project @{}{} -> @p{}[\"I\"] #dend.{} weight "
                        "@{}{}{} delay {}\n",
                        from, from[0] == 'p' ? "[\"s\"]" : "", p, kind, name,
                        extra, bias, delay);
  }

  /// Synapses with delays of their own: a projection for each delay. Now and
  /// then two join the same ends.
  void projectDelayed(const std::string &from, uint64_t sources, uint64_t p,
                      uint64_t delay) {
    constexpr uint64_t delays = 4;
    const double size = 2.5 / std::sqrt(double(sources));
    const bool dense = below(2);
    std::string values[delays], places[delays];
    uint64_t count[delays] = {};
    for (uint64_t s = 0; s < sources; ++s)
      for (uint64_t t = 0; t < populations[p].size; ++t)
        for (uint64_t d = below(delays), more = dense || below(2); more > 0;
             d = (d + 1) % delays, more = below(12) == 0) {
          const char *comma = count[d]++ ? ", " : "";
          places[d] += fmt::format("{}[{}, {}]", comma, t, s);
          values[d] += comma + number(uniform(size / 2, size) *
                                      (below(3) == 0 ? -1 : 1));
        }
    for (uint64_t d = 0; d < delays; ++d) {
      if (!count[d])
        continue;
      const std::string name = fmt::format("w{}", projections++);
      body +=
          fmt::format("    dend.constant @{0} : tensor<{1}xf64> = "
                      "dense<[{2}]> : tensor<{1}xf64>\n"
                      "    dend.constant @{0}.at : tensor<{1}x2xi32> = "
                      "dense<[{3}]> : tensor<{1}x2xi32>\n"
                      "    dend.project @{4}{5} -> @p{6}[\"I\"] #dend.sparse "
                      "weight @{0} indices @{0}.at delay {7}\n",
                      name, count[d], values[d], places[d], from,
                      from[0] == 'p' ? "[\"s\"]" : "", p, delay + 3 * d);
    }
  }

  void connectInto(uint64_t p) {
    for (uint64_t i = 0; i < inputSize.size(); ++i)
      if (p == 0 || below(3) == 0)
        project(fmt::format("x{}", i), inputSize[i], p,
                below(4) / 3 * below(4));
    for (uint64_t q = 0; q < p; ++q)
      if (populations[q].kind != ReadOut && (q + 1 == p || below(3) == 0))
        project(fmt::format("p{}", q), populations[q].size, p,
                below(3) == 0 ? below(4) : 0);
  }

  void closeLoops() {
    for (uint64_t p = 0; p < populations.size(); ++p)
      for (uint64_t q = 0; q <= p; ++q)
        if (populations[p].kind != ReadOut && below(3) == 0) {
          project(fmt::format("p{}", p), populations[p].size, q, 1 + below(2));
          network.needsGating = network.needsGating || q != p;
        }
  }

  static constexpr uint64_t steps = 24;
  RandomNetworkOptions options;
  std::mt19937 random;
  RandomNetwork network;
  std::string body;
  std::vector<uint64_t> inputSize;
  std::vector<Population> populations;
  uint64_t projections = 0;
};

} // namespace

RandomNetwork randomNetwork(uint32_t seed,
                            const RandomNetworkOptions &options) {
  return NetworkGenerator(seed, options).run();
}

} // namespace dendrolith::test
