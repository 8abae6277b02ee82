// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/torch/Tracer.h"

#include "compiler/import/torch/Folding.h"
#include "compiler/import/torch/Layout.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace dendrolith::torch {

using Kind = Argument::Kind;

int64_t Body::neurons() const {
  return count(
      Shape(shape.begin() + long(axis), shape.begin() + long(axis + axes)));
}

Tracer::Tracer(const Program &program, Levels levels,
               std::vector<unsigned> states, bool findsStates)
    : sends(program.nodes.size()), program(program), levels(std::move(levels)),
      findsStates(findsStates), stateLevels(std::move(states)) {
  for (const Node &one : program.nodes)
    if (takesImages(one.op) && !one.inputs.empty())
      for (const std::string &image : one.inputs[0].second.names)
        if (auto found = program.shapes.find(image);
            found != program.shapes.end())
          imageRanks.insert(found->second.size());
}

void Tracer::fail(const std::string &text) const {
  std::string where = program.path;
  if (node && !node->place.empty())
    where += ": " + node->place;
  if (node && !node->module.empty())
    where += fmt::format(", in module {}", quotedName(node->module));
  throw Error(fmt::format("{}: {}{}", where,
                          node ? printable(node->op) + ": " : "", text));
}

const Value &Tracer::valueOf(const std::string &tensor) const {
  auto found = values.find(tensor);
  if (found == values.end())
    fail(fmt::format("the tensor {} is used before it is made",
                     quotedName(tensor)));
  return found->second;
}

std::vector<Value> Tracer::operands() const {
  std::vector<Value> all;
  auto number = [&](double value) {
    all.push_back(std::make_shared<Constant>(Constant{{}, {value}}));
  };
  for (const auto &[name, argument] : node->inputs) {
    const bool counts = name == "self" || name == "other" || name == "exponent";
    if (argument.kind == Kind::Tensor)
      all.push_back(valueOf(argument.names.at(0)));
    else if (counts &&
             (argument.kind == Kind::Real || argument.kind == Kind::Integer ||
              argument.kind == Kind::Bool))
      number(argument.real);
  }
  return all;
}

void Tracer::keep(Value value, size_t output) {
  const Shape *found = nullptr;
  if (auto *body = std::get_if<const Body *>(&value))
    found = &(*body)->shape;
  else if (auto *flow = std::get_if<Flow>(&value))
    found = &flow->shape;
  else
    found = &std::get<ConstantPtr>(value)->shape;
  if (*found != result(output) ||
      (count(*found) == 0 && !std::holds_alternative<ConstantPtr>(value)))
    fail(fmt::format("gives shape {} where the graph says {}", textOf(*found),
                     textOf(result(output))));
  values[node->outputs[output]] = std::move(value);
}

void Tracer::begin() {
  for (const auto &[name, constant] : program.constants)
    values[name] = std::make_shared<Constant>(constant);
  const Shape &shape = shapeOf(program.input);
  Flow input{shape, {}};
  built.sources.push_back({Source::Kind::Input, nullptr, -1, count(shape)});
  for (int64_t i = 0; i < count(shape); ++i)
    input.rows.push_back(std::make_shared<Row>(Row{{{0, i, 1.0}}}));
  values[program.input] = std::move(input);
  for (size_t i = 0; i < program.states.size(); ++i) {
    const State &state = program.states[i];
    const Shape &own = shapeOf(state.before);
    if (shapeOf(state.after) != own)
      fail(fmt::format("the state {} has shape {} before the step and {} after "
                       "it, expected the same",
                       quotedName(state.name), textOf(own),
                       textOf(shapeOf(state.after))));
    Frame frame = frameAt(own, -1);
    frame.home =
        population(count(Shape(own.begin() + long(frame.axis),
                               own.begin() + long(frame.axis + frame.axes))),
                   stateLevels[i]);
    Slot slot;
    slot.text = nameFor(frame.home, state.name);
    slot.inner = squeezed(frame.inner());
    slot.start = state.start.values;
    frame.home->states.push_back(slot);
    Body body{slot.text, own, frame.axis, frame.axes, frame.home};
    body.state = int(i);
    values[state.before] = add(std::move(body));
  }
}

void Tracer::run() {
  try {
    begin();
    for (at = 0; at < program.nodes.size(); ++at) {
      node = &program.nodes[at];
      visit();
    }
    node = nullptr;
    finish();
  } catch (const std::out_of_range &) {
    fail("has other arguments than expected");
  } catch (const std::bad_variant_access &) {
    fail("has an argument that changes where a constant is expected");
  }
}

void Tracer::visit() {
  if (node->outputs.empty())
    return; // an assertion about types
  if (std::optional<Value> moved = layout()) {
    keep(std::move(*moved)); // the first; layout() keeps others
    return;
  }
  keep(evaluate());
}

