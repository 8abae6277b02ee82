// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/workers/RunWorkers.h"

#include "runtime/explore/store/PointFiles.h"
#include "runtime/explore/workers/Claims.h"
#include "runtime/explore/workers/Worker.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <new>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unordered_set>

namespace dendrolith::explore {
namespace {

using Clock = std::chrono::steady_clock;

// So many workers may end while they measure nothing.
constexpr unsigned kIdleDeaths = 3;

/// A flag that processes share.
class SharedFlag {
public:
  SharedFlag() {
    void *memory =
        ::mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw std::bad_alloc();
    flag = new (memory) std::atomic<bool>(false);
  }
  ~SharedFlag() { ::munmap(flag, sizeof *flag); }
  SharedFlag(const SharedFlag &) = delete;
  SharedFlag &operator=(const SharedFlag &) = delete;
  std::atomic<bool> &get() { return *flag; }

private:
  std::atomic<bool> *flag;
};

/// A worker and what it is at.
struct WorkerSlot {
  std::unique_ptr<Worker> worker;
  std::optional<uint64_t> shard, design;
  std::optional<uint32_t> network; ///< that it has quantised last
  Clock::time_point begun;
};

} // namespace

class WorkerPool {
public:
  WorkerPool(const Store &store, const DesignList &designs,
             const MakeMeter &make, const RunOptions &options)
      : store(store), designs(designs), options(options),
        claims(store.folder()), groups(groupsOf(store, designs, make)),
        shards(shardsOf(groups)),
        work{store, designs, shards, make, stop.get()} {
    listPending(0);
  }
  ~WorkerPool() { endWorkers(); }

  /// Designs that come later, a shard each, in the order of their groups.
  void add(uint64_t first, uint64_t last) {
    end = RunEnd();
    ended.clear();
    groups.resize(std::max<size_t>(groups.size(), first)); // had their answers
    while (shards.size() < first)
      shards.push_back({shards.size()});
    const DesignList added = {
        last - first, [&](uint64_t i) { return designs.at(first + i); }};
    uint32_t known = 0;
    for (const Group &group : groups)
      known = std::max(known, group.network + 1);
    for (Group group : added.size == 1 ? std::vector<Group>(1)
                                       : groupsOf(store, added, work.make)) {
      group.network += known; // may be one that is known, and is taken for new
      groups.push_back(group);
      shards.push_back({shards.size()});
    }
    listPending(first);
    std::stable_sort(open.begin(), open.end(), [&](uint64_t a, uint64_t b) {
      return groups[a] < groups[b];
    });
  }

  RunEnd all() {
    const auto begin = Clock::now();
    slots.resize(std::max<uint64_t>(
        slots.size(), std::min<uint64_t>(std::max(1u, options.jobs),
                                         std::max<uint64_t>(open.size(), 1))));
    while (true) {
      checkSignals();
      checkBudget(begin);
      claims.renew();
      for (WorkerSlot &slot : slots)
        if (!slot.shard && !stop.get())
          giveShard(slot);
      if (std::any_of(slots.begin(), slots.end(),
                      [](const WorkerSlot &slot) { return !!slot.shard; }))
        listen();
      else if (stop.get() || !waitForOthers())
        break;
    }
    end.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    end.left = countLeft();
    end.measured = ended.size();
    return end;
  }

private:
  void endWorkers() {
    for (WorkerSlot &slot : slots)
      if (slot.worker && !slot.shard)
        slot.worker->end(/*kill=*/false);
    slots.clear();
  }

  /// Shards from this one on that miss points, those of this part first.
  void listPending(uint64_t from) {
    const uint64_t all = shards.size() - from,
                   first = all * options.part / options.parts;
    std::unordered_set<std::string> keys;
    for (std::string &key : all > kFewPoints ? pointKeys(store.folder())
                                             : std::vector<std::string>())
      keys.insert(std::move(key));
    for (uint64_t i = 0; i < all; ++i) {
      const uint64_t shard = from + (first + i) % all;
      uint64_t missing = 0;
      for (uint64_t number : shards[shard]) {
        const Design design = designs.at(number);
        if (store.designs().excluded(design))
          continue;
        ++end.designs;
        const std::string key = store.keyOf(design);
        if ((all > kFewPoints ? keys.count(key) > 0 : !isMissing(number)) &&
            !isWantedAgain(key))
          ++end.before;
        else
          ++missing;
      }
      if (missing)
        open.push_back(shard);
      end.left += missing;
    }
  }

