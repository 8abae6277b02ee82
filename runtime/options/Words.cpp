// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/options/Words.h"

#include "runtime/options/ModelOptions.h"
#include "runtime/options/Options.h"

#include <algorithm>
#include <string_view>

namespace dendrolith::options {

static constexpr std::string_view kLetters =
    "abcdefghijklmnopqrstuvwxyz0123456789-";

/// The key of a study that says what a flag says; empty if there is none.
static std::string keyOf(const std::string &name) {
  if (axisStageOf(name) != CompilerStage::None)
    return "compile." + name;
  for (const char *ofModel : {"calibrate", "input", "labels", "weights"})
    if (name == ofModel)
      return name + " of the model";
  return "";
}

std::string withKeys(const std::string &text) {
  const std::string flag = "--", import = "--import ";
  std::string out;
  size_t done = 0;
  for (size_t at = 0; (at = text.find(flag, at)) != text.npos;) {
    const bool isWord = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(' ||
                        text[at - 1] == '\'';
    const size_t begin =
        at +
        (text.compare(at, import.size(), import) == 0 ? import : flag).size();
    const size_t end =
        std::min(text.find_first_not_of(kLetters, begin), text.size());
    const std::string key =
        isWord ? keyOf(text.substr(begin, end - begin)) : std::string();
    if (!key.empty()) {
      out += text.substr(done, at - done) + key;
      done = end;
    }
    at = end;
  }
  return out + text.substr(done);
}

} // namespace dendrolith::options
