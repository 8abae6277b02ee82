// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/torch/Write.h"

#include "compiler/import/common/Importer.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace dendrolith::torch {
namespace {

std::string symbol(const std::string &name, const char *otherwise) {
  std::string made;
  for (char c : name)
    made += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (made.empty())
    return otherwise;
  return std::isdigit(static_cast<unsigned char>(made[0])) ? "_" + made : made;
}
/// The values that an operation reads: words behind a %.
std::vector<std::string> readBy(const std::string &text) {
  std::vector<std::string> all;
  for (size_t at = text.find('%'); at != std::string::npos;
       at = text.find('%', at + 1)) {
    size_t end = at + 1;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) ||
            text[end] == '_'))
      ++end;
    all.push_back(text.substr(at, end - at));
  }
  return all;
}

/// The text with other names for the values that it reads.
std::string renamed(const std::string &text,
                    const std::map<std::string, std::string> &names) {
  std::string made;
  size_t done = 0;
  for (const std::string &name : readBy(text)) {
    const size_t at = text.find(name, done);
    made += text.substr(done, at - done);
    done = at + name.size();
    std::string now = name;
    for (auto it = names.find(now); it != names.end(); it = names.find(now))
      now = it->second;
    made += now;
  }
  return made + text.substr(done);
}

/// Ports that get the same become one: neurons that were joined after each had
/// read a layer, or that read it in two shapes, pay its synapses once.
void mergePorts(Built &built) {
  std::map<std::string, std::string> names;
  for (Population &one : built.populations) {
    std::map<std::string, Port *> kept; // by what arrives
    for (Port &port : one.ports) {
      std::string key = tensorType(port.inner);
      for (const RowPtr &row : port.rows) {
        key += fmt::format("|{}", row ? row->bias : 0);
        for (const Row::Entry &entry :
             row ? row->entries : std::vector<Row::Entry>())
          key += fmt::format(",{},{},{}", entry.source, entry.element,
                             entry.weight);
      }
      Port *&first = kept[key];
      if (!first) {
        first = &port;
        continue;
      }
      if (port.text.size() < first->text.size()) // the user's, no number
        std::swap(port.text, first->text);
      names[port.text] = first->text;
      port.text.clear(); // erasing would move what `kept` points at
    }
    one.ports.erase(
        std::remove_if(one.ports.begin(), one.ports.end(),
                       [](const Port &port) { return port.text.empty(); }),
        one.ports.end());
  }
  if (names.empty())
    return;
  for (Population &one : built.populations) {
    for (Line &line : one.lines)
      line.text = renamed(line.text, names);
    for (Slot &slot : one.states)
      slot.next = renamed(slot.next, names);
  }
  for (Body &body : built.bodies)
    body.text = renamed(body.text, names);
}

class Writer {
public:
  Writer(const Program &program, Built &built)
      : program(program), built(built) {}

  Written run() {
    for (const char *word : {"step", "net"})
      names.take(word);
    input = names.fresh(symbol(program.input, "x"));
    for (Population &one : built.populations)
      if (!one.joined)
        one.name =
            names.fresh(symbol(one.name, one.states.empty() ? "sum" : "cell"));
    const std::string answer = emission(built.output);
    sendWhatIsRead();
    made.text = "dend.network @net {\n  dend.clock @step\n" + inputText();
    for (Population &one : built.populations)
      if (!one.joined && isNeeded(one))
        writePopulation(one);
    made.text += projections + fmt::format("  dend.output @{} = {}\n}}\n",
                                           names.fresh("y"), answer);
    return std::move(made);
  }

private:
  /// Who sends to a port that is read has an output.
  void sendWhatIsRead() {
    for (bool more = true; more;) {
      more = false;
      for (Population &one : built.populations) {
        if (one.joined || !isNeeded(one))
          continue;
        prune(one);
        for (const Port &port : one.ports)
          for (const RowPtr &row :
               pruned[&one].second.count(port.text) ? port.rows : noRows)
            for (const Row::Entry &entry : row ? row->entries : noEntries)
              more |= demand(entry.source);
      }
    }
  }
  bool demand(int id) {
    if (!demanded.insert(id).second)
      return false;
    sourceText(id);
    return true;
  }
  bool isNeeded(const Population &one) const {
    return !one.emissions.empty() || !one.states.empty();
  }

