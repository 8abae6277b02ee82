// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/Graph.h"

#include "targets/support/Text.h"

#include <array>
#include <map>
#include <set>
#include <sstream>

namespace dendrolith::nir {

// Far beyond any network; they bound the work on a hostile file.
constexpr size_t maxNodes = 1u << 15, maxEdges = 1u << 19;

static constexpr std::array<const char *, 19> names = {
    "Input",  "Output",    "Affine",    "Linear",    "Scale",
    "Conv1d", "Conv2d",    "SumPool2d", "AvgPool2d", "Flatten",
    "Delay",  "Threshold", "I",         "IF",        "LI",
    "LIF",    "CubaLI",    "CubaLIF",   "NIRGraph"};

const char *typeName(Type type) { return names[static_cast<size_t>(type)]; }

bool isNeuron(Type type) { return type >= Type::I && type <= Type::CubaLIF; }
bool isPopulation(Type type) {
  return isNeuron(type) || type == Type::Threshold;
}
bool isConvolution(Type type) {
  return type == Type::Conv1d || type == Type::Conv2d;
}
bool isPooling(Type type) {
  return type == Type::SumPool2d || type == Type::AvgPool2d;
}
bool isLinear(Type type) {
  return type >= Type::Affine && type <= Type::AvgPool2d;
}
bool isStateful(Type type) { return isNeuron(type) || type == Type::Delay; }

static Type parseType(const std::string &file, const std::string &node,
                      const std::string &text) {
  for (size_t i = 0; i < names.size(); ++i)
    if (text == names[i])
      return static_cast<Type>(i);
  throw Error(fmt::format("{}: node {}: unknown node type {}, expected one of "
                          "{}; node types are case-sensitive",
                          file, quotedName(node), quotedName(text),
                          fmt::join(names, ", ")));
}

namespace {

/// Reads graphs from the inside out. The nodes of a nested graph follow those
/// of the graph around it, as `outer.inner`.
class NirReader {
public:
  explicit NirReader(Graph &graph) : graph(graph) {}
  void read(const hdf5::Node &group, const std::string &prefix, unsigned depth);

private:
  /// Ports of a nested graph.
  struct Nested {
    std::vector<unsigned> inputs, outputs;
  };
  [[noreturn]] void refuse(const std::string &prefix, const std::string &why) {
    throw Error(
        prefix.empty()
            ? fmt::format("{}: {}", graph.file, why)
            : fmt::format("{}: node {} (NIRGraph): {}", graph.file,
                          quotedName(prefix.substr(0, prefix.size() - 1)),
                          why));
  }
  void checkMembers(const hdf5::Node &group, const std::string &prefix);
  std::string typeOf(const hdf5::Node &node, const std::string &name);
  unsigned addNode(const std::string &name, Type type, const hdf5::Node &data);
  void readSaid(const hdf5::Node &group, const std::string &prefix,
                size_t first);
  void readEdges(const hdf5::Node &edges, const std::string &prefix,
                 const std::map<std::string, unsigned> &own,
                 const std::map<std::string, Nested> &nested);
  Graph &graph;
  std::set<std::string> lost; ///< nodes of no known type, whose edges go too
  std::map<std::string, unsigned> byName; ///< flattened names
  Nested finished;                        ///< ports of the graph just read
};

} // namespace

void NirReader::checkMembers(const hdf5::Node &group,
                             const std::string &prefix) {
  for (const hdf5::Member &member : group.members)
    if (member.name != "type" && member.name != "nodes" &&
        member.name != "edges" && member.name != "metadata")
      refuse(prefix, fmt::format("unknown member {} of the graph, expected "
                                 "type, nodes, edges, metadata; keep extras "
                                 "in metadata",
                                 quotedName(member.name)));
  const hdf5::Node *nodes = group.find("nodes");
  if (!nodes || nodes->kind != hdf5::Node::Content::Group)
    refuse(prefix, "the graph lacks the group 'nodes'");
  if (!group.find("edges"))
    refuse(prefix, "the graph lacks the dataset 'edges'");
}

std::string NirReader::typeOf(const hdf5::Node &node, const std::string &name) {
  const hdf5::Node *type =
      node.kind == hdf5::Node::Content::Group ? node.find("type") : nullptr;
  if (!type || type->strings.size() != 1)
    throw Error(fmt::format("{}: node {}: expected a group with the string "
                            "'type', found {}; a '/' in a node name has this "
                            "effect",
                            graph.file, quotedName(name),
                            type ? "another value" : "none"));
  return type->strings[0];
}

unsigned NirReader::addNode(const std::string &name, Type type,
                            const hdf5::Node &data) {
  auto [where, isNew] = byName.emplace(name, graph.nodes.size());
  if (!isNew)
    graph.refuse(graph.nodes[where->second],
                 "another node has the same name once nested graphs are "
                 "dissolved; rename one of them");
  if (graph.nodes.size() >= maxNodes)
    throw Error(fmt::format("{}: the graph has more than {} nodes", graph.file,
                            maxNodes));
  graph.nodes.push_back({name, type, &data, false, false, {}, {}});
  Node &node = graph.nodes.back();
  node.broken = !graph.faults.attempt([&] { checkFields(graph, node); });
  return where->second;
}

/// The metadata "import" of a graph, "reset=subtract,reset-when=next", and then
/// those of its neurons, which are from `first` on.
void NirReader::readSaid(const hdf5::Node &group, const std::string &prefix,
                         size_t first) {
  auto add = [&](const hdf5::Node &of, const std::string &place,
                 const std::vector<std::string> &nodes) {
    const hdf5::Node *metadata = of.find("metadata");
    const hdf5::Node *said = metadata ? metadata->find("import") : nullptr;
    if (!said)
      return;
    const std::string text = said->strings.size() == 1 ? said->strings[0] : "";
    std::istringstream pairs(text.empty() ? "?" : text);
    for (std::string pair; std::getline(pairs, pair, ',');) {
      const size_t equals = pair.find('=');
      if (equals == pair.npos)
        throw Error(fmt::format("{}: metadata 'import' of {}: expected a text "
                                "as 'reset=subtract,reset-when=next', found {}",
                                graph.file, place, quotedName(pair)));
      for (const std::string &node : nodes)
        graph.said.push_back(
            {node, pair.substr(0, equals), pair.substr(equals + 1)});
    }
  };
  std::vector<std::string> own;
  for (size_t i = first; i < graph.nodes.size(); ++i)
    if (isNeuron(graph.nodes[i].type))
      own.push_back(graph.nodes[i].name);
  add(group, prefix.empty() ? "the graph" : "graph " + quotedName(prefix),
      prefix.empty() ? std::vector<std::string>{""} : own);
  for (const std::string &name : own) {
    const Node &node = graph.nodes[byName.at(name)];
    add(*node.data, placeOf(node), {name});
  }
}

void NirReader::read(const hdf5::Node &group, const std::string &prefix,
                     unsigned depth) {
  if (depth == 0)
    refuse(prefix, "graphs are nested too deeply");
  checkMembers(group, prefix);
  const size_t first = graph.nodes.size();
  std::map<std::string, unsigned> own;
  std::map<std::string, Nested> nested;
  std::vector<const hdf5::Member *> inner;
  Nested ports;
  for (const hdf5::Member &member : group.find("nodes")->members) {
    std::string name = prefix + member.name;
    Type type = Type::Graph;
    if (!graph.faults.attempt([&] {
          type = parseType(graph.file, name, typeOf(member.node, name));
        })) {
      lost.insert(name);
      continue;
    }
    if (type == Type::Graph) {
      inner.push_back(&member);
      continue;
    }
    unsigned index = addNode(name, type, member.node);
    own.emplace(member.name, index);
    bool isPort = type == Type::Input || type == Type::Output;
    graph.nodes[index].wire = isPort && !prefix.empty();
    if (type == Type::Input)
      ports.inputs.push_back(index);
    if (type == Type::Output)
      ports.outputs.push_back(index);
  }
  for (const hdf5::Member *member : inner) {
    read(member->node, prefix + member->name + ".", depth - 1);
    nested.emplace(member->name, finished);
  }
  readEdges(*group.find("edges"), prefix, own, nested);
  graph.faults.attempt([&] { readSaid(group, prefix, first); });
  finished = ports;
}

void NirReader::readEdges(const hdf5::Node &edges, const std::string &prefix,
                          const std::map<std::string, unsigned> &own,
                          const std::map<std::string, Nested> &nested) {
  // No edges at all are written as an empty array of floats.
  if (!edges.shape.empty() && edges.values.empty() && edges.strings.empty() &&
      edges.kind != hdf5::Node::Content::Group)
    return;
  if (edges.kind != hdf5::Node::Content::Strings || edges.shape.size() != 2 ||
      edges.shape[1] != 2)
    refuse(prefix, fmt::format("dataset 'edges' has shape {}, expected pairs "
                               "of names (E, 2)",
                               shapeText(edges.shape)));
  auto resolve = [&](const std::string &text, bool source,
                     const std::string &edge) -> unsigned {
    // The exact name comes first: flat files use '.' as part of a name.
    if (auto it = own.find(text); it != own.end())
      return it->second;
    const char *kind = source ? "Output" : "Input";
    if (auto it = nested.find(text); it != nested.end()) {
      const auto &ports = source ? it->second.outputs : it->second.inputs;
      if (ports.size() != 1)
        refuse(prefix,
               fmt::format("edge {} names the nested graph {}, which has {} {} "
                           "nodes, expected one; name the port, as {}",
                           edge, quotedName(text), ports.size(), kind,
                           quotedName(text + ".<port>")));
      return ports[0];
    }
    for (size_t dot = text.find('.'); dot != std::string::npos;
         dot = text.find('.', dot + 1)) {
      auto it = nested.find(text.substr(0, dot));
      if (it == nested.end())
        continue;
      for (unsigned port : source ? it->second.outputs : it->second.inputs)
        if (graph.nodes[port].name == prefix + text)
          return port;
      refuse(prefix, fmt::format("edge {} dangles: the nested graph {} has no "
                                 "{} node {}; correct the name",
                                 edge, quotedName(text.substr(0, dot)), kind,
                                 quotedName(text.substr(dot + 1))));
    }
    refuse(prefix, fmt::format("edge {} dangles: there is no node {}; correct "
                               "the name or add the node",
                               edge, quotedName(text)));
  };
  if (edges.shape[0] > maxEdges)
    refuse(prefix, fmt::format("the graph has more than {} edges", maxEdges));
  for (size_t e = 0; e + 1 < edges.strings.size(); e += 2) {
    const std::string &from = edges.strings[e], &to = edges.strings[e + 1];
    std::string edge =
        fmt::format("{} -> {}", quotedName(from), quotedName(to));
    if (lost.count(prefix + from) || lost.count(prefix + to))
      continue;
    graph.faults.attempt([&] {
      unsigned source = resolve(from, true, edge);
      graph.edges.push_back({source, resolve(to, false, edge)});
    });
  }
}

/// Attributes carry nothing in NIR; what some tool left there is not used.
static uint64_t attributes(const hdf5::Node &node) {
  uint64_t count = node.attributes;
  for (const hdf5::Member &member : node.members)
    count += attributes(member.node);
  return count;
}

/// Versions of the package that wrote the file, which has no other.
static void checkVersion(Graph &graph) {
  const hdf5::Node *version = graph.tree.find("version");
  const std::string text =
      version && version->strings.size() == 1 ? version->strings[0] : "";
  if (!version || text.rfind("0.", 0) == 0 || text.rfind("1.", 0) == 0)
    return;
  graph.warnings.push_back(
      {"unknown-version", "the file",
       fmt::format("it says NIR version {}, and 0.x and 1.x are known; it is "
                   "read as 1.x; write it with such a version of the package "
                   "nir if that is wrong",
                   quotedName(text))});
}

static void readMetadata(Graph &graph, const hdf5::Node &root) {
  const hdf5::Node *metadata = root.find("metadata");
  if (const hdf5::Node *by = metadata ? metadata->find("producer") : nullptr)
    graph.producer = by->strings.size() == 1 ? by->strings[0] : "";
  const hdf5::Node *dt = metadata ? metadata->find("dt") : nullptr;
  if (!dt)
    return;
  if (dt->values.size() != 1 || !(dt->values[0] > 0) ||
      !(dt->values[0] < 1e300))
    throw Error(graph.file +
                ": metadata 'dt' is not one positive number; correct it, or "
                "remove it and give --import dt");
  graph.dt = dt->values[0];
}

static void checkEnds(Graph &graph) {
  bool hasInput = false, hasOutput = false;
  // What a node lacks may be behind what is wrong already.
  const bool isWhole = graph.faults.isEmpty();
  std::vector<bool> fed(graph.nodes.size());
  for (const Edge &edge : graph.edges) {
    const Node &from = graph.nodes[edge.from], &to = graph.nodes[edge.to];
    fed[edge.to] = true;
    graph.faults.attempt([&] {
      if (to.type == Type::Input && !to.wire)
        graph.refuse(to, "an edge from {} leads into it, expected none",
                     quotedName(from.name));
      if (from.type == Type::Output && !from.wire)
        graph.refuse(from, "an edge to {} leaves it, expected none",
                     quotedName(to.name));
    });
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node &node = graph.nodes[i];
    hasInput |= node.type == Type::Input && !node.wire;
    hasOutput |= node.type == Type::Output && !node.wire;
    bool isStart = node.type == Type::Input && !node.wire;
    if (isWhole && !fed[i] && !isStart && !isPopulation(node.type))
      graph.faults.attempt([&] {
        graph.refuse(node, "no edge leads into it; connect or remove it");
      });
  }
  if (isWhole && !hasOutput)
    graph.faults.attempt([&] {
      throw Error(fmt::format("{}: the graph has no Output node, expected at "
                              "least one; add it and its edge",
                              graph.file));
    });
  if (!hasInput)
    graph.warnings.push_back(
        {"no-input", "the file",
         "the graph has no Input node: only biases and leaks drive it, for as "
         "long as --steps says"});
}

Graph readGraph(const std::string &path, const hdf5::Limits &limits) {
  return readGraph(path, hdf5::readFile(path, limits));
}

Graph readGraph(const std::string &path, hdf5::Node tree) {
  Graph graph;
  graph.file = path;
  graph.tree = std::move(tree);
  const hdf5::Node *root = graph.tree.find("node");
  if (!root || root->kind != hdf5::Node::Content::Group)
    throw Error(path + ": no group '/node', expected a NIR graph" +
                (graph.tree.find("nodes") ? "; this looks like a recording "
                                            "(NIRData)"
                                          : "; write the network with "
                                            "nir.write"));
  for (const hdf5::Member &member : graph.tree.members)
    if (member.name != "node" && member.name != "version")
      throw Error(fmt::format("{}: unknown member {} of the file, expected "
                              "'node' and 'version'",
                              path, quotedName(member.name)));
  const hdf5::Node *type = root->find("type");
  std::string name =
      type && type->strings.size() == 1 ? type->strings[0] : "nothing";
  if (name != "NIRGraph")
    throw Error(fmt::format("{}: the root node is of type {}, expected "
                            "NIRGraph; wrap the node in a graph with Input "
                            "and Output",
                            path, quotedName(name)));
  if (uint64_t count = attributes(graph.tree))
    graph.warnings.push_back(
        {"unused-attributes", "",
         fmt::format("the file has {} HDF5 attributes, which NIR does not use",
                     count)});
  checkVersion(graph);
  readMetadata(graph, *root);
  if (!graph.faults.attempt([&] { NirReader(graph).read(*root, "", 64); }))
    graph.faults.raise();
  checkEnds(graph);
  inferShapes(graph);
  graph.faults.raise();
  cutCycles(graph);
  return graph;
}

} // namespace dendrolith::nir
