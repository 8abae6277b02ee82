// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/import/torch/Torch.cpp.
// The graph of a step function as JSON, whose `weights` are {name: {"shape",
// "values"}}. Its network is built and verified.

#include "compiler/import/torch/Torch.h"
#include "tests/fuzz/Tree.h"

#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

using namespace dendrolith;
using Json = nlohmann::json;

/// The arrays beside the graph; values that are absent are 1.
static std::map<std::string, torch::Constant> weightsOf(const Json &file) {
  constexpr int64_t kMost = 4096;
  std::map<std::string, torch::Constant> weights;
  if (!file.is_object() || !file.contains("weights") ||
      !file["weights"].is_object())
    return weights;
  for (const auto &[name, given] : file["weights"].items()) {
    torch::Constant array{{}, {}, name};
    int64_t size = 1;
    if (given.is_object() && given.value("shape", Json()).is_array())
      for (const Json &extent : given["shape"]) {
        const int64_t n = extent.is_number_integer() ? int64_t(extent) : 1;
        if (n < 0 || n > kMost || size * n > kMost)
          continue;
        array.shape.push_back(n);
        size *= n;
      }
    array.values.assign(size_t(size), 1);
    if (given.is_object() && given.value("values", Json()).is_array())
      for (size_t i = 0; i < array.values.size() && i < given["values"].size();
           ++i)
        if (const Json &value = given["values"][i]; value.is_number())
          array.values[i] = value;
    weights[name] = std::move(array);
  }
  return weights;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  Json file = Json::parse(text, nullptr, false);
  bool taken = fuzz::accepted([&] {
    ImportedModel model = importTorchProgram(
        fuzz::context(),
        torch::parseProgram("fuzz.pt2", text, weightsOf(file)));
    model.module->print(llvm::nulls());
  });
  return taken ? 0 : -1;
}
