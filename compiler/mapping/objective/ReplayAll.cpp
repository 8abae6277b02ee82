// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/ReplayAll.h"

#include "runtime/host/SpareThreads.h"

#include <mutex>

namespace dendrolith {

namespace {

/// Replays that are not in use. There are no more of them than threads have
/// worked at a time.
class Replays {
public:
  Replays(const std::vector<uint32_t> &cores, const Target &target,
          const TimingSet &timing)
      : cores(cores), target(target), timing(timing) {}

  StepEnd run(const ReplayStep &step) {
    std::unique_ptr<Replay> replay = take();
    if (!replay)
      replay = std::make_unique<Replay>(cores, target, timing);
    const StepEnd end = replay->run(step);
    const std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(std::move(replay));
    return end;
  }

private:
  std::unique_ptr<Replay> take() {
    const std::lock_guard<std::mutex> lock(mutex);
    if (idle.empty())
      return nullptr;
    std::unique_ptr<Replay> last = std::move(idle.back());
    idle.pop_back();
    return last;
  }

  const std::vector<uint32_t> &cores;
  const Target &target;
  const TimingSet &timing;
  std::mutex mutex;
  std::vector<std::unique_ptr<Replay>> idle;
};

} // namespace

std::vector<StepEnd> replayAll(const std::vector<ReplayStep> &steps,
                               size_t most, const std::vector<uint32_t> &cores,
                               const Target &target, const TimingSet &timing,
                               SpareThreads *threads) {
  std::vector<StepEnd> ends(std::min(most, steps.size()));
  std::vector<size_t> first; // of those that are alike
  for (size_t i = 0; i < ends.size(); ++i)
    if (steps[i].like >= i)
      first.push_back(i);
  Replays replays(cores, target, timing);
  SpareThreads alone(1);
  (threads ? *threads : alone).share(first.size(), [&](size_t k) {
    ends[first[k]] = replays.run(steps[first[k]]);
  });
  for (size_t i = 0; i < ends.size(); ++i)
    if (steps[i].like < i)
      ends[i] = ends[steps[i].like];
  return ends;
}

} // namespace dendrolith
