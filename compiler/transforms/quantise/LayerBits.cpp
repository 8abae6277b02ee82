// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/LayerBits.h"

#include "compiler/transforms/quantise/CubaShape.h"

#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/NumberAttrs.h"
#include "targets/loader/yaml/Fields.h"

#include "fmt/format.h"
#include "targets/support/Text.h"

using namespace mlir;

namespace dendrolith {
namespace {

using dend::kInputBits;
using dend::kStateBits;
using dend::kWeightBits;

// A state has to hold a sign, a value and the two bits of room above it.
constexpr uint64_t kLeastStateBits = 4;
// A sign and a value.
constexpr uint64_t kLeastInputBits = 2;

/// One thing that has bits of its own, and the names it goes by.
struct Holder {
  Operation *op;
  std::string name;
  std::vector<std::string> others;
};

/// What a flag asks for: where, which bits, and how errors call it.
struct BitsRequest {
  StringRef flag, attribute;
  uint64_t least, most;
  std::string mostBecause; ///< of the largest number
  StringRef holder = "layer";
};

std::string namesOf(const std::vector<Holder> &holders) {
  std::vector<std::string> names;
  for (const Holder &holder : holders)
    names.push_back(holder.name);
  return joinWords(names);
}

LogicalResult setBits(dend::NetworkOp network, const BitsRequest &request,
                      Operation *op, StringRef text) {
  uint64_t bits = 0;
  if (text.getAsInteger(10, bits) || bits < request.least ||
      bits > request.most)
    return emitError(network.getLoc())
           << request.flag << ": expected " << request.least << " to "
           << request.most << " bits" << request.mostBecause << ", found '"
           << text << "'";
  op->setAttr(
      request.attribute,
      IntegerAttr::get(IntegerType::get(op->getContext(), 64), int64_t(bits)));
  return success();
}

/// "NAME=BITS" for all holders of that name.
LogicalResult setNamed(dend::NetworkOp network, const BitsRequest &request,
                       const std::vector<Holder> &holders, StringRef part) {
  auto [name, bits] = part.rsplit('=');
  bool found = false;
  std::vector<std::string> known;
  for (const Holder &holder : holders) {
    known.push_back(holder.name);
    bool meant =
        name == holder.name || llvm::is_contained(holder.others, name.str());
    if (meant && failed(setBits(network, request, holder.op, bits)))
      return failure();
    found |= meant;
    llvm::append_range(known, holder.others);
  }
  if (found)
    return success();
  return emitError(network.getLoc())
         << request.flag << ": the network has no " << request.holder << " '"
         << name << "', expected one of " << namesOf(holders)
         << suggestion(name.str(), known);
}

LogicalResult setAll(dend::NetworkOp network, const BitsRequest &request,
                     const std::vector<Holder> &holders, StringRef text) {
  if (text.empty())
    return success(); // those that the model brings are all
  if (holders.empty())
    return emitError(network.getLoc())
           << request.flag << ": the network has no " << request.holder
           << " whose bits could be chosen";
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  if (text.contains('=')) {
    for (StringRef part : parts)
      if (failed(setNamed(network, request, holders, part)))
        return failure();
    return success();
  }
  if (parts.size() != 1 && parts.size() != holders.size())
    return emitError(network.getLoc())
           << request.flag << ": expected one number"
           << (holders.size() > 1
                   ? fmt::format(" or {}, for {}", holders.size(),
                                 namesOf(holders))
                   : "")
           << ", found " << parts.size() << ": '" << text << "'";
  for (auto [i, holder] : llvm::enumerate(holders))
    if (failed(setBits(network, request, holder.op,
                       parts[parts.size() == 1 ? 0 : i])))
      return failure();
  return success();
}

std::optional<uint64_t> givenBits(Operation *op, StringRef attribute) {
  if (auto bits = op->getAttrOfType<IntegerAttr>(attribute))
    return bits.getValue().getLimitedValue();
  return std::nullopt;
}

std::string fullName(dend::ProjectOp project) {
  return (project.getSource() + "->" + project.getTarget()).str();
}

} // namespace

std::vector<dend::ProjectOp> weightedProjections(dend::NetworkOp network) {
  std::vector<dend::ProjectOp> found;
  for (auto project : network.getOps<dend::ProjectOp>())
    if (project.getWeightAttr())
      found.push_back(project);
  return found;
}

std::string nameOfProjection(dend::ProjectOp project) {
  unsigned beside = 0;
  for (dend::ProjectOp other :
       weightedProjections(project->getParentOfType<dend::NetworkOp>()))
    beside += other.getTarget() == project.getTarget();
  return beside == 1 ? project.getTarget().str() : fullName(project);
}

LogicalResult setWeightBits(dend::NetworkOp network, StringRef text,
                            const Target &chip) {
  const std::vector<dend::ProjectOp> projections = weightedProjections(network);
  if (text.empty() && llvm::none_of(projections, [](dend::ProjectOp project) {
        return project->hasAttr(kWeightBits);
      }))
    return success();
  BitsRequest request{"weight bits", kWeightBits, 1, chip.formats.weightBits,
                      " (" + chip.name + " has no wider weights)"};
  std::vector<Holder> holders;
  for (dend::ProjectOp project : projections) {
    auto target =
        dend::symbolOf<dend::PopulationOp>(project, project.getTargetAttr());
    if (kindOf(target) != ModelKind::Integer)
      holders.push_back({project,
                         nameOfProjection(project),
                         {fullName(project), project.getTarget().str()}});
  }
  for (const Holder &holder : holders) // those that the model brings
    if (auto own = givenBits(holder.op, kWeightBits))
      if (failed(setBits(network, request, holder.op, std::to_string(*own))))
        return failure();
  return setAll(network, request, holders, text);
}

LogicalResult setStateBits(dend::NetworkOp network, StringRef text,
                           const Target &chip) {
  if (text.empty())
    return success();
  BitsRequest request{"state bits", kStateBits, kLeastStateBits,
                      chip.formats.stateBits,
                      " (" + chip.name + " has no wider states)"};
  std::vector<Holder> holders;
  for (auto population : network.getOps<dend::PopulationOp>())
    if (kindOf(population) == ModelKind::Body && chip.engines.has("microcode"))
      holders.push_back({population, population.getSymName().str(), {}});
  return setAll(network, request, holders, text);
}

LogicalResult setInputBits(dend::NetworkOp network, StringRef text) {
  if (text.empty())
    return success();
  BitsRequest request{"input bits",   kInputBits, kLeastInputBits,
                      kMostInputBits, "",         "real-valued input"};
  std::vector<Holder> holders;
  for (auto input : network.getOps<dend::InputOp>())
    if (input.getSpike() == dend::gradedSpike(input.getContext()))
      holders.push_back({input, input.getSymName().str(), {}});
  return setAll(network, request, holders, text);
}

std::optional<uint64_t> weightBitsOf(dend::ProjectOp project) {
  return givenBits(project, kWeightBits);
}

std::optional<uint64_t> stateBitsOf(dend::PopulationOp population) {
  return givenBits(population, kStateBits);
}

std::optional<uint64_t> inputBitsOf(dend::InputOp input) {
  return givenBits(input, kInputBits);
}

LogicalResult checkSigns(dend::ProjectOp project, bool mixed,
                         const NumberFormats &formats) {
  if (!mixed || formats.weightBits > 1)
    return success();
  return project.emitError("weights of '")
         << nameOfProjection(project)
         << "' have both signs, for which 1 bit has no room; expected 2 or "
            "more";
}

} // namespace dendrolith
