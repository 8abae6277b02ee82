// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What NetX is told beside the file, by keys of --import.

#include "compiler/import/lava/Lava.h"
#include "compiler/import/lava/Netx.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith {

static const char *const kInterval = "reset-interval";
static const char *const kShape = "input-shape";
static const char *const kImage = "input-bias";

/// "2x34x34"
static std::vector<uint64_t> shapeOption(const std::string &value) {
  std::vector<uint64_t> shape;
  for (size_t begin = 0; begin <= value.size();) {
    const size_t end = std::min(value.find('x', begin), value.size());
    const std::string part = value.substr(begin, end - begin);
    if (part.empty() || part.size() > 6 ||
        part.find_first_not_of("0123456789") != part.npos || part[0] == '0')
      break;
    shape.push_back(std::stoull(part));
    begin = end + 1;
  }
  if (shape.size() != 3 ||
      value != fmt::format("{}x{}x{}", shape[0], shape[1], shape[2]))
    throw Error(fmt::format("--import input-shape: expected CHANNELSxROWSx"
                            "COLUMNS such as 2x34x34, found {}",
                            quotedName(value)));
  return shape;
}

static uint64_t resetOption(const std::string &name, const std::string &value) {
  const uint64_t least = name == kInterval ? 1 : 0, most = 1 << 20;
  const bool isNumber =
      !value.empty() && value.size() < 8 &&
      value.find_first_not_of("0123456789") == std::string::npos;
  const uint64_t steps = isNumber ? std::stoull(value) : most + 1;
  if (steps < least || steps > most)
    throw Error(fmt::format("--import {}: expected {} to 2^20 steps, found {}",
                            name, least, quotedName(value)));
  return steps;
}

static ImportedModel importNetx(mlir::MLIRContext &context,
                                const std::string &path,
                                const ImportOptions &given) {
  lava::NetxOptions options;
  bool resets = false;
  for (const auto &[name, value] : given)
    if (name == kShape) {
      options.inputShape = shapeOption(value);
    } else if (name == kImage) {
      options.inputBias = value;
    } else {
      resets = true;
      (name == kInterval ? options.resetInterval : options.resetOffset) =
          resetOption(name, value);
    }
  if (resets && options.resetInterval == 0)
    throw Error("--import reset-offset: without reset-interval nothing is "
                "reset; give that, too");
  lava::NetxNetwork netx = lava::readNetx(path, options);
  ImportedModel model = buildLava(context, netx.model, path);
  model.warnings.insert(model.warnings.begin(), netx.warnings.begin(),
                        netx.warnings.end());
  return model;
}

Importer netxImporter() {
  return {
      {".net"},
      "layers of lava-dl (NetX, HDF5)",
      importNetx,
      {{kInterval, "NetX: CUBA and LOIHI neurons begin again after so many "
                   "steps"},
       {"reset-offset", "NetX: steps before the first layer's first reset; "
                        "each next layer is one later"},
       {kShape, "NetX: what a convolution reads that stands first and has "
                "a stride, as 2x34x34: channels, rows, columns"},
       {kImage, "NetX: the input layer's biases: a step of --input in integers "
                "(.npy), or input: each sample's first step"}},
      [](const std::string &name, const std::string &value) {
        if (name == kShape)
          shapeOption(value);
        else if (name != kImage)
          resetOption(name, value);
      }};
}

} // namespace dendrolith
