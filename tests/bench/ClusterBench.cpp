// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/cluster/Cluster.cpp.
// The partitioner alone on a study network or a reservoir, as one line of JSON:
// cores, km1 at the rates of the file's array `rate` (by neuron; 1 each where
// there is none), seconds and memory. Inputs count at rate 1, or not at all
// where the file has rates. README.md in compiler/mapping/cluster lists calls
// and what they print.

#include "compiler/import/study/File.h"
#include "compiler/mapping/cluster/Cluster.h"
#include "compiler/mapping/cluster/Order.h"
#include "compiler/mapping/cluster/Random.h"
#include "compiler/mapping/network/Permute.h"
#include "compiler/mapping/result/Verify.h"
#include "runtime/arrays/Npy.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "tests/bench/Reservoir.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <sys/resource.h>

using namespace dendrolith;

static MapProjection projectionOf(const study::Network &net, bool fromInput) {
  MapProjection p;
  p.fromInput = fromInput;
  const uint32_t first = fromInput ? 0 : net.inputs;
  const uint32_t end = fromInput ? net.inputs : net.inputs + net.neurons;
  const int64_t begin = net.begin[first];
  for (uint32_t s = first; s <= end; ++s)
    p.begin.push_back(uint64_t(net.begin[s] - begin));
  std::vector<std::pair<int32_t, int16_t>> row;
  for (uint32_t s = first; s < end; ++s) {
    row.clear();
    for (int64_t i = net.begin[s]; i < net.begin[s + 1]; ++i)
      row.emplace_back(net.target[size_t(i)], net.weight[size_t(i)]);
    std::sort(row.begin(), row.end());
    for (auto [target, weight] : row) {
      p.accumulator.push_back(uint32_t(target));
      p.weight.push_back(weight);
    }
  }
  return p;
}

static MapNetwork load(const std::string &path) {
  MapNetwork network;
  {
    study::Network net =
        study::readNetwork(readFile(path, uint64_t(1) << 34), path);
    MapPopulation population;
    population.name = "neurons";
    population.size = net.neurons;
    network.populations.push_back(population);
    network.inputs.push_back({"in", net.inputs, {}});
    for (bool fromInput : {true, false})
      network.projections.push_back(projectionOf(net, fromInput));
  }
  std::vector<std::string> names = listNpz(path);
  if (std::find(names.begin(), names.end(), "rate") == names.end())
    return network;
  const Array rate = loadNpz(path, {"rate"}).at("rate");
  network.populationRate.emplace_back();
  for (uint64_t i = 0; i < rate.size(); ++i)
    network.populationRate[0].push_back(rate.value(i));
  network.inputRate = {std::vector<double>(network.inputs[0].size, 0)};
  return network;
}

static double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

/// N neurons, or as many as `N:FANOUT` says.
static MapNetwork reservoirOf(const std::string &text) {
  size_t end = 0;
  const unsigned long size = std::stoul(text, &end);
  const double fanOut =
      end < text.size() ? std::stod(text.substr(end + 1)) : 128;
  return reservoir(uint32_t(size), fanOut, 192);
}

struct Which {
  std::string path, reservoir, target = "loihi1";
  bool shuffled = false;
};

static int partition(const Which &which, const ClusterOptions &options) {
  const Target target = Target::load(which.target);
  auto begin = std::chrono::steady_clock::now();
  MapNetwork network =
      which.reservoir.empty() ? load(which.path) : reservoirOf(which.reservoir);
  if (which.shuffled)
    network =
        permute(std::move(network),
                {cluster::shuffled(network.populations[0].size, options.seed)});
  check(network);
  const std::string &path =
      which.reservoir.empty() ? which.path : which.reservoir;
  nlohmann::ordered_json line = {{"network", path}, {"target", target.name}};
  line["synapses"] = network.projections.back().accumulator.size();
  line["made_seconds"] = secondsSince(begin);
  auto start = std::chrono::steady_clock::now();
  Fit<Clusters> found = clusterNeurons(network, target, options);
  line["seconds"] = secondsSince(start);
  if (found) {
    line["cores"] = found->cores;
    line["km1"] = found->km1;
    start = std::chrono::steady_clock::now();
    network = permute(std::move(network), orderOf(network, target, *found),
                      options.threads);
    line["permute_seconds"] = secondsSince(start);
    auto fit = verify(network, target, slicesOf(network, *found));
    line["verified"] = fit ? "yes" : fit.misfit().message;
  } else {
    line["misfit"] = found.misfit().message;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  line["cpu_seconds"] =
      double(usage.ru_utime.tv_sec) + double(usage.ru_utime.tv_usec) * 1e-6;
  line["peak_mb"] = usage.ru_maxrss / 1024;
  std::printf("%s\n", line.dump().c_str());
  return found ? 0 : 1;
}

int main(int argc, char **argv) {
  CLI::App app("Groups the neurons of a study network");
  Which which;
  ClusterOptions options;
  auto *file = app.add_option("network", which.path, "NAME.npz");
  app.add_option("--reservoir", which.reservoir,
                 "NEURONS:FANOUT of a reservoir that is made")
      ->excludes(file);
  app.add_flag("--shuffle", which.shuffled, "Numbers neurons at random");
  app.add_option("--target", which.target)->capture_default_str();
  app.add_option("--cores", options.cores, "0 = as few as are found")
      ->capture_default_str();
  app.add_option("--seed", options.seed)->capture_default_str();
  app.add_option("--effort", options.effort, "Times the usual sweeps")
      ->check(CLI::Range(0.1, 100.0))
      ->capture_default_str();
  app.add_option("--threads", options.threads)
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  app.add_option("--work-cap", options.workCap, "Times the mean work; 0 = any")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return partition(which, options);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
