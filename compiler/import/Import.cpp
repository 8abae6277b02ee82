// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/Import.h"
#include "compiler/import/TryParse.h"
#include "compiler/import/lava/Lava.h"
#include "compiler/import/lava/Netx.h"
#include "compiler/import/npz/Npz.h"
#include "compiler/import/study/File.h"
#include "compiler/import/study/Study.h"
#include "dialects/dend/Dend.h"
#include "runtime/arrays/Zip.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <filesystem>
#include <fmt/format.h>

namespace neurite {

/// Parses and verifies; what MLIR has to say becomes the error.
static ImportedModel importMlir(mlir::MLIRContext &context,
                                const std::string &path) {
  context.getOrLoadDialect<dend::DendDialect>();
  std::string said;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        auto add = [&](mlir::Diagnostic &one) {
          std::string where;
          if (auto loc =
                  llvm::dyn_cast<mlir::FileLineColLoc>(one.getLocation()))
            where = fmt::format("{}:{}:{}: ", loc.getFilename().str(),
                                loc.getLine(), loc.getColumn());
          // A damaged file gives errors without end.
          if (said.size() < 4096)
            said +=
                (said.empty() ? "" : "\n") + where + printable(one.str(), 1024);
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

static bool endsWith(const std::string &path, const std::string &ending) {
  return path.size() >= ending.size() &&
         path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

ImportedModel importModel(mlir::MLIRContext &context, const std::string &path,
                          const nir::NirOptions &options) {
  std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".nir")
    return importNir(context, path, options);
  if (extension == ".mlir" || extension == ".mlirbc")
    return importMlir(context, path);
  if (endsWith(path, ".lava.pb"))
    return importLava(context, path);
  if (extension == ".net") {
    lava::NetxNetwork netx = lava::readNetx(path);
    ImportedModel model = buildLava(context, netx.model, path);
    model.warnings.insert(model.warnings.begin(), netx.warnings.begin(),
                          netx.warnings.end());
    return model;
  }
  if (extension == ".npz") {
    std::string bytes = readFile(path, zip::kMaxUnpacked);
    if (study::isNetwork(bytes, path))
      return importStudy(context, bytes, path);
    return importNpz(context, path);
  }
  throw Error(fmt::format("{}: unknown kind of model '{}', expected .nir, "
                          ".npz, .net, .lava.pb, .mlir or .mlirbc",
                          path, extension));
}

} // namespace neurite