  std::string inputText() const {
    const Shape &shape = program.shapes.at(program.input);
    Shape own = shape.size() > 1 && shape[0] == 1
                    ? Shape(shape.begin() + 1, shape.end())
                    : shape;
    if (own.empty())
      own = {1};
    return fmt::format("  dend.input @{} on @step : {} as "
                       "!dend.spike<graded>\n",
                       input, tensorType(own));
  }

  std::string emission(const Body *body) {
    body = body->first();
    Population &home = *body->home->root();
    for (const Emission &one : home.emissions)
      if (one.body->text == body->text)
        return fmt::format("@{}[\"{}\"]", home.name, one.name);
    std::set<std::string> taken;
    for (const Emission &one : home.emissions)
      taken.insert(one.name);
    std::string name = body->truth ? "s" : "y";
    for (size_t i = 1; taken.count(name); ++i)
      name = fmt::format("{}{}", body->truth ? "s" : "y", i);
    home.emissions.push_back({body, name});
    return fmt::format("@{}[\"{}\"]", home.name, name);
  }
  std::string sourceText(int id) {
    const Source &source = built.sources[size_t(id)];
    if (source.kind == Source::Kind::Input)
      return "@" + input;
    if (source.kind == Source::Kind::State)
      return emission(built.states[size_t(source.state)]);
    return emission(source.body);
  }

  /// Leaves out what nobody reads.
  void prune(const Population &one) {
    std::set<std::string> read;
    for (const Slot &slot : one.states)
      read.insert(slot.next);
    for (const Emission &emitted : one.emissions)
      read.insert(emitted.body->text);
    std::vector<Line> kept;
    for (size_t i = one.lines.size(); i-- > 0;)
      if (read.count(one.lines[i].result)) {
        for (const std::string &name : readBy(one.lines[i].text))
          read.insert(name);
        kept.push_back(one.lines[i]);
      }
    std::reverse(kept.begin(), kept.end());
    pruned[&one] = {std::move(kept), read};
  }

  void writePopulation(Population &one) {
    prune(one);
    auto &[lines, read] = pruned[&one];
    std::vector<std::string> ports, parameters, bound, states, next, outputs,
        emitted;
    for (const Port &port : one.ports)
      if (read.count(port.text)) {
        ports.push_back(port.text + " : " + tensorType(port.inner));
        project(one, port);
      }
    for (const Parameter &given : one.parameters)
      if (read.count(given.text)) {
        parameters.push_back(given.text + " : " + tensorType(given.inner) +
                             (given.perNeuron ? " per_neuron" : ""));
        std::string name = given.text.substr(1);
        bound.push_back(
            fmt::format("{} = @{}", name,
                        constant(one.name + "_" + name, shapeOf(one, given),
                                 given.values)));
      }
    for (const Slot &slot : one.states) {
      states.push_back(fmt::format("{} : {} reset sample{}", slot.text,
                                   tensorType(slot.inner), start(one, slot)));
      next.push_back(slot.next);
    }
    for (const Emission &sent : one.emissions) {
      const int64_t width = count(sent.body->inner());
      outputs.push_back(
          sent.name + (width > 1 ? fmt::format("[{}]", width) : std::string()));
      emitted.push_back(sent.body->text);
    }
    auto part = [](const char *word, const std::vector<std::string> &list) {
      return list.empty() ? std::string()
                          : fmt::format(" {}({})", word, fmt::join(list, ", "));
    };
    std::string text =
        fmt::format("  dend.neuron @{}_model{}{}{}{} {{\n", one.name,
                    part("ports", ports), part("params", parameters),
                    part("states", states), part("outputs", outputs));
    for (const Line &line : lines)
      text += fmt::format("    {} = {}\n", line.result, line.text);
    text += "    dend.yield" + part("states", next) + part("emit", emitted) +
            "\n  }\n";
    text += fmt::format(
        "  dend.population @{0} : @{0}_model[{1}] on @step{2}\n", one.name,
        one.neurons,
        bound.empty() ? std::string()
                      : fmt::format(" bind {{{}}}", fmt::join(bound, ", ")));
    made.text += text;
  }
  static Shape shapeOf(const Population &one, const Parameter &given) {
    Shape shape = given.inner;
    if (given.perNeuron)
      shape.insert(shape.begin(), one.neurons);
    return shape;
  }
  std::string start(const Population &one, const Slot &slot) {
    const auto [low, high] =
        std::minmax_element(slot.start.begin(), slot.start.end());
    if (slot.start.empty() || (*low == 0 && *high == 0))
      return "";
    Shape shape = slot.inner;
    shape.insert(shape.begin(), one.neurons);
    return " init @" + constant(one.name + "_" + slot.text.substr(1) + "_start",
                                shape, slot.start);
  }
  std::string constant(const std::string &wish, const Shape &shape,
                       std::vector<double> values) {
    std::string name = names.fresh(wish);
    made.constants[name] = {
        npz::Shape(shape.begin(), shape.end()), std::move(values), {}};
    return name;
  }

