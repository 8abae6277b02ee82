// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/compiler/native/Twins.h"

#include "mlir/Parser/Parser.h"

#include <cmath>
#include <cstring>
#include <stdexcept>

namespace dendrolith::test {

double moderate(std::mt19937_64 &random) {
  return random() % 3 ? double(random() % 4001) / 1000 - 2 : 0;
}

double edge(std::mt19937_64 &random) {
  static const double all[] = {0, 0, 1, -1, 2, -0.5, 1e200, -1e-200, 3};
  return all[random() % std::size(all)];
}

Parsed::Parsed(const std::string &text) {
  context.loadDialect<dend::DendDialect>();
  module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (module)
    network = *module->getOps<dend::NetworkOp>().begin();
}

class Twins::Counting : public dend::BodyCompiler {
public:
  explicit Counting(Twins &twins) : twins(twins) {}
  std::shared_ptr<const dend::CompiledBody> compile(dend::NeuronOp model,
                                                    int64_t neurons) override {
    auto body = native::bodyCompiler().compile(model, neurons);
    ++twins.bodies;
    twins.compiled += body != nullptr;
    return body;
  }

private:
  Twins &twins;
};

Twins::Twins(dend::NetworkOp network, const dend::Bindings &bindings)
    : network(network) {
  auto reference = dend::Interpreter::create(network, bindings);
  auto made = dend::fast::Interpreter::create(network, bindings);
  if (failed(reference) || failed(made))
    throw std::runtime_error("the network cannot be interpreted");
  plain = std::move(*reference);
  fast = std::move(*made);
  withCode = fast->copy();
  Counting counting(*this);
  withCode->compile({&counting, /*always=*/true, 0});
}

static bool isSame(const dend::Signal &x, const dend::Signal &y) {
  if (x.ticks != y.ticks || x.raw != y.raw || x.real.size() != y.real.size())
    return false;
  for (size_t i = 0; i < x.real.size(); ++i)
    if (std::memcmp(&x.real[i], &y.real[i], sizeof(double)) != 0 &&
        !(std::isnan(x.real[i]) && std::isnan(y.real[i])))
      return false;
  return true;
}

std::vector<dend::Interpreter *> Twins::everyForm() const {
  return {plain.get(), fast.get(), withCode.get()};
}

std::string Twins::difference(const dend::Interpreter &other) {
  for (auto population : network.getOps<dend::PopulationOp>()) {
    const std::string name = population.getSymName().str();
    dend::NeuronOp model = dend::modelOf(population);
    for (unsigned i = 0; i < model.getStates().size(); ++i) {
      const std::string state = model.getState(i).getName().getValue().str();
      if (!isSame(plain->state(name, state), other.state(name, state)))
        return name + ":" + state;
    }
    for (unsigned i = 0; i < model.getOutputs().size(); ++i) {
      const std::string output = model.getOutput(i).getName().getValue().str();
      if (!isSame(plain->emission(name, output), other.emission(name, output)))
        return name + "[" + output + "]";
    }
  }
  return "";
}

std::string Twins::compare(int samples, int ticks, std::mt19937_64 &random,
                           const Draw &draw) {
  for (int sample = 0; sample < samples; ++sample) {
    for (dend::Interpreter *each : everyForm())
      each->reset();
    for (int tick = 0; tick < ticks; ++tick) {
      std::map<std::string, std::vector<double>> values;
      for (const dend::InputInfo &input : plain->inputs()) {
        std::vector<double> &all = values[input.name];
        for (int64_t i = 0; i < input.size(); ++i)
          if (input.spike.getKind() == dend::SpikeKind::Graded)
            all.push_back(draw(random));
          else
            all.push_back(
                double(input.spike.getLow() +
                       int64_t(random() % uint64_t(input.spike.getHigh() -
                                                   input.spike.getLow() + 1))));
      }
      for (dend::Interpreter *each : everyForm())
        each->tick(values);
      for (const auto &other : {&fast, &withCode})
        if (const std::string found = difference(**other); !found.empty())
          return found + " at tick " + std::to_string(tick) + " of sample " +
                 std::to_string(sample) +
                 (other == &fast ? ", interpreted" : ", as machine code");
    }
  }
  return "";
}

} // namespace dendrolith::test
