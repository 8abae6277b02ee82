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
std::vector<Group> readGroups(const std::string &path, uint64_t count) {
  std::ifstream file(path);
  std::vector<Group> groups;
  for (Group group; file >> group.network >> group.program;)
    groups.push_back(group);
  if (groups.size() != count)
    groups.clear();
  return groups;
}

std::string textOf(const std::vector<Group> &groups) {
  std::string text;
  for (const Group &group : groups)
    text += fmt::format("{} {}\n", group.network, group.program);
  return text;
}

/// A design that says no, as its chip contradicts itself, is in a group of its
/// kind: to find that out is not expensive.
SharedStages sharedStagesOf(const Meter &meter, const Design &design) {
  try {
    return meter.sharedStagesOf(design);
  } catch (const Error &) {
    return {};
  }
}

/// Numbers texts in the order in which they are met.
class Numbers {
public:
  uint32_t operator[](const std::string &text) {
    return numbers.emplace(text, uint32_t(numbers.size())).first->second;
  }

private:
  std::unordered_map<std::string, uint32_t> numbers;
};

} // namespace

DesignList allDesigns(const Store &store) {
  return {store.designs().size(),
          [&store](uint64_t number) { return store.designs().at(number); }};
}

std::vector<Group> groupsOf(const Store &store, const DesignList &designs,
                            const MakeMeter &make) {
  // Groups of a list that an outside optimiser asks for are not kept.
  const bool kept = store.study().strategy.method != Strategy::Method::Ask;
  const std::string path = store.folder() + "/groups.txt";
  std::vector<Group> groups;
  if (kept)
    groups = readGroups(path, designs.size);
  if (!groups.empty() || designs.size == 0)
    return groups;
  // What a meter loads is not to stay in the process that forks all workers.
  ChildProcess child("explore", [&](FrameWriter &out) {
    const Meter meter = make();
    Numbers networks, programs;
    for (uint64_t i = 0; i < designs.size; ++i) {
      const Design design = designs.at(i);
      const SharedStages shared = store.designs().excluded(design)
                                      ? SharedStages()
                                      : sharedStagesOf(meter, design);
      out.number(networks[shared.network]);
      out.number(programs[shared.program]);
    }
  });
  try {
    for (uint64_t i = 0; i < designs.size; ++i) {
      Group &group = groups.emplace_back();
      group.network = child.frames().number<uint32_t>();
      group.program = child.frames().number<uint32_t>();
    }
    child.frames().end();
  } catch (const FrameFailure &failure) {
    if (failure.kind == FrameFailure::Reason::Refused)
      throw Error(failure.message);
    throw Error(fmt::format("the process that puts designs in order ended: {}",
                            child.wait().text()));
  }
  if (kept)
    writeAside(path, textOf(groups));
  return groups;
}

} // namespace dendrolith::explore
