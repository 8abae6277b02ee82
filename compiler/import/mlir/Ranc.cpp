// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/mlir/Ranc.h"

#include "compiler/import/mlir/RancFiles.h"
#include "dialects/dend/Dend.h"
#include "runtime/host/Files.h"
#include "targets/loader/files/Discovery.h"
#include "targets/support/Sha256.h"
#include "targets/support/Text.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace dendrolith {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kFileBytes = uint64_t(1) << 28;

/// A constant of 32 bits, of which `columns` in a row where there are rows.
std::string constant(const std::string &name, const std::vector<int> &values,
                     size_t columns = 0) {
  std::string bytes;
  for (int value : values)
    for (unsigned byte = 0; byte < 4; ++byte)
      bytes += fmt::format("{:02X}",
                           static_cast<uint32_t>(value) >> (8 * byte) & 255);
  const std::string type =
      columns
          ? fmt::format("tensor<{}x{}xi32>", values.size() / columns, columns)
          : fmt::format("tensor<{}xi32>", values.size());
  return fmt::format("  dend.constant @{} : {} = dense<\"0x{}\"> : {}\n", name,
                     type, bytes, type);
}

/// Sparse synapses from one population to another: rows of target, source and
/// weight.
std::string synapses(const std::string &from, const std::string &to,
                     std::vector<std::array<int, 3>> rows, uint32_t delay) {
  if (rows.empty())
    return "";
  std::sort(rows.begin(), rows.end(), [](const auto &a, const auto &b) {
    return std::pair(a[1], a[0]) < std::pair(b[1], b[0]);
  });
  std::vector<int> weights, places;
  for (const auto &[target, source, weight] : rows) {
    weights.push_back(weight);
    places.insert(places.end(), {target, source});
  }
  const std::string name = fmt::format("{}_{}_{}", from, to, delay);
  return constant("w_" + name, weights) + constant("at_" + name, places, 2) +
         fmt::format("  dend.project @{} -> @{}[\"I\"] #dend.sparse weight "
                     "@w_{} indices @at_{} delay {}\n",
                     from, to, name, name, delay);
}

/// The neuron of targets/ranc, under another name and with a constant that its
/// potential starts at.
std::string neuronOf(const std::string &core) {
  const std::string chip = findTarget("ranc", "");
  const std::string file =
      (fs::path(chip).parent_path() / "neuron.mlir").string();
  const std::string text = readFile(file, kFileBytes);
  const std::string name = "@neuron ", start = "reset sample";
  const size_t begin = text.find("  dend.neuron " + name),
               end = text.find("\n  }\n", begin);
  if (begin == text.npos || end == text.npos)
    throw Error(file + ": expected the chip's dend.neuron @neuron, found none");
  std::string neuron = text.substr(begin, end + 5 - begin);
  neuron.replace(neuron.find(name), name.size(), "@neuron" + core + " ");
  const size_t at = neuron.find(start);
  return neuron.insert(at == neuron.npos ? neuron.size() : at + start.size(),
                       " init @start" + core);
}

