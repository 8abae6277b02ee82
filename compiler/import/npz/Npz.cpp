// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/Npz.h"

#include "compiler/import/study/File.h"
#include "compiler/import/study/Study.h"
#include "dialects/dend/Dend.h"
#include "runtime/arrays/Zip.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include "compiler/import/npz/common/MetaReader.h"
#include "compiler/import/npz/dendattn/Dendattn.h"
#include "compiler/import/npz/dendricl/ActiveDendrites.h"
#include "compiler/import/npz/dendricl/Dendricl.h"
#include "compiler/import/npz/dendricl/Spikformer.h"
#include "compiler/import/npz/elm/Elm.h"
#include "compiler/import/npz/mmdend/Mmdend.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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
  {
    const InputFile file(path, zip::kMaxUnpacked);
    if (study::isNetwork(zip::Bytes(file), path))
      return importStudy(context, file, path);
  }
  return importNpz(context, path);
}

Importer npzImporter() {
  return {{".npz"},
          "a checkpoint of a network in models/, or a study network",
          importArchive};
}

} // namespace dendrolith

namespace dendrolith::npz {

namespace {

/// All kinds, in the order in which their keys are looked for.
const std::vector<CheckpointKind> &kinds() {
  static const std::vector<CheckpointKind> all = {
      mmdendKind(),   lifKind(),        baselineKind(),
      dendriclKind(), spikformerKind(), activeDendritesKind(),
      dendattnKind(), elmKind()};
  return all;
}

/// The first key by which the kind is recognised, or "".
std::string keyOf(const CheckpointKind &kind, const Archive &archive) {
  for (const std::string &key : kind.keys)
    if (archive.has(key))
      return key;
  return "";
}

const CheckpointKind *kindByKeys(const Archive &archive) {
  for (const CheckpointKind &kind : kinds())
    if (!keyOf(kind, archive).empty())
      return &kind;
  return nullptr;
}

/// "a, b or c".
std::string choiceOf(const std::vector<std::string> &words) {
  std::vector<std::string> first(words.begin(), words.end() - 1);
  return first.empty()
             ? words.back()
             : fmt::format("{} or {}", fmt::join(first, ", "), words.back());
}

/// Gives the kind that meta names; null if it names none.
const CheckpointKind *kindByMeta(Archive &archive) {
  if (!archive.has("meta"))
    return nullptr;
  MetaReader meta(archive);
  if (!meta.has("neuron"))
    return nullptr;
  std::string neuron = meta.text("neuron", "");
  std::vector<std::string> words;
  for (const CheckpointKind &kind : kinds())
    for (const std::string &word : kind.neurons) {
      if (word == neuron)
        return &kind;
      words.push_back(word);
    }
  meta.fail("neuron", choiceOf(words));
}

[[noreturn]] void refuseUnknown(const Archive &archive) {
  constexpr size_t kShown = 8;
  std::vector<std::string> known, found = archive.names();
  for (const CheckpointKind &kind : kinds())
    known.push_back(fmt::format("{} ({}/README.md: {})", kind.network,
                                kind.folder, fmt::join(kind.keys, ", ")));
  bool more = found.size() > kShown;
  found.resize(std::min(found.size(), kShown));
  for (std::string &key : found)
    key = quotedName(key);
  throw Error(fmt::format(
      "{}: expected a checkpoint of a network that is known by keys such as "
      "those of {}, found {}{}; arrays of plain layers, as a state_dict has "
      "them, go layer by layer into dendrolith.from_layers of Python",
      archive.file(), choiceOf(known),
      found.empty() ? "no array" : fmt::format("{}", fmt::join(found, ", ")),
      more ? ", ..." : ""));
}

} // namespace

const CheckpointKind &recognise(Archive &archive) {
  const CheckpointKind *said = kindByMeta(archive), *seen = kindByKeys(archive);
  if (!said && !seen)
    refuseUnknown(archive);
  if (said && seen && said->folder != seen->folder &&
      keyOf(*said, archive).empty())
    throw Error(fmt::format(
        "{}\"neuron\": says that this is {} ({}/README.md), found the key '{}' "
        "of a checkpoint of {} ({}/README.md): correct \"neuron\" or remove it",
        archive.place("meta"), said->network, said->folder,
        keyOf(*seen, archive), seen->network, seen->folder));
  const CheckpointKind &kind = said ? *said : *seen;
  archive.describe(kind.network, kind.folder);
  return kind;
}

} // namespace dendrolith::npz
