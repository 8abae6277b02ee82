// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Processes.h"

#include <fmt/format.h>
#include <fstream>
#include <sstream>

std::string dendrolith::beginOf(int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  std::getline(file, text);
  // The name in brackets may hold anything. Behind it come the state and, as
  // the 20th field, the begin.
  const size_t name = text.rfind(')');
  if (name == std::string::npos)
    return "";
  std::istringstream fields(text.substr(name + 1));
  std::string field;
  for (int i = 0; i < 20; ++i) {
    fields >> field;
    if (i == 0 && (field == "Z" || field == "X"))
      return "";
  }
  return field;
}
