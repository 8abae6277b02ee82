// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/Nir.h"
#include "compiler/import/nir/Build.h"
#include "compiler/import/nir/Explicit.h"
#include "compiler/import/nir/Writer.h"
#include "dialects/dend/Dend.h"
#include "targets/support/Text.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#include <filesystem>
#include <memory>

namespace dendrolith {

/// Populations that nothing reads, and that nothing feeds: legal, and rarely
/// meant.
static void warnOfLooseEnds(nir::Graph &graph) {
  std::vector<bool> read(graph.nodes.size()), fed(graph.nodes.size());
  for (const nir::Edge &edge : graph.edges) {
    read[edge.from] = true;
    fed[edge.to] = true;
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const nir::Node &node = graph.nodes[i];
    bool isEnd = node.type == nir::Type::Output && !node.wire;
    if (!read[i] && !isEnd)
      graph.warnings.push_back(
          {"loose-end", placeOf(node),
           fmt::format("nothing reads this {}", nir::typeName(node.type))});
    if (!fed[i] && nir::isPopulation(node.type))
      graph.warnings.push_back(
          {"loose-end", placeOf(node),
           fmt::format("nothing feeds this {}", nir::typeName(node.type))});
  }
}

/// Says where loops wait that could wait elsewhere.
static void warnOfLoops(nir::Graph &graph, const nir::Policy &policy,
                        const std::vector<unsigned> &waiting) {
  constexpr size_t kMostNamed = 3;
  if (waiting.empty())
    return;
  std::string edges;
  for (size_t i = 0; i < std::min(waiting.size(), kMostNamed); ++i) {
    const nir::Edge &edge = graph.edges[waiting[i]];
    edges += (i ? ", " : "") + quotedName(graph.nodes[edge.from].name) +
             " -> " + quotedName(graph.nodes[edge.to].name);
  }
  if (waiting.size() > kMostNamed)
    edges += fmt::format(" and {} more", waiting.size() - kMostNamed);
  graph.warnings.push_back(
      {"loop-delay", "the file",
       fmt::format("NIR does not say where a loop of several populations "
                   "waits; here it waits {} tick(s) on {}, as it returns there "
                   "to what the inputs reach first; a Delay node on another "
                   "edge of the loop makes it wait there alone",
                   policy.options.loopDelay, edges)});
}

namespace {

/// Nodes that can be reached from others without passing through a population,
/// an input or an output, along the edges or against them.
class Reach {
public:
  Reach(const nir::Graph &graph, bool forward)
      : graph(graph), next(graph.nodes.size()), known(graph.nodes.size()) {
    for (const nir::Edge &edge : graph.edges)
      next[forward ? edge.from : edge.to].push_back(forward ? edge.to
                                                            : edge.from);
  }

  const std::vector<std::string> &from(unsigned start) {
    // What only leads on to one other node reaches what that one does. Long
    // chains are common, and a walk along the rest of the chain from each of
    // its nodes is quadratic.
    std::vector<unsigned> chain = {start};
    while (!known[chain.back()] && next[chain.back()].size() == 1 &&
           !isEnd(next[chain.back()][0]) && chain.size() <= next.size())
      chain.push_back(next[chain.back()][0]);
    unsigned last = chain.back();
    if (!known[last])
      known[last] = walk(last);
    for (unsigned node : chain)
      known[node] = known[last];
    return *known[start];
  }

private:
  using Names = std::shared_ptr<const std::vector<std::string>>;

  bool isEnd(unsigned index) const {
    const nir::Node &node = graph.nodes[index];
    bool isOuter =
        node.type == nir::Type::Input || node.type == nir::Type::Output;
    return nir::isPopulation(node.type) || (isOuter && !node.wire);
  }

  Names walk(unsigned start) const {
    std::vector<std::string> found;
    std::vector<bool> seen(graph.nodes.size());
    std::vector<unsigned> open = {start};
    while (!open.empty()) {
      unsigned at = open.back();
      open.pop_back();
      for (unsigned to : next[at]) {
        if (seen[to])
          continue;
        seen[to] = true;
        if (isEnd(to))
          found.push_back(graph.nodes[to].name);
        else
          open.push_back(to);
      }
    }
    return std::make_shared<const std::vector<std::string>>(std::move(found));
  }