  /// Removes the file of a point that is to be measured again.
  bool isWantedAgain(const std::string &key) const {
    if (options.again.empty())
      return false;
    const std::string path = pointPath(store.folder(), key);
    const Point point = pointOf(readPoint(store.folder(), key), path);
    if (!options.again.count(point.state))
      return false;
    if (::unlink(path.c_str()) != 0 && errno != ENOENT)
      throw Error(
          fmt::format("{}: cannot remove: {}", path, std::strerror(errno)));
    return true;
  }

  bool isMissing(uint64_t number) const {
    const Design design = designs.at(number);
    std::error_code ignored;
    return !store.designs().excluded(design) &&
           !std::filesystem::is_regular_file(
               pointPath(store.folder(), store.keyOf(design)), ignored);
  }

  uint64_t missingOf(uint64_t shard) const {
    return uint64_t(std::count_if(shards[shard].begin(), shards[shard].end(),
                                  [&](uint64_t n) { return isMissing(n); }));
  }

  uint64_t countLeft() const {
    uint64_t left = 0;
    for (uint64_t shard : open)
      left += missingOf(shard);
    return left;
  }

  void checkSignals() {
    if (interrupts.count() == 1 && !end.stopped) {
      end.stopped = stop.get() = true;
      if (options.say)
        options.say("finishing the current points; interrupt again to end "
                    "without them");
    }
    if (interrupts.count() < 2)
      return;
    for (const WorkerSlot &slot : slots)
      if (slot.shard)
        claims.release(*slot.shard);
    slots.clear(); // ends all workers
    interrupts.pass();
  }

  void checkBudget(Clock::time_point begin) {
    const uint64_t most = store.study().mostSeconds;
    if (most && Clock::now() - begin > std::chrono::seconds(most))
      end.outOfTime = stop.get() = true;
  }

  uint32_t networkOf(uint64_t shard) const {
    return groups[shards[shard].front()].network;
  }

  /// The first open shard that is not claimed: of the network that this worker
  /// has, else of one that no other worker has, else of any.
  void giveShard(WorkerSlot &slot) {
    const auto isOwn = [&](uint64_t shard) {
      return slot.network == networkOf(shard);
    };
    const auto isFree = [&](uint64_t shard) {
      return std::none_of(slots.begin(), slots.end(), [&](const auto &other) {
        return other.network == networkOf(shard);
      });
    };
    const auto isAny = [](uint64_t) { return true; };
    takeShard(slot, isOwn) || takeShard(slot, isFree) || takeShard(slot, isAny);
  }

  template <typename Suits>
  bool takeShard(WorkerSlot &slot, const Suits &suits) {
    for (size_t i = 0; i < open.size(); ++i) {
      const uint64_t shard = open[i];
      if (!suits(shard) || !claims.take(shard))
        continue;
      open.erase(open.begin() + std::ptrdiff_t(i));
      slot.shard = shard;
      slot.network = networkOf(shard);
      if (!slot.worker)
        start(slot);
      slot.worker->begin(shard);
      return true;
    }
    return false;
  }

  void start(WorkerSlot &slot) {
    slot.worker = std::make_unique<Worker>(
        work, fmt::format("{}/log/{}.{}.{}.txt", store.folder(), hostName(),
                          ::getpid(), started++));
  }

  /// Others have claimed what is left. False where that is all right.
  bool waitForOthers() {
    open.erase(
        std::remove_if(open.begin(), open.end(),
                       [&](uint64_t shard) { return missingOf(shard) == 0; }),
        open.end());
    if (open.empty() || options.parts > 1)
      return false;
    if (!waiting && options.say)
      options.say(fmt::format("the rest is being measured by {}",
                              fmt::join(claims.others(), ", ")));
    waiting = true;
    ::poll(nullptr, 0, 300);
    return true;
  }

