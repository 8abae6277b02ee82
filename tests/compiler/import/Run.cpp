// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/compiler/import/Run.h"
#include "compiler/import/Import.h"
#include "compiler/import/nir/Nir.h"
#include "dialects/dend/reference/Interpreter.h"
#include "targets/support/Error.h"

namespace dendrolith::testing {

struct Imported::State {
  ImportedModel model;
  std::unique_ptr<dend::Interpreter> interpreter;
};

static mlir::MLIRContext &sharedContext() {
  static mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  return context;
}

Imported::Imported(const std::string &path)
    : Imported(std::unique_ptr<State>(
          new State{importModel(sharedContext(), path), nullptr})) {}

Imported::Imported(const std::string &path, const nir::NirOptions &options)
    : Imported(std::unique_ptr<State>(
          new State{importNir(sharedContext(), path, options), nullptr})) {}

Imported::Imported(std::unique_ptr<State> imported)
    : state(std::move(imported)) {
  auto network = *state->model.module->getOps<dend::NetworkOp>().begin();
  auto created = dend::Interpreter::create(network);
  if (mlir::failed(created))
    throw std::runtime_error("the interpreter refuses the network");
  state->interpreter = std::move(*created);
}

Imported::~Imported() = default;

Rows Imported::outputs(const Rows &rows, const std::string &input,
                       const std::string &output) {
  for (auto &entry : recorded)
    entry.second.clear();
  dend::Interpreter &interpreter = *state->interpreter;
  interpreter.reset();
  Rows out;
  for (const Row &row : rows) {
    interpreter.tick({{input, row}});
    out.push_back(interpreter.output(output));
    for (auto &[name, seen] : recorded) {
      const dend::Signal &signal = interpreter.emission(name);
      seen.push_back(signal.isReal ? signal.real
                                   : Row(signal.raw.begin(), signal.raw.end()));
    }
  }
  return out;
}

std::string Imported::text() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  state->model.module->print(stream);
  return text;
}

const Choices &Imported::choices() const { return state->model.choices; }
const Warnings &Imported::warnings() const { return state->model.warnings; }
const std::string &Imported::name() const { return state->model.name; }

template <typename Import> static std::string errorOf(Import import) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  try {
    import(context);
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

std::string refusal(const std::string &path) {
  return errorOf([&](auto &context) { importModel(context, path); });
}

std::string refusal(const std::string &path, const nir::NirOptions &options) {
  return errorOf([&](auto &context) { importNir(context, path, options); });
}

} // namespace dendrolith::testing