/// The value of a constant and of one that is none, for what follows.
static const Constant *constantOf(const Value &value) {
  const auto *found = std::get_if<ConstantPtr>(&value);
  return found ? found->get() : nullptr;
}

Value Tracer::evaluate() {
  static const std::map<std::string, Value (Tracer::*)()> kinds = {
      {"mm", &Tracer::product},
      {"addmm", &Tracer::product},
      {"linear", &Tracer::product},
      {"mv", &Tracer::product},
      {"matmul", &Tracer::product},
      {"bmm", &Tracer::batchProduct},
      {"convolution", &Tracer::convolution},
      {"avg_pool1d", &Tracer::averagePool},
      {"avg_pool2d", &Tracer::averagePool},
      {"adaptive_avg_pool1d", &Tracer::averagePool},
      {"_adaptive_avg_pool2d", &Tracer::averagePool},
      {"max_pool2d", &Tracer::largestPool},
      {"max_pool2d_with_indices", &Tracer::largestPool},
      {"_native_batch_norm_legit_no_training", &Tracer::normalised},
      {"native_layer_norm", &Tracer::layerNormalised},
      {"_softmax", &Tracer::softmax},
      {"sum", &Tracer::reduction},
      {"mean", &Tracer::reduction},
      {"amax", &Tracer::reduction},
      {"amin", &Tracer::reduction},
      {"max", &Tracer::reduction},
      {"min", &Tracer::reduction},
      {"argmax", &Tracer::reduction},
      {"argmin", &Tracer::reduction},
      {"any", &Tracer::reduction},
      {"all", &Tracer::reduction},
      {"gather", &Tracer::elementAt},
      {"scatter", &Tracer::written},
      {"sent", &Tracer::sentOn},
      {"topk", &Tracer::extremesAlong},
      {"sort", &Tracer::extremesAlong},
      {"kthvalue", &Tracer::extremesAlong},
      {"median", &Tracer::extremesAlong},
      {"prod", &Tracer::reduction},
      {"var", &Tracer::reduction},
      {"cumsum", &Tracer::cumulative},
      {"cumprod", &Tracer::cumulative},
      {"index", &Tracer::indexed},
      {"index_select", &Tracer::indexed}};
  if (auto made = madeConstant(*node, result()))
    return std::make_shared<Constant>(std::move(*made));
  if (isJoin(node->op))
    return joinTensors();
  auto kind = kinds.find(node->op);
  if (kind != kinds.end())
    return (this->*kind->second)();
  std::vector<Constant> known;
  std::vector<Value> all = operands();
  for (const Value &one : all)
    if (const Constant *constant = constantOf(one))
      known.push_back(*constant);
  if (!all.empty() && known.size() == all.size())
    if (auto folded = foldElements(*node, known, result()))
      return std::make_shared<Constant>(std::move(*folded));
  return elements();
}

void Tracer::finish() {
  auto bodyOf = [&](const std::string &tensor, unsigned where) {
    const Value &value = valueOf(tensor);
    if (auto *body = std::get_if<const Body *>(&value))
      return *body;
    Frame frame = frameAt(shapeOf(tensor), -1);
    frame.home = population(
        count(Shape(frame.shape.begin() + long(frame.axis),
                    frame.shape.begin() + long(frame.axis + frame.axes))),
        where);
    if (const Constant *constant = constantOf(value)) {
      std::string text = operandOf(*constant, frame, true);
      return add({text, frame.shape, frame.axis, frame.axes, frame.home});
    }
    const Body *arrived = port(std::get<Flow>(value), frame);
    join(frame.home->root(), arrived->home->root());
    return arrived;
  };
  for (size_t i = 0; i < program.states.size(); ++i) {
    const State &state = program.states[i];
    const Body *before = std::get<const Body *>(valueOf(state.before));
    const Body *after = bodyOf(state.after, stateLevels[i]);
    const bool other = after->neurons() != before->neurons();
    if (other && findsStates) {
      statesElsewhere.push_back(i);
      continue;
    }
    if (other)
      fail(fmt::format("the state {} is made of other neurons than it has",
                       quotedName(state.name)));
    after = here(after, before->home->root());
    built.states.push_back(after);
    std::string next = real(*after, before->home->root());
    for (Slot &slot : before->home->root()->states)
      if (slot.text == before->text)
        slot.next = next;
  }
  const Value &output = valueOf(program.output);
  if (constantOf(output))
    fail("the output is the same at every step, whatever the input");
  built.output = bodyOf(program.output, 0);
  if (built.output->state >= 0) { // as it was before the step
    Flow flow = flowOf(output);
    Frame frame = frameAt(flow.shape, built.output->neurons());
    frame.home = population(built.output->neurons(), 0);
    built.output = port(flow, frame);
  }
}

