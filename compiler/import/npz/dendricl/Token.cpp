// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/dendricl/Token.h"

#include "compiler/import/npz/common/MetaReader.h"
#include "runtime/host/Query.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <cmath>
#include <fmt/format.h>

namespace dendrolith::npz {

int64_t readFeatures(Archive &archive, const MetaReader &meta,
                     const std::string &key) {
  const Array &first = archive.array(key, 2);
  auto inputs = int64_t(first.shape[1]);
  if (inputs < 3)
    throw Error(fmt::format("{}expected at least 3 columns, [x (d); y; flag], "
                            "found shape {}",
                            archive.place(key), shapeText(first.shape)));
  auto said = meta.integer("d", 1, 1e6, "a number of features, at least 1");
  if (said && *said + 2 != inputs)
    meta.fail("d", fmt::format("{}, as {} has {} columns for [x (d); y; flag]",
                               inputs - 2, key, inputs));
  return inputs - 2;
}

double readDecay(const MetaReader &meta) {
  double tau = meta.number("tau", 4);
  if (!(tau >= 1) || !std::isfinite(tau))
    meta.fail("tau", "a time constant of at least one step");
  double decay = meta.number("decay", 1 - 1 / tau);
  if (!(decay >= 0 && decay < 1))
    meta.fail("decay", "a number in [0, 1)");
  return decay;
}

void readExamples(Archive &archive, int64_t features, ImportedModel &model) {
  if (!archive.has("x_ex"))
    return;
  Samples examples = archive.samples("x_ex", features + 2);
  maskQueries(examples, {uint64_t(features) + 1, uint64_t(features)},
              archive.where("x_ex"));
  model.examples["x"] = std::move(examples);
}

void addLinear(Archive &archive, Constants &constants, const std::string &name,
               uint64_t rows, uint64_t sources, const std::string &why) {
  std::string weight = "W" + name, bias = "b" + name;
  constants[weight] = {{rows, sources},
                       archive.reals(weight, {rows, sources}, why)};
  constants[bias] = {{rows}, archive.reals(bias, {rows}, why)};
}

Words tokenWords(int64_t features) {
  return {{"T", std::to_string(features + 2)},
          {"LABEL", std::to_string(features)},
          {"FLAG", std::to_string(features + 1)}};
}

} // namespace dendrolith::npz
