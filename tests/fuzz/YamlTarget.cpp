// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests targets/loader/yaml/Yaml.cpp, targets/loader/Target.cpp,
// targets/loader/price/CostTable.cpp.
// One text as a chip and as a cost table.

#include "targets/loader/Describe.h"
#include "targets/loader/Target.h"
#include "targets/loader/price/CostTable.h"
#include "targets/loader/yaml/Yaml.h"
#include "tests/fuzz/Fuzz.h"

using namespace dendrolith;

static bool same(const yaml::Node &a, const yaml::Node &b) {
  if (a.type != b.type || a.text != b.text ||
      a.items.size() != b.items.size() || a.keys.size() != b.keys.size())
    return false;
  for (size_t i = 0; i < a.keys.size(); ++i)
    if (!same(a.keys[i], b.keys[i]))
      return false;
  for (size_t i = 0; i < a.items.size(); ++i)
    if (!same(a.items[i], b.items[i]))
      return false;
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Target chip = Target::load("loihi1");
  const std::string text(reinterpret_cast<const char *>(data), size);
  fuzz::accepted([&] {
    yaml::Node root = yaml::parse(text, "fuzz.yaml");
    std::string written = yaml::write(root);
    fuzz::require(same(root, yaml::parse(written, "written.yaml")),
                  "written and read back, the tree is another:\n" + written);
  });
  bool taken = fuzz::accepted([&] {
    Target target = Target::parse(text, "fuzz.yaml");
    fuzz::require(Target::parse(target.yamlText, "again.yaml").hash ==
                      target.hash,
                  "a target's own text gives another target");
    describe(target);
    target.events();
    for (const TimingSet &timing : target.timings)
      target.timing(timing.name);
  });
  taken |= fuzz::accepted([&] {
    CostTable table = CostTable::parse(text, "fuzz.yaml", chip);
    for (const auto &[event, price] : table.prices)
      if (price.form != Price::Decision::Unpriced)
        table.citation(price.source);
  });
  return taken ? 0 : -1;
}
