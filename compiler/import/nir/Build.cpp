// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/nir/Build.h"
#include "compiler/import/nir/SynapseConstants.h"
#include "dialects/dend/Dend.h"
#include "targets/support/Text.h"

#include <algorithm>

namespace dendrolith::nir {

using namespace mlir;

namespace {

class NirNetworkBuilder {
public:
  NirNetworkBuilder(OpBuilder &builder, const Graph &graph,
                    const Policy &policy)
      : builder(builder), graph(graph), policy(policy), models(builder, names),
        constants(builder, names) {}
  void run(const std::vector<Projection> &projections);

private:
  Location at(const std::string &name) {
    return NameLoc::get(builder.getStringAttr(name));
  }
  DenseI64ArrayAttr dims(const Shape &shape) {
    return builder.getDenseI64ArrayAttr(
        SmallVector<int64_t>(shape.begin(), shape.end()));
  }
  FlatSymbolRefAttr symbolOf(const std::string &name) {
    return FlatSymbolRefAttr::get(builder.getContext(), name);
  }
  StringAttr outputOf(const Node &source, bool early = false);
  void input(const Node &node);
  void population(const Node &node,
                  const std::vector<const Projection *> &into);
  void addLate(const std::vector<const Projection *> &into, Dynamics &dynamics);
  DictionaryAttr bind(const std::string &name, const Dynamics &dynamics);
  Starts starts(const std::string &name, const Dynamics &dynamics);
  void output(const Node &node, const std::vector<const Projection *> &into);
  void project(const Projection &projection, const std::string &target);

