// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/workers/Groups.h"

#include "runtime/host/ChildProcess.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <unordered_map>

namespace dendrolith::explore {
namespace {

/// A line for each design; nothing where the file is not all of it.
std::vector<uint32_t> readGroups(const std::string &path, uint64_t count) {
  std::ifstream file(path);
  std::vector<uint32_t> groups;
  for (uint32_t group = 0; file >> group;)
    groups.push_back(group);
  if (groups.size() != count)
    groups.clear();
  return groups;
}

/// A design that says no, as its chip contradicts itself, is in a group of its
/// kind: to find that out is not expensive.
std::string groupText(const Meter &meter, const Design &design) {
  try {
    return meter.groupOf(design);
  } catch (const Error &) {
    return "";
  }
}

} // namespace

DesignList allDesigns(const Store &store) {
  return {store.designs().size(),
          [&store](uint64_t number) { return store.designs().at(number); }};
}

std::vector<uint32_t> groupsOf(const Store &store, const DesignList &designs,
                               const MakeMeter &make) {
  // Groups of a list that an outside optimiser asks for are not kept.
  const bool kept = store.study().strategy.method != Strategy::Method::Ask;
  const std::string path = store.folder() + "/groups.txt";
  std::vector<uint32_t> groups;
  if (kept)
    groups = readGroups(path, designs.size);
  if (!groups.empty() || designs.size == 0)
    return groups;
  // What a meter loads is not to stay in the process that forks all workers.
  ChildProcess child("explore", [&](FrameWriter &out) {
    const Meter meter = make();
    std::unordered_map<std::string, uint32_t> numbers;
    for (uint64_t i = 0; i < designs.size; ++i) {
      const Design design = designs.at(i);
      const std::string text =
          store.designs().excluded(design) ? "" : groupText(meter, design);
      out.number(numbers.emplace(text, uint32_t(numbers.size())).first->second);
    }
  });
  try {
    for (uint64_t i = 0; i < designs.size; ++i)
      groups.push_back(child.frames().number<uint32_t>());
    child.frames().end();
  } catch (const FrameFailure &failure) {
    if (failure.kind == FrameFailure::Reason::Refused)
      throw Error(failure.message);
    throw Error(fmt::format("the process that puts designs in order ended: {}",
                            child.wait().text()));
  }
  if (kept)
    writeAside(path, fmt::format("{}\n", fmt::join(groups, "\n")));
  return groups;
}

} // namespace dendrolith::explore
