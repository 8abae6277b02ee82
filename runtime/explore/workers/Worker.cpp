// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/workers/Worker.h"

#include "runtime/explore/store/EffortLog.h"
#include "runtime/explore/store/PointFiles.h"
#include "runtime/host/ChildProcess.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <numeric>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <unordered_map>

namespace dendrolith::explore {

constexpr uint64_t kWholeGroup = 8;

uint64_t shardSize(uint64_t designs) {
  return std::clamp<uint64_t>(designs / 128, 1, 256);
}

std::vector<Shard> shardsOf(const std::vector<Group> &groups) {
  std::vector<uint64_t> order(groups.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) {
    return groups[a] < groups[b];
  });
  const uint64_t most = shardSize(groups.size());
  std::vector<Shard> shards;
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin;
    const Group group = groups[order[begin]];
    while (end < order.size() && groups[order[end]] == group)
      ++end;
    if (shards.empty() || shards.back().size() + (end - begin) > most ||
        groups[shards.back().front()].network != group.network)
      shards.emplace_back();
    for (; begin < end; ++begin) {
      if (shards.back().size() == std::max(most, kWholeGroup))
        shards.emplace_back();
      shards.back().push_back(order[begin]);
    }
  }
  return shards;
}

namespace {

constexpr uint64_t kNoShard = UINT64_MAX;

void printInto(const std::string &log) {
  const int file =
      ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0)
    throw Error(fmt::format("{}: cannot write: {}", log, std::strerror(errno)));
  ::dup2(file, STDOUT_FILENO);
  ::dup2(file, STDERR_FILENO);
}

uint64_t peakBytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return uint64_t(usage.ru_maxrss) * 1024;
}

/// A design measured, and what that took where the meter did not say.
Measured measure(const Meter &meter, const Design &design) {
  const auto begin = std::chrono::steady_clock::now();
  Measured measured;
  try {
    measured = meter.measure(design);
  } catch (const std::bad_alloc &) {
    measured.point.state = PointState::Failed;
    measured.point.reason = "out of memory";
  }
  measured.point.design = design;
  if (measured.effort.wallSeconds == 0)
    measured.effort.wallSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count();
  if (measured.effort.peakBytes == 0)
    measured.effort.peakBytes = peakBytes();
  return measured;
}

class Child {
public:
  Child(const Work &work, FrameWriter &out)
      : work(work), out(out), meter(work.make()), points(work.store.folder()),
        efforts(work.store.folder()) {}

  void measureShard(uint64_t shard) {
    for (uint64_t number :
         shard < work.shards.size() ? work.shards[shard] : Shard{shard}) {
      if (work.stop)
        break;
      const Design design = work.designs.at(number);
      const std::string key = work.store.keyOf(design);
      std::error_code ignored;
      if (work.store.designs().excluded(design) ||
          std::filesystem::is_regular_file(pointPath(work.store.folder(), key),
                                           ignored))
        continue;
      say(Report::Event::Begun, number);
      const Measured measured = measure(meter, design);
      points.add(key, measured.point);
      efforts.add(key, measured.effort);
      say(Report::Event::Ended, number);
    }
    points.flush();
    say(Report::Event::Finished, shard);
  }

private:
  void say(Report::Event kind, uint64_t number) {
    const Report report = {kind, number};
    out.note(&report, sizeof report);
  }

  const Work &work;
  FrameWriter &out;
  const Meter meter;
  PointWriter points;
  EffortLog efforts;
};

} // namespace

Worker::Worker(const Work &work, std::string path) : log(std::move(path)) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error(
        fmt::format("no socket for a worker: {}", std::strerror(errno)));
  orders = ends[1];
  child = std::make_unique<ChildProcess>("explore", [&](FrameWriter &out) {
    // A terminal sends these to all processes; the first one decides.
    for (int signal : {SIGINT, SIGTERM, SIGHUP})
      ::signal(signal, SIG_IGN);
    ::close(ends[1]);
    printInto(log);
    Child self(work, out);
    uint64_t shard = kNoShard;
    while (::read(ends[0], &shard, sizeof shard) == sizeof shard &&
           shard != kNoShard)
      self.measureShard(shard);
  });
  ::close(ends[0]);
}

Worker::~Worker() {
  ::close(orders);
  std::error_code ignored;
  if (std::filesystem::is_empty(log, ignored))
    std::filesystem::remove(log, ignored);
}

void Worker::begin(uint64_t shard) {
  // A worker that is gone is noticed when its reports end.
  ::send(orders, &shard, sizeof shard, MSG_NOSIGNAL);
}

std::optional<Report> Worker::next() {
  std::string content;
  try {
    if (child->frames().next(content) == Frame::Note &&
        content.size() == sizeof(Report)) {
      Report report;
      std::memcpy(&report, content.data(), sizeof report);
      return report;
    }
  } catch (const FrameFailure &failure) {
    if (failure.kind == FrameFailure::Reason::Refused)
      throw Error(failure.message);
  }
  return std::nullopt;
}

ProcessEnd Worker::end(bool kill) {
  if (kill)
    child->kill();
  else
    begin(kNoShard);
  return child->wait();
}

std::string Worker::lastLine() const {
  std::ifstream file(log);
  std::string last;
  for (std::string line; std::getline(file, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos)
      last = line;
  return printable(last, 200);
}

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

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};
volatile std::sig_atomic_t caught = 0, last = 0;

extern "C" void catchSignal(int signal) {
  caught = caught + 1;
  last = signal;
}

} // namespace

Interrupts::Interrupts() {
  caught = 0;
  struct sigaction now{};
  now.sa_handler = catchSignal;
  for (int i = 0; i < 2; ++i) {
    ::sigaction(kSignals[i], nullptr, &before[i]);
    // The parent of this process may want it to ignore a signal.
    if (before[i].sa_handler != SIG_IGN)
      ::sigaction(kSignals[i], &now, nullptr);
  }
}

Interrupts::~Interrupts() {
  for (int i = 0; i < 2; ++i)
    ::sigaction(kSignals[i], &before[i], nullptr);
}

int Interrupts::count() const { return caught; }

void Interrupts::pass() {
  for (int i = 0; i < 2; ++i)
    ::sigaction(kSignals[i], &before[i], nullptr);
  ::raise(last);
}

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
