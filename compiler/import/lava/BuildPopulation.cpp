// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neuron processes as populations: the step body that their connections ask
// for, and their numbers as constants.

#include "compiler/import/lava/Build.h"

#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <fmt/format.h>

namespace dendrolith::lava {

using namespace mlir;

FlatSymbolRefAttr NetworkBuilder::numbers(const std::string &name,
                                          unsigned bits,
                                          std::vector<int64_t> values) {
  std::vector<int64_t> shape;
  if (values.size() > 1)
    shape.push_back(int64_t(values.size()));
  return constant(name, shape, bits, std::move(values));
}

Form NetworkBuilder::formOf(size_t index, Kwargs &kwargs) {
  const Node &node = graph.nodes[index];
  Form form;
  form.lavaClass = node.neuron->lavaClass;
  form.variant = readVariant(kwargs, form.lavaClass);
  form.fired = plan.firedNodes[index];
  bool common = true;
  double bound = 0;
  for (const PortPlan &port : plan.ports[index]) {
    std::vector<Term> terms;
    if (port.common || port.own.empty())
      terms.emplace_back();
    terms.insert(terms.end(), port.own.begin(), port.own.end());
    form.inputs.push_back(std::move(terms));
    common &= port.own.empty();
    bound = std::max(bound, port.bound);
  }
  if (form.variant == "plain" && common && bound <= double(kMostCubaInput) &&
      !form.fired && startsLikeCuba(kwargs, node.count)) {
    form.variant = "cuba";
    form.inputs[0][0].width = 64;
  }
  if (StringRef(form.lavaClass).ends_with(".ATRLIF") &&
      bound > double(kMostCubaInput)) {
    // What a neuron sends has no range of its own that could be narrowed.
    form.variant = "checked";
    warnings.push_back(
        {"checked-range", fmt::format("process '{}'", node.process->name()),
         fmt::format(
             "a_in may reach {:.0f}; up to {} ATRLIF's current stays in "
             "the 24 bits for which its decay is proved; a run says "
             "where it is more",
             bound, kMostCubaInput)});
  }
  return form;
}

void NetworkBuilder::population(size_t index) {
  const Node &node = graph.nodes[index];
  Kwargs kwargs(*node.process, graph.place);
  Form form = formOf(index, kwargs);
  Constants all = readConstants(kwargs, form, node.count);
  forms[index] = form;
  place(node.process->name(), form, all, node.shape);
}

void NetworkBuilder::place(const std::string &name, const Form &form,
                           const Constants &all, const Shape &shape) {
  std::vector<uint32_t> order = numbering(shape);
  // Equal values are one; others go to their neuron's number in dend.
  auto arranged = [&](std::vector<int64_t> values) {
    if (std::all_of(values.begin(), values.end(),
                    [&](int64_t v) { return v == values[0]; }))
      values.resize(1);
    if (values.size() == 1 || order.empty())
      return values;
    std::vector<int64_t> moved(values.size());
    for (size_t i = 0; i < values.size(); ++i)
      moved[order[i]] = values[i];
    return moved;
  };
  std::set<std::string> perNeuron;
  std::map<std::string, Attribute> initial;
  SmallVector<NamedAttribute> params;
  for (const std::string &param : parameterNames(form)) {
    std::vector<int64_t> values = arranged(all.parameters.at(param));
    if (values.size() > 1)
      perNeuron.insert(param);
    bool wide = std::any_of(values.begin(), values.end(),
                            [](int64_t v) { return v != int64_t(int32_t(v)); });
    params.push_back(builder.getNamedAttr(
        param, numbers(name + "." + param, wide ? 64 : 32, values)));
  }
  for (const auto &[state, given] : all.states) {
    std::vector<int64_t> values = arranged(given);
    if (values.size() > 1)
      initial[state] = numbers(name + "." + state, 32, values);
    else if (values[0] != 0)
      initial[state] = builder.getI64IntegerAttr(values[0]);
  }
  std::string model = names.fresh(name + "." + className(form.lavaClass));
  buildNeuron(builder, at(name), model, form, perNeuron, initial);
  std::vector<int64_t> dims = dendShape(shape);
  const auto count = static_cast<int64_t>(product(dims));
  dend::PopulationOp::create(builder, at(name), text(name), symbol(model),
                             builder.getI64IntegerAttr(count), symbol(clock),
                             builder.getDictionaryAttr(params),
                             builder.getDenseI64ArrayAttr(dims), FloatAttr());
}

} // namespace dendrolith::lava
