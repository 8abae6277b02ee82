// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/mlir/Mlir.h"

#include "compiler/import/common/Findings.h"
#include "compiler/import/common/TryParse.h"
#include "dialects/dend/Dend.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace dendrolith {

/// A line of a file with a caret below a column of it, or nothing where there
/// is no such line. Both count from 1.
static std::string excerpt(const std::string &path, unsigned line,
                           unsigned column) {
  constexpr unsigned kWidth = 96; // a line of numbers can be of any length
  std::ifstream file(path);
  std::string text;
  for (unsigned i = 0; i < line; ++i)
    if (!std::getline(file, text))
      return "";
  if (!line || !column || column > text.size() + 1)
    return "";
  const size_t first = column > kWidth ? column - kWidth / 2 : 0;
  text = text.substr(first, kWidth);
  for (char &c : text)
    c = c == '\t' ? ' ' : c;
  return fmt::format("\n  {}\n  {:>{}}", printable(text, 2 * kWidth), "^",
                     column - first);
}

/// MLIR takes the point of ".95" for the first of three.
static std::string inOurWords(std::string text) {
  if (text == "expected three consecutive dots for an ellipsis")
    return "expected a digit in front of the point of a number, as in 0.5";
  return text;
}

namespace {

/// What MLIR has to say of a file becomes the error.
class Said {
public:
  Said(mlir::MLIRContext &context, const std::string &path)
      : path(path), handler(&context, [this](mlir::Diagnostic &diagnostic) {
          add(diagnostic);
          for (mlir::Diagnostic &note : diagnostic.getNotes())
            add(note);
          return mlir::success();
        }) {}

  /// What was said since the last call is one finding.
  void settle() {
    // Bytecode brings its own places along.
    if (!said.empty())
      found.keep(said.rfind(path, 0) == 0 ? said : path + ": " + said);
    said.clear();
  }
  void raise() {
    settle();
    found.raise();
  }

private:
  void add(mlir::Diagnostic &one) {
    constexpr size_t kShown = 32; // findings with their lines of the file
    std::string where, shown;
    if (auto loc = llvm::dyn_cast<mlir::FileLineColLoc>(one.getLocation())) {
      // What stands for a file can be a damaged attribute of bytecode.
      where =
          fmt::format("{}:{}:{}: ", printable(loc.getFilename().str(), 4096),
                      loc.getLine(), loc.getColumn());
      if (said.empty() && loc.getFilename() == path && found.size() < kShown)
        shown = excerpt(path, loc.getLine(), loc.getColumn());
    }
    // A damaged file gives errors without end.
    if (said.size() < 4096)
      said += (said.empty() ? "" : "\n") + where +
              printable(inOurWords(one.str()), 1024) + shown;
  }

  const std::string &path;
  std::string said;
  Collector found;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace

/// Verifies each part of the networks, and then the names that it uses, so that
/// a fault of one hides none of another; and at last the whole.
static void verifyAll(mlir::ModuleOp module, Said &said) {
  std::vector<mlir::Operation *> parts;
  for (mlir::Operation &network : module.getOps())
    for (mlir::Region &region : network.getRegions())
      for (mlir::Operation &part : region.getOps())
        parts.push_back(&part);
  for (mlir::Operation *part : parts) {
    (void)mlir::verify(part);
    said.settle();
  }
  said.raise();
  mlir::SymbolTableCollection symbols;
  for (mlir::Operation *part : parts)
    if (auto user = llvm::dyn_cast<mlir::SymbolUserOpInterface>(part)) {
      (void)user.verifySymbolUses(symbols);
      said.settle();
    }
  said.raise();
  if (failed(mlir::verify(module)))
    said.raise();
}

ImportedModel importMlir(mlir::MLIRContext &context, const std::string &path) {
  context.getOrLoadDialect<dend::DendDialect>();
  Said said(context, path);
  std::error_code status;
  if (!std::filesystem::is_regular_file(path, status))
    throw Error(fmt::format("{}: cannot be read: {}", path,
                            status ? status.message() : "not a regular file"));
  tryParse(context, path);
  ImportedModel model;
  model.module = mlir::parseSourceFile<mlir::ModuleOp>(
      path, mlir::ParserConfig(&context, /*verifyAfterParse=*/false));
  if (!model.module) {
    said.raise();
    throw Error(path + ": cannot be parsed");
  }
  verifyAll(*model.module, said);
  std::vector<dend::NetworkOp> networks(
      model.module->getOps<dend::NetworkOp>().begin(),
      model.module->getOps<dend::NetworkOp>().end());
  if (networks.size() != 1)
    throw Error(fmt::format("{}: expected one dend.network, found {}", path,
                            networks.size()));
  model.name = networks[0].getSymName().str();
  return model;
}

Importer mlirImporter() {
  return {{".mlir", ".mlirbc"},
          "a network in the dend dialect, as text or bytecode",
          [](mlir::MLIRContext &context, const std::string &path,
             const ImportOptions &) { return importMlir(context, path); }};
}

} // namespace dendrolith
