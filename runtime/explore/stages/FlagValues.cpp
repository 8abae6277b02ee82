// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/stages/FlagValues.h"

#include "runtime/options/ModelOptions.h"
#include "targets/loader/yaml/Fields.h"
#include "targets/support/Text.h"

#include <algorithm>

namespace dendrolith::explore {

options::CompilerStage stageOf(const std::string &flag) {
  return options::axisStageOf(flag);
}

session::ModelRequest requestWith(const Changes &flags) {
  session::ModelRequest request;
  options::CommandOptions options("compile");
  options::bindModel(options, request);
  const std::vector<std::string> names = options::axisNames();
  for (const auto &[name, value] : flags) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Error("compile." + printable(name) + ": there is no such option" +
                  suggestion(name, names));
    options::setAxis(request, options, name, value);
  }
  return request;
}

} // namespace dendrolith::explore
