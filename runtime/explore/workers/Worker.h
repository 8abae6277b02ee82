// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process that measures: it gets numbers of shards, measures the designs of
// each that have no point yet, and says what it is at.

#ifndef DENDROLITH_RUNTIME_EXPLORE_WORKERS_WORKER_H
#define DENDROLITH_RUNTIME_EXPLORE_WORKERS_WORKER_H

#include "runtime/explore/stages/Measure.h"
#include "runtime/explore/store/Store.h"
#include "runtime/host/ChildProcess.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace dendrolith::explore {

// The designs that workers measure, what they measure them with, and which of
// them share the expensive stages.

/// What a worker measures with. Measurer is one; a test has a faster one.
struct Meter {
  std::function<SharedStages(const Design &)> sharedStagesOf;
  std::function<Measured(const Design &)> measure;
};

/// Each process makes its own, after it was forked.
using MakeMeter = std::function<Meter()>;

/// Designs by number, from 0 on.
struct DesignList {
  uint64_t size = 0;
  std::function<Design(uint64_t)> at;
};

/// All designs of the store's study.
DesignList allDesigns(const Store &store);

/// Designs of one network are quantised once, those of one program mapped and
/// run once. Both are numbered in the order in which they are met.
struct Group {
  uint32_t network = 0, program = 0;
  bool operator==(const Group &o) const {
    return network == o.network && program == o.program;
  }
  bool operator<(const Group &o) const {
    return std::tie(network, program) < std::tie(o.network, o.program);
  }
};

/// The group of each design. Groups are found once and kept in the store.
std::vector<Group> groupsOf(const Store &store, const DesignList &designs,
                            const MakeMeter &make);

// The designs of a study cut into pieces, each of which one worker measures.
// The pieces depend on the study alone, so that all workers, on all machines,
// have the same ones.

/// Numbers of designs, from 0 on.
using Shard = std::vector<uint64_t>;

/// Designs of one program come one after the other, and so do programs of one
/// network, each in the order in which they are met first. A shard has one
/// network. A program is divided only where it has more designs than a shard
/// and than eight: to compile it twice costs more than a worker that waits at
/// the end.
std::vector<Shard> shardsOf(const std::vector<Group> &groups);

/// How many designs a shard has at the most: enough that claims are few, few
/// enough that workers end at about the same time.
uint64_t shardSize(uint64_t designs);

/// What is measured, the same for all workers.
struct Work {
  const Store &store;
  const DesignList &designs;
  /// Shard N is design N where it comes after a worker was forked.
  const std::vector<Shard> &shards;
  const MakeMeter &make;
  /// Set, no further design is begun; in memory that processes share.
  const std::atomic<bool> &stop;
};

/// What a worker says, as notes of its pipe.
struct Report {
  enum class Event : uint8_t {
    Begun,   ///< a design is being measured
    Ended,   ///< it is a point
    Finished ///< a shard has no design left, or work is to stop
  } event = Event::Begun;
  uint64_t number = 0; ///< of the design, or of the shard
};

// SIGINT and SIGTERM while work goes on: the first asks for an end when the
// current points are finished, the second one ends at once.

/// Counts the signals while it lives; there is one at a time.
class Interrupts {
public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;

  int count() const;
  /// Does what the last signal would have done without this.
  void pass();

private:
  struct sigaction before[2];
};

class Worker {
public:
  /// Forks. What the worker prints goes into `log`. Throws Error.
  Worker(const Work &work, std::string log);
  ~Worker();
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  void begin(uint64_t shard);
  /// Something can be read, also that it is gone.
  int descriptor() const { return child->descriptor(); }
  /// The next report; nothing where the process is gone. Throws Error where it
  /// could not go on: its own words.
  std::optional<Report> next();

  /// Ends the process, or waits for one that is gone.
  ProcessEnd end(bool kill);
  /// The last line that the process printed; "" where there is none.
  std::string lastLine() const;

private:
  std::string log;
  int orders = -1;
  std::unique_ptr<ChildProcess> child;
};

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_WORKERS_WORKER_H
