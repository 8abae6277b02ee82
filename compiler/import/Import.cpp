// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/Import.h"

#include "compiler/import/common/Findings.h"
#include "compiler/import/lava/Lava.h"
#include "compiler/import/mlir/Mlir.h"
#include "compiler/import/mlir/Ranc.h"
#include "compiler/import/nir/Nir.h"
#include "compiler/import/npz/Npz.h"
#include "compiler/import/torch/Torch.h"

#include "dialects/dend/NetworkIndex.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace dendrolith {

const std::vector<Importer> &importers() {
  static const std::vector<Importer> all = {nirImporter(),   npzImporter(),
                                            torchImporter(), netxImporter(),
                                            lavaImporter(),  mlirImporter()};
  return all;
}

bool Importer::matches(const std::string &path) const {
  const std::string name = std::filesystem::path(path).filename().string();
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const std::string &extension) {
                       return name.size() > extension.size() &&
                              name.compare(name.size() - extension.size(),
                                           extension.npos, extension) == 0;
                     });
}

std::string importExtensions() {
  std::vector<std::string> all;
  for (const Importer &importer : importers())
    all.insert(all.end(), importer.extensions.begin(),
               importer.extensions.end());
  std::string text;
  for (size_t i = 0; i < all.size(); ++i)
    text += (i == 0 ? "" : i + 1 < all.size() ? ", " : " or ") + all[i];
  return text;
}

std::string importKeyOf(const std::string &name) {
  return name.substr(name.rfind(':') + 1);
}

void setImportOption(ImportOptions &options, const std::string &name,
                     const std::string &value) {
  std::string known;
  for (const Importer &importer : importers())
    for (const Importer::Option &option : importer.options) {
      known += (known.empty() ? "" : ", ") + option.name;
      if (option.name != importKeyOf(name))
        continue;
      importer.check(name, value);
      options.emplace_back(name, value);
      return;
    }
  throw Error(fmt::format("unknown import option '{}', expected one of {}",
                          printable(name, 64), known));
}

static bool hasOption(const Importer &importer, const std::string &name) {
  return std::any_of(importer.options.begin(), importer.options.end(),
                     [key = importKeyOf(name)](const Importer::Option &option) {
                       return option.name == key;
                     });
}

/// Refuses a key that says nothing of this kind of file.
static void checkOptions(const Importer *importer, const std::string &path,
                         const ImportOptions &given) {
  for (const auto &[name, value] : given) {
    if (importer && hasOption(*importer, name))
      continue;
    std::string meant;
    for (const Importer &other : importers())
      if (hasOption(other, name))
        meant = other.extensions.front();
    throw Error(fmt::format("{}: --import {}: is for {} files and means "
                            "nothing here; leave it out",
                            path, name, meant));
  }
}

/// Holds that no name of a model has a control character: names go into images,
/// tables, traces and command lines.
static void checkNames(const ImportedModel &model, const std::string &path) {
  std::set<std::string> names;
  for (const ModelNode &node : model.nodes)
    names.insert(node.name);
  for (mlir::Operation &op : dend::networkIn(*model.module).getBody().front())
    if (mlir::isa<dend::InputOp, dend::PopulationOp, dend::OutputOp>(op))
      names.insert(mlir::SymbolTable::getSymbolName(&op).str());
  Collector faults;
  for (const std::string &name : names)
    if (std::any_of(name.begin(), name.end(),
                    [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
      faults.keep(fmt::format("{}: node {}: expected a name without control "
                              "characters; rename the node",
                              path, quotedName(name)));
  faults.raise();
}

ImportedModel importModel(mlir::MLIRContext &context, const std::string &path,
                          const ImportOptions &options) {
  if (isRanc(path)) {
    checkOptions(nullptr, path, options);
    return importRanc(context, path);
  }
  for (const Importer &importer : importers())
    if (importer.matches(path)) {
      checkOptions(&importer, path, options);
      ImportedModel model = importer.read(context, path, options);
      checkNames(model, path);
      return model;
    }
  throw Error(fmt::format(
      "{}: unknown kind of model '{}', expected {}, or a folder of RANC's with "
      "csram_000.mem; in Python "
      "dendrolith.from_torch takes a module of PyTorch, from_layers the arrays "
      "of layers",
      path, std::filesystem::path(path).extension().string(),
      importExtensions()));
}

} // namespace dendrolith
