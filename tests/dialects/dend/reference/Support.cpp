// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/dialects/dend/reference/Support.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <cmath>
#include <cstring>

using namespace mlir;

namespace dendrolith::dend::test {

static bool isSame(double x, double y) {
  return std::memcmp(&x, &y, sizeof x) == 0 || (std::isnan(x) && std::isnan(y));
}

static void expectSame(const Reals &plain, const Reals &fast, StringRef what) {
  ASSERT_EQ(plain.size(), fast.size()) << what.str();
  for (size_t i = 0; i < plain.size(); ++i)
    ASSERT_TRUE(isSame(plain[i], fast[i]))
        << what.str() << ": element " << i << " is " << plain[i]
        << ", in the fast form " << fast[i];
}

static void expectSame(const Signal &plain, const Signal &fast,
                       StringRef what) {
  EXPECT_EQ(plain.ticks, fast.ticks) << what.str();
  EXPECT_EQ(plain.raw, fast.raw) << what.str();
  expectSame(plain.real, fast.real, what);
}

void BothForms::reset() {
  plain->reset();
  fast->reset();
}

void BothForms::tick(const std::map<std::string, Reals> &values) {
  plain->tick(values);
  fast->tick(values);
}

Reals BothForms::output(StringRef name) const {
  Reals values = plain->output(name);
  expectSame(values, fast->output(name), name);
  return values;
}

const Signal &BothForms::emission(StringRef population,
                                  StringRef output) const {
  const Signal &signal = plain->emission(population, output);
  expectSame(signal, fast->emission(population, output), population);
  return signal;
}

const Signal &BothForms::state(StringRef population, StringRef state) const {
  const Signal &signal = plain->state(population, state);
  expectSame(signal, fast->state(population, state), state);
  return signal;
}

Loaded::Loaded(const std::string &body, const Bindings &bindings) {
  context.loadDialect<DendDialect>();
  context.printOpOnDiagnostic(false);
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    errors += diagnostic.str() + "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      errors += "note: " + note.str() + "\n";
  });
  module = parseSourceString<ModuleOp>("dend.network @net {\n" + body + "\n}\n",
                                       &context);
  if (!module)
    return;
  network = *module->getOps<NetworkOp>().begin();
  auto plain = Interpreter::create(network, bindings);
  if (failed(plain)) // the fast form is refused in the same words
    return;
  forms.plain = std::move(*plain);
  auto fast = fast::Interpreter::create(network, bindings);
  if (failed(fast)) {
    ADD_FAILURE() << "the fast form refuses what the reference takes";
    return;
  }
  forms.fast = std::move(*fast);
}

namespace {

/// "tensor<2x3xf64>" with another element type and a leading axis.
std::string tensorOf(const std::string &type, int64_t neurons,
                     const std::string &element) {
  std::string shape;
  if (type.rfind("tensor<", 0) == 0)
    shape = type.substr(7, type.find_first_of("!fic", 7) - 7);
  if (neurons)
    shape = std::to_string(neurons) + "x" + shape;
  return "tensor<" + shape + element + ">";
}

std::string elementOf(const std::string &type) {
  if (type.rfind("tensor<", 0) != 0)
    return type;
  size_t first = type.find_first_of("!fic", 7);
  return type.substr(first, type.size() - 1 - first);
}

Signal run(const std::string &type, const std::vector<Argument> &arguments,
           const std::string &body, int64_t neurons) {
  std::string text = "dend.clock @step\n", params, bound;
  for (const Argument &a : arguments) {
    text += constant(a.name, a.type, a.elements, a.neurons) + "\n";
    params += (params.empty() ? "" : ", ") + ("%" + a.name) + " : " + a.type +
              (a.neurons ? " per_neuron" : "");
    bound += (bound.empty() ? "" : ", ") + a.name + " = @" + a.name;
  }
  text += "dend.neuron @model ";
  text += params.empty() ? "" : "params(" + params + ") ";
  text += "states(%result : " + type + " reset sample) {\n" + body +
          "\n dend.yield states(%out : " + type + ")\n}\n";
  text += "dend.population @P : @model[" + std::to_string(neurons) +
          "] on @step" + (bound.empty() ? "" : " bind {" + bound + "}") + "\n";
  Loaded loaded(text);
  if (!loaded) {
    ADD_FAILURE() << loaded.errors << text;
    return {};
  }
  loaded->tick({});
  return loaded->state("P", "result");
}

} // namespace

std::string constant(const std::string &name, const std::string &type,
                     const std::string &elements, int64_t neurons) {
  std::string element = elementOf(type);
  bool isFixed = element.rfind("!dend.fx", 0) == 0;
  std::string text = "dend.constant @" + name + " : " +
                     tensorOf(type, neurons, element) + " = dense<" + elements +
                     ">";
  return text + " : " + tensorOf(type, neurons, isFixed ? "i64" : element);
}

Reals evalReal(const std::string &type, const std::vector<Argument> &arguments,
               const std::string &body, int64_t neurons) {
  return run(type, arguments, body, neurons).real;
}

Ints evalInts(const std::string &type, const std::vector<Argument> &arguments,
              const std::string &body, int64_t neurons) {
  return run(type, arguments, body, neurons).raw;
}

} // namespace dendrolith::dend::test
