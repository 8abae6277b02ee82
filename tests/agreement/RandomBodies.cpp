// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/agreement/RandomBodies.h"

#include "tests/agreement/RandomBody.h"

#include <algorithm>

namespace dendrolith::test {
namespace {

struct Output {
  std::string name;
  int elements = 1;
};
struct Port {
  std::string name;
  BodyType type;
};
struct Param {
  std::string name;
  BodyType type;
  bool perNeuron = false;
  bool branch = false; // who has a branch: neighbours are mostly alike
};
struct Model {
  std::string name;
  std::vector<Port> ports;
  std::vector<Param> params;
  std::vector<Output> outputs;
  std::vector<std::string> states;
  bool branched = false;
};
struct Population {
  std::string name;
  const Model *model = nullptr;
  int size = 1;
  bool micro = false;
};

class BodiesGenerator {
public:
  explicit BodiesGenerator(uint32_t seed) : random(seed) {}

  RandomBodies run() {
    divided = below(2);
    ticks = 2 + below(3);
    line("dend.clock @t");
    if (divided)
      line("dend.clock @m divides @t by " + std::to_string(ticks));
    for (int i = 0; i < 1 + below(2); ++i)
      addInput(i);
    int count = 1 + below(3);
    models.reserve(size_t(count));
    for (int i = 0; i < count; ++i)
      addModel(i);
    for (int i = 0; i < count + below(2); ++i)
      addPopulation(i);
    for (int i = 0; i < int(populations.size()) + 2 + below(3); ++i)
      addProjection(i);
    result.text = "dend.network @random {\n" + body + "}\n";
    return std::move(result);
  }

private:
  int below(int n) { return int(random() % uint32_t(n)); }
  void line(const std::string &text) { body += "  " + text + "\n"; }

  std::string number(const BodyType &type) {
    if (type.kind == BodyType::Bool)
      return std::to_string(below(2));
    int bits = std::min(type.width - 1, 16);
    int span = 1 << bits;
    return std::to_string(below(2 * span) - span);
  }

  /// A constant of integers in the storage of a type, with a leading axis if
  /// count > 0 and numbers up to `most` if that is given; returns its symbol.
  std::string constant(const BodyType &type, int count, int most = 0) {
    std::string name = "@k" + std::to_string(constants++);
    std::vector<int> shape = type.shape;
    if (count > 0)
      shape.insert(shape.begin(), count);
    std::string dims, open,
        storage = type.kind == BodyType::Bool  ? "i1"
                  : type.kind == BodyType::Int ? "i32"
                                               : "i64";
    for (int extent : shape)
      dims += std::to_string(extent) + "x";
    std::string value = list(type, shape, 0, most);
    line("dend.constant " + name + " : tensor<" + dims + storage +
         "> = dense<" + value + "> : tensor<" + dims + storage + ">");
    return name;
  }

  std::string list(const BodyType &type, const std::vector<int> &shape,
                   size_t axis, int most) {
    if (axis == shape.size()) {
      if (most)
        return std::to_string(below(2 * most + 1) - most);
      std::string text = number(type);
      return type.kind == BodyType::Bool ? (text == "1" ? "true" : "false")
                                         : text;
    }
    std::string all;
    for (int i = 0; i < shape[axis]; ++i)
      all += (i ? ", " : "") + list(type, shape, axis + 1, most);
    return "[" + all + "]";
  }

  /// Which neurons have a branch, as runs.
  std::string presence(int size) {
    std::string name = "@k" + std::to_string(constants++), all;
    bool now = below(2);
    for (int n = 0; n < size; ++n) {
      now ^= below(3) == 0;
      all += (n ? ", " : "") + std::string(now ? "true" : "false");
    }
    std::string type = "tensor<" + std::to_string(size) + "xi1>";
    line("dend.constant " + name + " : " + type + " = dense<[" + all +
         "]> : " + type);
    return name;
  }

  BodyType randomType(int mostRank) {
    static const int widths[] = {4, 8, 12, 16, 24, 32};
    BodyType type{BodyType::Fixed, widths[below(6)], below(5) - 4, {}};
    int rank = below(mostRank + 1);
    for (int r = 0; r < rank; ++r)
      type.shape.push_back(2 + below(3));
    return type;
  }

  void addInput(int index) {
    std::string name = "x" + std::to_string(index);
    int size = 2 + below(4);
    bool binary = below(2), micro = divided && below(3) == 0;
    line("dend.input @" + name + " on @" + (micro ? "m" : "t") + " : tensor<" +
         std::to_string(size) + "xf64> as !dend.spike<" +
         (binary ? "binary>" : "int, -9, 12>"));
    inputs.push_back({name, size});
    Samples samples;
    samples.samples = 2;
    samples.steps = uint64_t(6 * (micro ? ticks : 1));
    samples.shape = {uint64_t(size)};
    std::vector<double> values(2 * samples.steps * uint64_t(size));
    for (double &value : values)
      value = binary ? below(2) : below(2) == 0 ? 0 : below(22) - 9;
    samples.values = std::move(values);
    result.inputs[name] = std::move(samples);
  }