std::string textOf(const ranc::Program &program) {
  std::string text = R"(dend.network @ranc {
  dend.clock @tick
  dend.neuron @axon ports(%I : !dend.fx<9, 0>) params() states(%v : !dend.fx<9, 0> reset sample)
      outputs(s : !dend.spike<binary>) {
    %zero = dend.literal 0 : i64 as !dend.fx<9, 0>
    %s = dend.cmp gt %I, %zero : (!dend.fx<9, 0>, !dend.fx<9, 0>) -> i1
    dend.yield states(%zero : !dend.fx<9, 0>) emit(%s : i1)
  }
)";
  std::string ends;
  std::map<std::tuple<size_t, std::string, uint32_t>,
           std::vector<std::array<int, 3>>>
      sent; // by core, target and delay
  const std::array<std::pair<const char *, int ranc::Neuron::*>, 6> fields = {
      {{"start", &ranc::Neuron::start},
       {"leak", &ranc::Neuron::leak},
       {"positive", &ranc::Neuron::positive},
       {"negative", &ranc::Neuron::negative},
       {"reset", &ranc::Neuron::reset},
       {"linear", &ranc::Neuron::linear}}};
  const std::set<size_t> fed = program.fedCores();
  text += fmt::format("  dend.population @bus : @axon[{}] on @tick\n",
                      program.axons);
  for (size_t c = 0; c < program.cores.size(); ++c) {
    const ranc::Core &core = program.cores[c];
    if (program.coreAt(
            {int64_t(c) % program.columns, int64_t(c) / program.columns}) != c)
      continue;
    std::string bind;
    for (const auto &[name, field] : fields) {
      std::vector<int> values;
      for (const ranc::Neuron &neuron : core.neurons)
        values.push_back(neuron.*field);
      text += constant(name + std::to_string(c), values);
      if (field != &ranc::Neuron::start)
        bind += fmt::format("{}{} = @{}{}", bind.empty() ? "" : ", ", name,
                            name, c);
    }
    text += neuronOf(std::to_string(c));
    text += fmt::format("  dend.population @a{0} : @axon[{1}] on @tick\n"
                        "  dend.population @n{0} : @neuron{0}[{2}] on @tick "
                        "bind {{{3}}}\n",
                        c, program.axons, core.neurons.size(), bind);
    std::vector<std::array<int, 3>> rows;
    for (size_t n = 0; n < core.neurons.size(); ++n) {
      const ranc::Neuron &neuron = core.neurons[n];
      for (int axon : neuron.connected)
        rows.push_back(
            {int(n), axon, neuron.weights[core.types[size_t(axon)]]});
      const ranc::Place place = program.targetOf(c, neuron);
      const size_t to = program.coreAt(place);
      if (place == program.bus)
        sent[{c, "bus", 0}].push_back({neuron.axon, int(n), 1});
      else if (to != SIZE_MAX)
        sent[{c, "a" + std::to_string(to), neuron.wait + 1}].push_back(
            {neuron.axon, int(n), 1});
    }
    ends += synapses("a" + std::to_string(c), "n" + std::to_string(c), rows, 0);
    if (!fed.count(c))
      continue;
    text += fmt::format("  dend.input @x{} on @tick : tensor<{}xf64> as "
                        "!dend.spike<binary>\n",
                        c, program.axons);
    rows.clear();
    for (int axon = 0; axon < int(program.axons); ++axon)
      rows.push_back({axon, axon, 1});
    ends += synapses("x" + std::to_string(c), "a" + std::to_string(c), rows, 0);
  }
  for (auto &[way, rows] : sent) {
    const auto &[core, to, delay] = way;
    ends += synapses("n" + std::to_string(core), to, rows, delay);
  }
  return text + ends + "  dend.output @bus_spikes = @bus[\"s\"]\n}\n";
}

} // namespace

bool isRanc(const std::string &path) {
  std::error_code error;
  return fs::is_directory(path, error) &&
         fs::exists(fs::path(path) / "csram_000.mem", error);
}

std::vector<std::string> filesOfRanc(const std::string &path) {
  std::set<std::string> files;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(path, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file(error) &&
        (startsWith(name, "csram_") || startsWith(name, "tc_") ||
         startsWith(name, "tb_")))
      files.insert(entry.path().string());
  }
  return {files.begin(), files.end()};
}

std::string digestOfRanc(const std::string &path) {
  std::string all;
  for (const std::string &file : filesOfRanc(path))
    all += fs::path(file).filename().string() + " " +
           sha256OfFile(file, kFileBytes) + "\n";
  return sha256(all);
}

ImportedModel importRanc(mlir::MLIRContext &context, const std::string &path) {
  context.getOrLoadDialect<dend::DendDialect>();
  const std::string text = textOf(ranc::read(path));
  std::string said;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        said += (said.empty() ? "" : "; ") + diagnostic.str();
        return mlir::success();
      });
  ImportedModel model;
  model.module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!model.module)
    throw Error(fmt::format("{}: the network does not verify: {}", path,
                            printable(said, 1024)));
  // A place in the text, which no user has, would only mislead.
  model.module->walk([&](mlir::Operation *op) {
    op->setLoc(mlir::NameLoc::get(mlir::StringAttr::get(&context, path)));
  });
  model.name = "ranc";
  return model;
}

std::map<std::string, Samples> packetsOfRanc(const std::string &path) {
  const ranc::Program program = ranc::read(path);
  std::map<std::string, std::vector<uint8_t>> seen;
  for (const ranc::Packet &packet : program.packets) {
    auto &values = seen["x" + std::to_string(packet.core)];
    values.resize(program.ticks * program.axons);
    values[packet.tick * program.axons + packet.axon] = 1;
  }
  std::map<std::string, Samples> all;
  for (auto &[name, values] : seen) {
    Samples &samples = all[name];
    samples.samples = 1;
    samples.steps = program.ticks;
    samples.shape = {program.axons};
    samples.values = std::move(values);
  }
  return all;
}

} // namespace dendrolith
