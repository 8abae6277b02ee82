// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/TextTable.h"

#include <cstdlib>
#include <map>

namespace dendrolith::report {

static bool isNumber(const std::string &text) {
  char *end = nullptr;
  std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == 0;
}

static bool isFormula(const std::string &text) {
  return !text.empty() &&
         std::string("=+-@\t\r").find(text.front()) != std::string::npos &&
         !isNumber(text);
}

/// The signs that LaTeX takes for commands, or its usual font draws as others.
std::string latexText(const std::string &text) {
  static const std::map<char, const char *> named = {
      {'\\', "\\textbackslash{}"}, {'^', "\\textasciicircum{}"},
      {'~', "\\textasciitilde{}"}, {'<', "\\textless{}"},
      {'>', "\\textgreater{}"},    {'|', "\\textbar{}"}};
  std::string out;
  for (char c : text)
    if (auto name = named.find(c); name != named.end())
      out += name->second;
    else
      out += (std::string("&%$#_{}").find(c) != std::string::npos ? "\\" : "") +
             std::string(1, c);
  return out;
}

std::string csvCell(const std::string &text) {
  const std::string safe = (isFormula(text) ? "'" : "") + text;
  if (safe.find_first_of(",\"\r\n") == std::string::npos)
    return safe;
  std::string quoted = "\"";
  for (char letter : safe)
    quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  return quoted + "\"";
}

} // namespace dendrolith::report