  OpBuilder &builder;
  const Graph &graph;
  const Policy &policy;
  Names names;
  NeuronModels models;
  Constants constants;
  std::string clock;
  std::vector<bool> isEarly; ///< by node: has an output "early"
};

} // namespace

void NirNetworkBuilder::input(const Node &node) {
  auto type = RankedTensorType::get(
      SmallVector<int64_t>(node.out.begin(), node.out.end()),
      builder.getF64Type());
  dend::InputOp::create(builder, at(node.name),
                        builder.getStringAttr(node.name), symbolOf(clock),
                        TypeAttr::get(type),
                        TypeAttr::get(dend::gradedSpike(builder.getContext())),
                        FloatAttr(), IntegerAttr(), IntegerAttr());
}

void NirNetworkBuilder::population(
    const Node &node, const std::vector<const Projection *> &into) {
  Dynamics dynamics = discretise(graph, node, policy);
  addLate(into, dynamics);
  dynamics.early = isEarly[&node - graph.nodes.data()];
  std::string model = models.model(node.type, dynamics, policy.of(node),
                                   starts(node.name, dynamics));
  dend::PopulationOp::create(
      builder, at(node.name), builder.getStringAttr(node.name), symbolOf(model),
      builder.getI64IntegerAttr(static_cast<int64_t>(product(node.out))),
      symbolOf(clock), bind(node.name, dynamics), dims(node.out), FloatAttr());
}

void NirNetworkBuilder::addLate(const std::vector<const Projection *> &into,
                                Dynamics &dynamics) {
  LateBias late;
  for (const Projection *projection : into)
    for (const auto &[tick, bias] : projection->late)
      late[tick] = add(late[tick], bias);
  for (const auto &[tick, bias] : late)
    dynamics.late[tick] = collapse(*bias.values);
}

DictionaryAttr NirNetworkBuilder::bind(const std::string &name,
                                       const Dynamics &dynamics) {
  SmallVector<NamedAttribute> params;
  for (const Binding &binding : bindings(dynamics)) {
    if (binding.second.empty())
      continue;
    Shape shape;
    if (binding.second.size() > 1)
      shape = {binding.second.size()};
    params.push_back(builder.getNamedAttr(
        binding.first, constants.real(name + "." + binding.first, shape,
                                      binding.second, false)));
  }
  return builder.getDictionaryAttr(params);
}

Starts NirNetworkBuilder::starts(const std::string &name,
                                 const Dynamics &dynamics) {
  Starts found;
  auto add = [&](const char *state, const std::optional<Compartment> &part) {
    if (!part || !part->start)
      return;
    const Parameter &values = *part->start;
    if (values.size() == 1)
      found[state] = builder.getF64FloatAttr(values[0]);
    else
      found[state] = constants.real(name + "." + state + "_init",
                                    {values.size()}, values, false);
  };
  add("i", dynamics.current);
  add("v", dynamics.potential);
  return found;
}

/// Inputs have no named output; a population has "s" or "v", perhaps "early".
StringAttr NirNetworkBuilder::outputOf(const Node &source, bool early) {
  if (source.type == Type::Input)
    return {};
  if (early)
    return builder.getStringAttr("early");
  bool spikes = source.type == Type::Threshold || source.field("v_threshold");
  return builder.getStringAttr(spikes ? "s" : "v");
}

void NirNetworkBuilder::project(const Projection &projection,
                                const std::string &target) {
  const Node &source = graph.nodes[projection.source];
  Synapses synapses = constants.synapses(projection.map);
  bool isConv = projection.map.kind == LinearMap::MapForm::Conv;
  dend::ProjectOp::create(
      builder, at(target), symbolOf(source.name),
      outputOf(source, projection.early), symbolOf(target),
      builder.getStringAttr("I"), synapses.kind, synapses.weight,
      synapses.indices, constants.bias(projection.bias),
      builder.getI64IntegerAttr(projection.delay), builder.getI64IntegerAttr(0),
      projection.map.shared && !isConv ? builder.getUnitAttr() : UnitAttr());
}

/// An Output that one population feeds as it is shows that population; any
/// other gets a read-out population that adds up what arrives.
void NirNetworkBuilder::output(const Node &node,
                               const std::vector<const Projection *> &into) {
  std::string from;
  bool probe = true;
  StringAttr what = builder.getStringAttr("v");
  if (into.size() == 1 && isPlain(*into[0]) &&
      isPopulation(graph.nodes[into[0]->source].type)) {
    const Node &source = graph.nodes[into[0]->source];
    from = source.name;
    what = outputOf(source);
    probe = what.getValue() == "v";
  } else {
    from = names.fresh(node.name + ".readout");
    Dynamics dynamics;
    dynamics.potential = Compartment{{}, std::nullopt, std::nullopt};
    addLate(into, dynamics);
    DictionaryAttr params =
        dynamics.late.empty() ? DictionaryAttr() : bind(from, dynamics);
    dend::PopulationOp::create(
        builder, at(node.name), builder.getStringAttr(from),
        symbolOf(models.readout(dynamics)),
        builder.getI64IntegerAttr(static_cast<int64_t>(product(node.in))),
        symbolOf(clock), params, dims(node.in), FloatAttr());
    for (const Projection *projection : into)
      project(*projection, from);
  }
  dend::OutputOp::create(builder, at(node.name),
                         builder.getStringAttr(node.name),
                         probe ? builder.getUnitAttr() : UnitAttr(),
                         symbolOf(from), what, dims(node.in), StringAttr());
}

void NirNetworkBuilder::run(const std::vector<Projection> &projections) {
  std::vector<std::vector<const Projection *>> into(graph.nodes.size());
  isEarly.assign(graph.nodes.size(), false);
  for (const Projection &projection : projections) {
    into[projection.target].push_back(&projection);
    if (projection.early)
      isEarly[projection.source] = true;
  }
  auto isOuter = [](const Node &node, Type type) {
    return node.type == type && !node.wire;
  };
  for (const Node &node : graph.nodes)
    if (isPopulation(node.type) || isOuter(node, Type::Input) ||
        isOuter(node, Type::Output))
      names.take(node.name);
  clock = names.fresh("step");
  dend::ClockOp::create(builder, at(clock), builder.getStringAttr(clock),
                        FlatSymbolRefAttr(), IntegerAttr());
  for (const Node &node : graph.nodes)
    if (isOuter(node, Type::Input))
      input(node);
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    if (isPopulation(graph.nodes[i].type))
      population(graph.nodes[i], into[i]);
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    if (isPopulation(graph.nodes[i].type))
      for (const Projection *projection : into[i])
        project(*projection, graph.nodes[i].name);
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    if (isOuter(graph.nodes[i], Type::Output))
      output(graph.nodes[i], into[i]);
}

/// Bytes of the constants that are no synapses.
static int64_t bytesOfNeurons(dend::NetworkOp network) {
  llvm::DenseSet<Attribute> synaptic;
  for (auto project : network.getOps<dend::ProjectOp>())
    for (FlatSymbolRefAttr symbol :
         {project.getWeightAttr(), project.getIndicesAttr(),
          project.getBiasAttr()})
      if (symbol)
        synaptic.insert(symbol);
  int64_t bytes = 0;
  for (auto constant : network.getOps<dend::ConstantOp>())
    if (!synaptic.contains(FlatSymbolRefAttr::get(constant.getSymNameAttr()))) {
      auto type = cast<RankedTensorType>(constant.getType());
      bytes += type.getNumElements() * type.getElementTypeBitWidth() / 8;
    }
  return bytes;
}

/// Records what the layers of the file hold, before poolings are merged into
/// the maps behind them: those are what a tool counts.
static void countLayers(dend::NetworkOp network, const Graph &graph) {
  report::ModelStatisticsAttr::Fields row = {};
  const auto addParameters = [&](const hdf5::Node &data) {
    row.parameters += int64_t(data.values.size());
    row.parameter_bytes += int64_t(data.values.size()) * data.bytes;
  };
  for (const Node &node : graph.nodes) {
    const hdf5::Node *weight = node.field("weight"), *bias = node.field("bias");
    if (!weight)
      weight = node.field("scale");
    if (!weight)
      continue;
    const std::vector<double> &values = weight->values;
    addParameters(*weight);
    row.connection_weights += int64_t(values.size());
    row.zero_weights += std::count(values.begin(), values.end(), 0.0);
    // NIR asks a convolution for a bias: zeros stand for none.
    if (bias && !(isConvolution(node.type) &&
                  std::all_of(bias->values.begin(), bias->values.end(),
                              [](double value) { return value == 0; })))
      addParameters(*bias);
    if (isConvolution(node.type))
      windowOf(graph, node).taps([&](int64_t, int64_t, int64_t) {
        ++row.dense_synops_per_tick;
      });
    else
      row.dense_synops_per_tick += int64_t(values.size());
  }
  // The harness counts what is trained as parameters, buffers as bytes, too.
  row.parameter_bytes += bytesOfNeurons(network);
  network.setStatisticsAttr(
      report::ModelStatisticsAttr::of(network.getContext(), row));
}

void buildNetwork(OpBuilder &builder, const std::string &name,
                  const Graph &graph, const Policy &policy,
                  const std::vector<Projection> &projections) {
  auto network = dend::NetworkOp::create(
      builder, NameLoc::get(builder.getStringAttr(name)),
      builder.getStringAttr(name));
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&network.getBody());
  NirNetworkBuilder(builder, graph, policy).run(projections);
  countLayers(network, graph);
}

} // namespace dendrolith::nir