  void addModel(int index) {
    Model model;
    model.name = "n" + std::to_string(index);
    std::vector<BodyValue> pool;
    std::string head = "dend.neuron @" + model.name, ports, params, states;
    for (int i = 0; i < 1 + below(2); ++i) {
      Port port{"p" + std::to_string(i), randomType(1)};
      bool hold = divided && below(4) == 0;
      ports += (i ? ", " : "") + ("%" + port.name) + " : " + port.type.text() +
               (hold ? " hold @t" : "");
      pool.push_back({"%" + port.name, port.type});
      model.ports.push_back(port);
    }
    const int branches = below(2) ? 0 : 1 + below(3);
    for (int i = 0; i < branches; ++i) {
      Param param{"has" + std::to_string(i), boolean({}), true, true};
      params += (i ? ", %" : "%") + param.name + " : i1 per_neuron";
      pool.push_back({"%" + param.name, param.type});
      model.params.push_back(param);
    }
    model.branched = branches > 0;
    for (int i = 0; i < below(4); ++i) {
      Param param{"q" + std::to_string(i), randomType(2), below(2) == 0};
      if (int other = below(6); other < 2)
        param.type =
            other ? integer(param.type.shape) : boolean(param.type.shape);
      params += (params.empty() ? "" : ", ") + ("%" + param.name) + " : " +
                param.type.text() + (param.perNeuron ? " per_neuron" : "");
      pool.push_back({"%" + param.name, param.type});
      model.params.push_back(param);
    }
    std::vector<BodyType> stateTypes;
    for (int i = branches + 1 + below(3); i > 0; --i) {
      std::string name = "s" + std::to_string(stateTypes.size());
      BodyType type = randomType(2);
      if (below(6) == 0)
        type = {BodyType::Int, 32, 0, {}};
      static const char *const resets[] = {"sample", "sample", "sample",
                                           "never"};
      std::string reset = divided && below(3) == 0 ? "@t" : resets[below(4)];
      states += (states.empty() ? "" : ", ") + ("%" + name) + " : " +
                type.text() + " reset " + reset +
                (below(3) ? "" : " init " + std::to_string(below(7) - 3));
      pool.push_back({"%" + name, type});
      stateTypes.push_back(type);
      model.states.push_back(name);
    }
    BodyWriter writer(random, pool);
    std::vector<std::string> moved; // by branches: the first states
    for (int i = 0; i < branches; ++i) {
      for (int ops = below(4); ops > 0; --ops)
        writer.addOp();
      moved.push_back(writer.branch(
          "%has" + std::to_string(i),
          {"%" + model.states[size_t(i)], stateTypes[size_t(i)]}));
    }
    for (int i = 3 + below(12); i > 0; --i)
      writer.addOp();
    std::string next, nextTypes, emitted, emittedTypes, outputs;
    for (size_t i = 0; i < stateTypes.size(); ++i) {
      bool own = i < moved.size() && below(8);
      next +=
          (i ? ", " : "") + (own ? moved[i] : writer.valueOf(stateTypes[i]));
      nextTypes += (i ? ", " : "") + stateTypes[i].text();
    }
    for (int i = 0; i < below(4); ++i) {
      auto [spike, type] = randomOutput(writer);
      Output output{"o" + std::to_string(i), type.elements()};
      outputs +=
          (i ? ", " : "") + output.name +
          (output.elements > 1 ? "[" + std::to_string(output.elements) + "]"
                               : "") +
          " : " + spike;
      emitted += (i ? ", " : "") + writer.valueOf(type);
      emittedTypes += (i ? ", " : "") + type.text();
      model.outputs.push_back(output);
    }
    line(head + " ports(" + ports + ")");
    if (!params.empty())
      line("    params(" + params + ")");
    line("    states(" + states + ")");
    line(std::string("    ") +
         (outputs.empty() ? "" : "outputs(" + outputs + ") ") + "{");
    body += writer.text;
    line("    dend.yield states(" + next + " : " + nextTypes + ")" +
         (emitted.empty() ? ""
                          : " emit(" + emitted + " : " + emittedTypes + ")"));
    line("}");
    for (auto [kind, count] : writer.kinds)
      result.kinds[kind] += count;
    ++result.bodies;
    models.push_back(std::move(model));
  }