  void listen() {
    std::vector<pollfd> polls;
    std::vector<WorkerSlot *> of;
    for (WorkerSlot &slot : slots)
      if (slot.shard) {
        polls.push_back({slot.worker->descriptor(), POLLIN, 0});
        of.push_back(&slot);
      }
    ::poll(polls.data(), polls.size(), 200);
    for (size_t i = 0; i < polls.size(); ++i) {
      if (polls[i].revents)
        readReport(*of[i]);
      else
        checkTime(*of[i]);
    }
    if (options.progress)
      options.progress(ended.size(), end.designs - end.before);
  }

  void readReport(WorkerSlot &slot) {
    const auto report = slot.worker->next();
    if (!report)
      return replaceWorker(slot, slot.worker->end(/*kill=*/true));
    switch (report->event) {
    case Report::Event::Begun:
      slot.design = report->number;
      slot.begun = Clock::now();
      break;
    case Report::Event::Ended:
      slot.design.reset();
      ended.insert(report->number);
      break;
    case Report::Event::Finished:
      if (stop.get())
        open.push_back(*slot.shard); // for countLeft()
      claims.release(*slot.shard);
      slot.shard.reset();
      break;
    }
  }

  void checkTime(WorkerSlot &slot) {
    const uint64_t most = store.study().pointSeconds;
    if (!most || !slot.design ||
        Clock::now() - slot.begun < std::chrono::seconds(most))
      return;
    slot.worker->end(/*kill=*/true);
    write(*slot.design, PointState::Timeout,
          fmt::format("took more than {} s", most));
    restart(slot);
  }

  /// A worker is gone. A kill from outside may have been meant for all
  /// processes, or come from a machine without memory: it gets one more chance.
  void replaceWorker(WorkerSlot &slot, const ProcessEnd &how) {
    if (!slot.design && ++idleDeaths > kIdleDeaths)
      throw Error(fmt::format("workers end before they measure anything: {}: "
                              "{}",
                              how.text(), slot.worker->lastLine()));
    if (slot.design &&
        (how.signal != SIGKILL || !killed.insert(*slot.design).second)) {
      const std::string last = slot.worker->lastLine();
      write(*slot.design, PointState::Failed,
            how.text() + (last.empty() ? "" : ": " + last));
    }
    restart(slot);
  }

  void write(uint64_t number, PointState state, const std::string &reason) {
    Point point;
    point.design = designs.at(number);
    point.state = state;
    point.reason = reason;
    PointWriter writer(store.folder());
    writer.add(store.keyOf(point.design), point);
    writer.flush();
    ended.insert(number);
  }

  /// The shard goes on where it was: its points are there.
  void restart(WorkerSlot &slot) {
    slot.design.reset();
    start(slot);
    slot.worker->begin(*slot.shard);
  }

  const Store &store;
  const DesignList &designs;
  const RunOptions &options;
  Interrupts interrupts;
  SharedFlag stop;
  Claims claims;
  std::vector<Group> groups;
  std::vector<Shard> shards;
  const Work work;
  std::vector<uint64_t> open; ///< shards that are not finished, nor begun here
  std::vector<WorkerSlot> slots;
  std::unordered_set<uint64_t> killed; ///< designs that met SIGKILL once
  uint64_t started = 0;
  unsigned idleDeaths = 0;
  bool waiting = false;
  std::unordered_set<uint64_t> ended; ///< designs that are points now
  RunEnd end;
};

StandingWorkers::StandingWorkers(const Store &store, const DesignList &designs,
                                 MakeMeter made, const RunOptions &options)
    : store(store), make(std::move(made)),
      pool(std::make_unique<WorkerPool>(store, designs, make, options)) {
  removeHalfWritten(store.folder());
}

StandingWorkers::~StandingWorkers() {
  pool.reset();
  removeHalfWritten(store.folder());
}

RunEnd StandingWorkers::measure(uint64_t first, uint64_t end) {
  pool->add(first, end);
  return pool->all();
}

RunEnd runWorkers(const Store &store, const DesignList &designs,
                  const MakeMeter &make, const RunOptions &options) {
  removeHalfWritten(store.folder());
  const RunEnd end = WorkerPool(store, designs, make, options).all();
  // Workers of one that was killed may have died a moment after it.
  removeHalfWritten(store.folder());
  return end;
}

} // namespace dendrolith::explore