  const nir::Graph &graph;
  std::vector<std::vector<unsigned>> next; // by node
  std::vector<Names> known;                // by node; null: not walked yet
};

} // namespace

static std::vector<ModelNode> nodesOf(const nir::Graph &graph) {
  std::vector<ModelNode> all;
  Reach forward(graph, true), backward(graph, false);
  for (unsigned i = 0; i < graph.nodes.size(); ++i) {
    const nir::Node &node = graph.nodes[i];
    ModelNode out;
    out.name = node.name;
    out.type = nir::typeName(node.type);
    for (const char *key : {"weight", "bias"})
      if (const hdf5::Node *data = node.field(key))
        out.weights += data->values.size();
    out.isPopulation = nir::isPopulation(node.type);
    if (out.isPopulation)
      out.populations = {node.name};
    else if (nir::isLinear(node.type)) {
      out.populations = forward.from(i);
      out.sources = backward.from(i);
    }
    all.push_back(std::move(out));
  }
  return all;
}

ImportedModel importNir(mlir::MLIRContext &context, const std::string &path,
                        const nir::NirOptions &options) {
  return importNir(context, path, hdf5::readFile(path, options.limits),
                   options);
}

/// Spyx leads the input of a recurrent layer into its weights; it is meant for
/// the neuron.
static void enterNeurons(nir::Graph &graph) {
  auto leads = [&](unsigned from, unsigned to) {
    return std::any_of(graph.edges.begin(), graph.edges.end(),
                       [&](const nir::Edge &edge) {
                         return edge.from == from && edge.to == to;
                       });
  };
  for (nir::Edge &edge : graph.edges) {
    const nir::Node &from = graph.nodes[edge.from], &to = graph.nodes[edge.to];
    if (from.type != nir::Type::Input || !from.wire ||
        (to.type != nir::Type::Linear && to.type != nir::Type::Affine))
      continue;
    for (unsigned i = 0; i < graph.nodes.size(); ++i)
      if (nir::isNeuron(graph.nodes[i].type) && leads(edge.to, i) &&
          leads(i, edge.to)) {
        edge.to = i;
        break;
      }
  }
}

static ImportedModel importGraph(mlir::MLIRContext &context,
                                 const std::string &path, nir::Graph graph,
                                 const nir::NirOptions &options) {
  context.getOrLoadDialect<dend::DendDialect>();
  if (options.entersNeuron)
    enterNeurons(graph);
  nir::Policy policy = nir::settle(graph, options);
  warnOfLoops(graph, policy,
              nir::cutCycles(graph, nir::heldTicks(graph, policy)));
  nir::warnOfOtherStep(graph, policy);
  nir::warnOfWriter(graph, policy);
  warnOfLooseEnds(graph);
  std::vector<nir::Projection> projections = nir::wire(graph, policy);
  nir::refuseAssumptions(graph, policy);

  ImportedModel model;
  model.name = std::filesystem::path(path).stem().string();
  mlir::OpBuilder builder(&context);
  model.module = mlir::ModuleOp::create(builder, builder.getUnknownLoc());
  builder.setInsertionPointToStart(model.module->getBody());
  nir::buildNetwork(builder, model.name, graph, policy, projections);

  std::string said;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        auto name = llvm::dyn_cast<mlir::NameLoc>(diagnostic.getLocation());
        if (said.size() < 4096)
          said += (said.empty() ? "" : "; ") +
                  (name ? quotedName(name.getName().str()) + ": " : "") +
                  printable(diagnostic.str(), 1024);
        return mlir::success();
      });
  if (failed(mlir::verify(*model.module)))
    throw Error(fmt::format("{}: the network does not verify: {}", path, said));
  model.choices = nir::describe(graph, policy);
  model.nodes = nodesOf(graph);
  model.warnings = std::move(graph.warnings);
  return model;
}

ImportedModel importNir(mlir::MLIRContext &context, const std::string &path,
                        hdf5::Node tree, const nir::NirOptions &options) {
  return importGraph(context, path, nir::readGraph(path, std::move(tree)),
                     options);
}

/// A file and the options that hold for it: those given that NIR has, on what
/// the file says.
static std::pair<nir::Graph, nir::NirOptions>
understand(const std::string &path, const ImportOptions &given) {
  nir::NirOptions options;
  for (const auto &[name, value] : given)
    for (const auto &[key, help] : nir::optionNames())
      if (name.substr(name.rfind(':') + 1) == key)
        nir::setOption(options, name, value);
  nir::Graph graph = nir::readGraph(path, options.limits);
  options = nir::optionsFor(graph, options);
  return {std::move(graph), std::move(options)};
}

hdf5::Node explicitNir(const std::string &path, const ImportOptions &given) {
  auto [graph, options] = understand(path, given);
  if (options.entersNeuron)
    enterNeurons(graph);
  return nir::explicitTree(graph, nir::settle(graph, options));
}

Importer nirImporter() {
  Importer importer{{".nir"},
                    "a network of NIR nodes (HDF5)",
                    [](mlir::MLIRContext &context, const std::string &path,
                       const ImportOptions &given) {
                      auto [graph, options] = understand(path, given);
                      return importGraph(context, path, std::move(graph),
                                         options);
                    }};
  for (const auto &[name, help] : nir::optionNames())
    importer.options.push_back({name, help});
  importer.check = [](const std::string &name, const std::string &value) {
    nir::NirOptions options;
    nir::setOption(options, name, value);
  };
  return importer;
}

} // namespace dendrolith