  /// A spike type and the type of the value it takes.
  std::pair<std::string, BodyType> randomOutput(BodyWriter &) {
    std::vector<int> shape;
    if (below(3) == 0)
      shape.push_back(2 + below(3));
    BodyType number{BodyType::Fixed, 12, 0, shape};
    switch (below(4)) {
    case 0:
    case 1:
      return {"!dend.spike<binary>", {BodyType::Bool, 1, 0, shape}};
    case 2:
      return {"!dend.spike<int, -" + std::to_string(1 + below(4)) + ", " +
                  std::to_string(1 + below(5)) + ">",
              number};
    default:
      return {"!dend.spike<unary, " + std::to_string(1 + below(3)) + ">",
              number};
    }
  }

  void addPopulation(int index) {
    Population population;
    population.name = "a" + std::to_string(index);
    population.model = &models[size_t(below(int(models.size())))];
    population.size = 1 + below(population.model->branched ? 9 : 4);
    population.micro = divided && below(2);
    std::string bind;
    for (const Param &param : population.model->params) {
      std::string symbol =
          param.branch
              ? presence(population.size)
              : constant(param.type, param.perNeuron ? population.size : 0);
      bind += (bind.empty() ? "" : ", ") + param.name + " = " + symbol;
    }
    line("dend.population @" + population.name + " : @" +
         population.model->name + "[" + std::to_string(population.size) +
         "] on @" + (population.micro ? "m" : "t") +
         (bind.empty() ? "" : " bind {" + bind + "}"));
    for (const std::string &state : population.model->states) {
      std::string name = "v" + std::to_string(shown++);
      line("dend.output @" + name + " = probe @" + population.name + "[\"" +
           state + "\"]");
      result.traces.push_back(population.name + ":" + state);
    }
    for (const Output &output : population.model->outputs) {
      std::string name = "y" + std::to_string(shown++);
      line("dend.output @" + name + " = @" + population.name + "[\"" +
           output.name + "\"]");
      result.traces.push_back(population.name + ":" + output.name);
    }
    populations.push_back(population);
  }

  /// From an input or a population to a port; zero delays only run forward.
  void addProjection(int index) {
    size_t target = size_t(index) < populations.size()
                        ? size_t(index)
                        : size_t(below(int(populations.size())));
    const Population &to = populations[target];
    const Port &port =
        to.model->ports[size_t(below(int(to.model->ports.size())))];
    int targets = to.size * port.type.elements(), sources = 0, delay = 0;
    std::string from;
    size_t source = size_t(below(int(populations.size())));
    bool fromInput = below(2) || populations[source].model->outputs.empty();
    if (fromInput) {
      const auto &input = inputs[size_t(below(int(inputs.size())))];
      from = "@" + input.first;
      sources = input.second;
      delay = below(3);
    } else {
      const Population &p = populations[source];
      const Output &output =
          p.model->outputs[size_t(below(int(p.model->outputs.size())))];
      from = "@" + p.name + "[\"" + output.name + "\"]";
      sources = p.size * output.elements;
      delay = source < target ? below(3) : 1 + below(2);
    }
    // Weights and biases are of the port's type.
    int most = std::min(15, int((1u << (port.type.width - 1)) - 1));
    BodyType weight{BodyType::Int, 8, 0, {targets, sources}};
    std::string how;
    if (sources == targets && below(2))
      how = "#dend.diagonal weight " +
            constant({BodyType::Int, 8, 0, {sources}}, 0, most);
    else if (below(3) == 0)
      how = sparse(targets, sources, most);
    else
      how = "#dend.dense weight " + constant(weight, 0, most);
    std::string bias;
    if (below(4) == 0)
      bias = " bias " + constant({BodyType::Int, 8, 0, {targets}}, 0, most);
    line("dend.project " + from + " -> @" + to.name + "[\"" + port.name +
         "\"] " + how + bias + " delay " + std::to_string(delay) +
         (below(3) ? "" : " shift " + std::to_string(1 + below(4))));
  }

  /// Some of all pairs, at least one, by source.
  std::string sparse(int targets, int sources, int most) {
    std::string name = "@k" + std::to_string(constants++), pairs;
    int count = 0, sure = below(targets * sources);
    for (int pair = 0; pair < targets * sources; ++pair)
      if (pair == sure || below(2)) {
        pairs += (count++ ? ", [" : "[") + std::to_string(pair % targets) +
                 ", " + std::to_string(pair / targets) + "]";
      }
    std::string type = "tensor<" + std::to_string(count) + "x2xi32>";
    line("dend.constant " + name + " : " + type + " = dense<[" + pairs +
         "]> : " + type);
    return "#dend.sparse weight " +
           constant({BodyType::Int, 8, 0, {count}}, 0, most) + " indices " +
           name;
  }

  std::mt19937 random;
  RandomBodies result;
  std::string body;
  bool divided = false;
  int ticks = 1, constants = 0, shown = 0;
  std::vector<std::pair<std::string, int>> inputs;
  std::vector<Model> models;
  std::vector<Population> populations;
};

} // namespace

RandomBodies randomBodies(uint32_t seed) { return BodiesGenerator(seed).run(); }

} // namespace dendrolith::test