  using Weights = std::map<std::pair<int64_t, int64_t>, double>; // source first

  void project(const Population &one, const Port &port) {
    std::map<int, Weights> bySource;
    std::vector<double> bias(port.rows.size(), 0);
    bool biased = false;
    for (size_t i = 0; i < port.rows.size(); ++i) {
      if (!port.rows[i])
        continue;
      bias[i] = port.rows[i]->bias;
      biased |= bias[i] != 0;
      for (const Row::Entry &entry : port.rows[i]->entries)
        bySource[entry.source][{entry.element, int64_t(i)}] += entry.weight;
    }
    if (bySource.empty())
      bySource[0][{0, 0}] = 0; // a bias has to stand on some projection
    const std::string target = port.text.substr(1),
                      prefix = one.name + "_" + target;
    bool first = true;
    for (const auto &[id, weights] : bySource) {
      std::string kind =
          synapses(prefix, weights, built.sources[size_t(id)].width,
                   int64_t(port.rows.size()));
      if (first && biased)
        kind += " bias @" +
                constant(prefix + "_bias", {int64_t(bias.size())}, bias);
      first = false;
      projections += fmt::format(
          "  dend.project {} -> @{}[\"{}\"] {} delay {}\n", sourceText(id),
          one.name, target, kind,
          built.sources[size_t(id)].kind == Source::Kind::State ? 1 : 0);
    }
  }

  std::string synapses(const std::string &prefix, const Weights &weights,
                       int64_t sources, int64_t targets) {
    bool diagonal = sources == targets && int64_t(weights.size()) == targets,
         ones = true;
    for (const auto &[at, weight] : weights) {
      diagonal &= at.first == at.second;
      ones &= weight == 1;
    }
    std::vector<double> values;
    for (const auto &[at, weight] : weights)
      values.push_back(weight);
    if (diagonal)
      return ones ? "#dend.diagonal"
                  : "#dend.diagonal weight @" +
                        constant(prefix + "_weight", {targets}, values);
    if (int64_t(weights.size()) * 3 < sources * targets) {
      std::string name =
          constant(prefix + "_weight", {int64_t(values.size())}, values);
      for (const auto &[at, weight] : weights) {
        made.constants[name].indices.push_back(int32_t(at.second));
        made.constants[name].indices.push_back(int32_t(at.first));
      }
      return fmt::format("#dend.sparse weight @{} indices @\"{}.indices\"",
                         name, name);
    }
    std::vector<double> matrix(size_t(sources * targets), 0);
    for (const auto &[at, weight] : weights)
      matrix[size_t(at.second * sources + at.first)] = weight;
    return "#dend.dense weight @" +
           constant(prefix + "_weight", {targets, sources}, std::move(matrix));
  }

  const Program &program;
  Built &built;
  Names names;
  std::string input, projections;
  std::set<int> demanded;
  const std::vector<Row::Entry> noEntries;
  const std::vector<RowPtr> noRows;
  std::map<const Population *,
           std::pair<std::vector<Line>, std::set<std::string>>>
      pruned;
  Written made;
};

} // namespace

Written writeNetwork(const Program &program, Built built) {
  mergePorts(built);
  return Writer(program, built).run();
}

} // namespace dendrolith::torch
