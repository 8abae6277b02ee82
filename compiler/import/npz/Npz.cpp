// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/Npz.h"

#include "compiler/import/npz/Kinds.h"
#include "compiler/import/study/File.h"
#include "compiler/import/study/Study.h"
#include "dialects/dend/Dend.h"
#include "runtime/arrays/Zip.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#include <filesystem>
#include <fmt/format.h>

using namespace mlir;

namespace dendrolith {
namespace {

bool isExample(const std::string &key) {
  return key.size() > 3 && key.compare(key.size() - 3, 3, "_ex") == 0;
}

} // namespace

ImportedModel importNpz(MLIRContext &context, const std::string &path) {
  context.getOrLoadDialect<dend::DendDialect>();
  npz::Archive archive(path);
  const npz::CheckpointKind &kind = npz::recognise(archive);
  ImportedModel model;
  model.name = std::filesystem::path(path).stem().string();
  archive.readAll([&] { kind.read(archive, context, model); });
  for (const std::string &key : archive.unused())
    if (!isExample(key))
      model.warnings.push_back(
          {"unused-array", printable(archive.where(key), 1024),
           "no part of this kind of checkpoint, not used"});
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    said += (said.empty() ? "" : "; ") + diagnostic.str();
    return success();
  });
  if (failed(mlir::verify(*model.module)))
    throw Error(fmt::format("{}: the network does not verify: {}", path, said));
  return model;
}

static ImportedModel importArchive(mlir::MLIRContext &context,
                                   const std::string &path,
                                   const ImportOptions &) {
  std::string bytes = readFile(path, zip::kMaxUnpacked);
  if (study::isNetwork(bytes, path))
    return importStudy(context, bytes, path);
  return importNpz(context, path);
}

Importer npzImporter() {
  return {{".npz"},
          "a checkpoint of a network in models/, or a study network",
          importArchive};
}

} // namespace dendrolith
