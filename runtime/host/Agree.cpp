// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Agree.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith {
namespace {

// No text has a zero byte: flags and paths are refused with one.
std::string packed(const Readiness &readiness) {
  std::string bytes(1, readiness.kind);
  const auto add = [&](const std::string &text) { bytes += text + '\0'; };
  add(readiness.failure);
  for (const Common &each : readiness.common)
    for (const std::string *text : {&each.what, &each.value, &each.shown})
      add(*text);
  return bytes;
}

Readiness unpacked(const std::string &bytes) {
  size_t at = 1;
  const auto next = [&] {
    const size_t end = std::min(bytes.find('\0', at), bytes.size());
    std::string text = bytes.substr(at, end - at);
    at = end + 1;
    return text;
  };
  Readiness readiness;
  readiness.kind = Readiness::Kind(bytes.front());
  readiness.failure = next();
  while (at < bytes.size()) {
    Common &each = readiness.common.emplace_back();
    for (std::string *text : {&each.what, &each.value, &each.shown})
      *text = next();
  }
  return readiness;
}

/// The first thing that two ranks do not have in common; "" where there is
/// none.
std::string difference(const Readiness &here, const Readiness &first) {
  const size_t count = std::max(here.common.size(), first.common.size());
  const Common none = {"", "", "nothing"};
  for (size_t i = 0; i < count; ++i) {
    const Common &a = i < here.common.size() ? here.common[i] : none,
                 &b = i < first.common.size() ? first.common[i] : none;
    if (a.what == b.what && a.value == b.value)
      continue;
    return fmt::format("its {} is not that of rank 0: found {}, expected {}; "
                       "give all processes the same version, files and flags",
                       a.what.empty() ? b.what : a.what, a.shown, b.shown);
  }
  return "";
}

} // namespace

std::string disagreementOf(const std::vector<Readiness> &all) {
  for (size_t r = 0; r < all.size(); ++r)
    if (all[r].kind == Readiness::Failed)
      return (r ? fmt::format("rank {}: ", r) : "") + all[r].failure;
  for (size_t r = 1; r < all.size(); ++r) {
    std::string why;
    if (all[r].kind != all[0].kind)
      why = all[r].kind == Readiness::Ended
                ? "it ended without a run, which rank 0 begins"
                : "it begins a run, without which rank 0 ended";
    else
      why = difference(all[r], all[0]);
    if (!why.empty())
      return fmt::format("rank {}: {}", r, why);
  }
  return "";
}

std::string disagreement(Ranks &ranks, const Readiness &mine) {
  std::string found;
  if (ranks.first()) {
    std::vector<Readiness> all = {mine};
    for (unsigned r = 1; r < ranks.size(); ++r)
      all.push_back(unpacked(ranks.receive(r)));
    found = disagreementOf(all);
  } else {
    ranks.send(packed(mine));
  }
  ranks.broadcast(found);
  return found;
}

} // namespace dendrolith
