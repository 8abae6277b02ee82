// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/options/Help.h"

#include "compiler/import/Import.h"

namespace dendrolith::options {

std::vector<std::pair<std::string, std::string>> importKeys() {
  std::vector<std::pair<std::string, std::string>> keys;
  for (const Importer &importer : importers())
    for (const Importer::Option &option : importer.options)
      keys.emplace_back(option.name, option.help);
  return keys;
}

std::string helpOf(const Option &row) {
  const std::string models = "{models}";
  const size_t begin = row.help.find(models);
  return begin == std::string::npos
             ? row.help
             : std::string(row.help).replace(begin, models.size(),
                                             importExtensions());
}

} // namespace dendrolith::options
