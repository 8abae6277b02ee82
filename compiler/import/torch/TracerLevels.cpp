// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is sent within a step arrives in another population, which lies one
// level above. A first trace, all on one level, finds out where something is
// sent.

#include "compiler/import/torch/Tracer.h"

#include <algorithm>

namespace dendrolith::torch {
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

Built buildPopulations(const Program &program) {
  Tracer flat(program, Levels(program.nodes.size(), 0),
              std::vector<unsigned>(program.states.size(), 0));
  flat.run();
  Layers layers(program, flat.sends);
  layers.run();
  std::vector<unsigned> states;
  for (const State &state : program.states)
    states.push_back(layers.of(state.after));
  Tracer tracer(program, layers.all(), states);
  tracer.run();
  return std::move(tracer.built);
}

} // namespace dendrolith::torch
