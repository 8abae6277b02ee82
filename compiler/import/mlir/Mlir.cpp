// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/mlir/Mlir.h"

#include "compiler/import/common/TryParse.h"
#include "dialects/dend/Dend.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include "mlir/IR/Diagnostics.h"
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

// What MLIR has to say becomes the error.
ImportedModel importMlir(mlir::MLIRContext &context, const std::string &path) {
  context.getOrLoadDialect<dend::DendDialect>();
  std::string said;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        auto add = [&](mlir::Diagnostic &one) {
          std::string where, shown;
          if (auto loc =
                  llvm::dyn_cast<mlir::FileLineColLoc>(one.getLocation())) {
            // What stands for a file can be a damaged attribute of bytecode.
            where = fmt::format(
                "{}:{}:{}: ", printable(loc.getFilename().str(), 4096),
                loc.getLine(), loc.getColumn());
            if (said.empty() && loc.getFilename() == path)
              shown = excerpt(path, loc.getLine(), loc.getColumn());
          }
          // A damaged file gives errors without end.
          if (said.size() < 4096)
            said += (said.empty() ? "" : "\n") + where +
                    printable(one.str(), 1024) + shown;
        };
        add(diagnostic);
        for (mlir::Diagnostic &note : diagnostic.getNotes())
          add(note);
        return mlir::success();
      });
  std::error_code status;
  if (!std::filesystem::is_regular_file(path, status))
    throw Error(fmt::format("{}: cannot be read: {}", path,
                            status ? status.message() : "not a regular file"));
  tryParse(context, path);
  ImportedModel model;
  model.module =
      mlir::parseSourceFile<mlir::ModuleOp>(path, mlir::ParserConfig(&context));
  if (!model.module && said.empty())
    throw Error(path + ": cannot be parsed");
  // Bytecode brings its own places along.
  if (!model.module)
    throw Error(said.rfind(path, 0) == 0 ? said : path + ": " + said);
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
