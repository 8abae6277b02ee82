// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/ErrorParts.h"

#include "targets/support/JsonText.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>

namespace dendrolith::session {
namespace {

/// The number that `text` ends with behind a colon, which is cut off.
std::optional<uint64_t> takeNumber(std::string &text) {
  const size_t colon = text.rfind(':');
  if (colon == text.npos || colon + 1 == text.size() ||
      text.size() - colon > 10)
    return std::nullopt;
  uint64_t number = 0;
  for (size_t i = colon + 1; i < text.size(); ++i) {
    if (!std::isdigit(static_cast<unsigned char>(text[i])))
      return std::nullopt;
    number = 10 * number + uint64_t(text[i] - '0');
  }
  text.resize(colon);
  return number;
}

/// A place begins a message and looks like a path: nothing else there has a dot
/// and no space or quote.
void readPlace(const std::string &message, ErrorParts &parts) {
  std::string place = message.substr(0, message.find(": "));
  if (place.size() == message.size() ||
      place.find_first_of(" '\"\n") != place.npos ||
      place.find('.') == place.npos)
    return;
  if (auto last = takeNumber(place)) {
    if (auto line = takeNumber(place)) {
      parts.line = *line;
      parts.column = *last;
    } else {
      parts.line = *last;
    }
  }
  parts.file = place;
}

void readNode(const std::string &message, ErrorParts &parts) {
  size_t first = message.npos;
  for (const std::string word :
       {"node '", "population '", "layer '", "input '", "output '"}) {
    const size_t at = message.find(word);
    const size_t begin = at + word.size();
    const size_t end = at == message.npos ? at : message.find('\'', begin);
    if (end == message.npos || at >= first)
      continue;
    first = at;
    parts.node = message.substr(begin, end - begin);
    if (!parts.node.empty() && parts.node[0] == '@')
      parts.node.erase(0, 1);
  }
}

} // namespace

ErrorParts partsOf(const std::string &message) {
  ErrorParts parts;
  readPlace(message, parts);
  readNode(message, parts);
  const std::string first = message.substr(0, message.find('\n'));
  if (const size_t at = first.rfind("; "); at != first.npos)
    parts.hint = first.substr(at + 2);
  return parts;
}

std::string messageOf(const std::exception &failure) {
  if (const auto *file =
          dynamic_cast<const std::filesystem::filesystem_error *>(&failure))
    return file->path1().string() + ": " + file->code().message();
  return jsonReason(failure);
}

nlohmann::ordered_json errorJson(const std::string &kind,
                                 const std::string &whole) {
  const std::string message = shortened(whole);
  const ErrorParts parts = partsOf(message);
  nlohmann::ordered_json json = {{"kind", kind}, {"message", message}};
  auto add = [&](const char *key, const auto &value, bool known) {
    json[key] = nullptr;
    if (known)
      json[key] = value;
  };
  add("file", parts.file, !parts.file.empty());
  add("line", parts.line, parts.line > 0);
  add("column", parts.column, parts.column > 0);
  add("node", parts.node, !parts.node.empty());
  add("hint", parts.hint, !parts.hint.empty());
  return json;
}

} // namespace dendrolith::session