// What is sent within a step arrives in another population, which lies one
// level above. A first trace, all on one level, finds out where something is
// sent.
namespace {

class Layers {
public:
  Layers(const Program &program, const std::vector<bool> &sends)
      : program(program), sends(sends), levels(program.nodes.size(), 0),
        early(program.nodes.size(), false), known(program.nodes.size(), false),
        users(program.nodes.size()) {
    for (size_t i = 0; i < program.nodes.size(); ++i)
      for (const std::string &name : program.nodes[i].outputs)
        maker[name] = i;
    for (size_t i = 0; i < program.nodes.size(); ++i)
      for (const auto &[name, argument] : program.nodes[i].inputs)
        for (const std::string &tensor : argument.names)
          if (auto made = maker.find(tensor); made != maker.end())
            users[made->second].push_back(i);
  }

  void run() {
    for (size_t i = 0; i < levels.size(); ++i)
      upwards(i);
    // What follows from states alone is computed where it is first used.
    for (size_t i = levels.size(); i-- > 0;)
      if (early[i] && !users[i].empty())
        levels[i] = firstUse(i);
    for (size_t i = 0; i < levels.size(); ++i)
      if (early[i] && users[i].empty())
        levels[i] = besideItsState(i);
  }
  unsigned of(const std::string &tensor) const {
    auto made = maker.find(tensor);
    return made == maker.end() ? 0 : levels[made->second];
  }

  const Levels &all() const { return levels; }

private:
  bool isState(const std::string &tensor) const {
    return std::any_of(
        program.states.begin(), program.states.end(),
        [&](const State &state) { return state.before == tensor; });
  }

  void upwards(size_t i) {
    unsigned level = 0;
    bool onlyStates = true, any = false;
    for (const auto &[name, argument] : program.nodes[i].inputs)
      for (const std::string &tensor : argument.names) {
        auto made = maker.find(tensor);
        if (made != maker.end())
          level = std::max(level, levels[made->second]);
        const bool state = isState(tensor),
                   follows = made != maker.end() && early[made->second];
        any |= state || follows;
        onlyStates &= state || follows || isConstant(tensor);
      }
    known[i] = !any && onlyStates;
    early[i] = any && onlyStates && !sends[i];
    levels[i] = level + (sends[i] ? 1 : 0);
  }
  bool isConstant(const std::string &tensor) const {
    if (tensor.empty() || program.constants.count(tensor))
      return true;
    auto made = maker.find(tensor);
    return made != maker.end() && known[made->second];
  }
  unsigned firstUse(size_t i) const {
    unsigned first = ~0u;
    for (size_t user : users[i]) {
      unsigned at = levels[user];
      first = std::min(first, sends[user] && at ? at - 1 : at);
    }
    return first;
  }
  /// A new state that follows from states alone: where the old one is read.
  unsigned besideItsState(size_t i) const {
    for (const State &state : program.states)
      for (const std::string &name : program.nodes[i].outputs)
        if (state.after == name)
          for (size_t k = 0; k < levels.size(); ++k)
            for (const auto &[key, argument] : program.nodes[k].inputs)
              if (k != i && std::count(argument.names.begin(),
                                       argument.names.end(), state.before))
                return levels[k];
    return levels[i];
  }

  const Program &program;
  const std::vector<bool> &sends;
  Levels levels;
  std::vector<bool> early, known;
  std::vector<std::vector<size_t>> users;
  std::map<std::string, size_t> maker;
};

} // namespace

Built buildPopulations(const Program &given) {
  Program program = given;
  auto trace = [&](bool findsStates) {
    Tracer flat(program, Levels(program.nodes.size(), 0),
                std::vector<unsigned>(program.states.size(), 0), findsStates);
    flat.run();
    return std::make_pair(flat.sends, flat.statesElsewhere);
  };
  auto [sends, elsewhere] = trace(true);
  for (size_t i : elsewhere) {
    std::string &after = program.states[i].after, name = after + ".sent";
    Argument self;
    self.kind = Kind::Tensor;
    self.names = {after};
    Node sent{"sent", "", "", {{"self", self}}, {name}};
    for (const Node &one : program.nodes)
      if (std::count(one.outputs.begin(), one.outputs.end(), after))
        sent.place = one.place;
    program.nodes.push_back(sent);
    program.shapes[name] = program.shapes.at(after);
    after = name;
  }
  if (!elsewhere.empty())
    sends = trace(false).first;
  Layers layers(program, sends);
  layers.run();
  std::vector<unsigned> states;
  for (const State &state : program.states)
    states.push_back(layers.of(state.after));
  Tracer tracer(program, layers.all(), states, false);
  tracer.run();
  return std::move(tracer.built);
}

} // namespace dendrolith::torch
