// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/workers/Part.h"

#include "runtime/host/Wire.h"
#include "simulator/timing/workers/Transfer.h"
#include "targets/support/Sha256.h"
#include "targets/support/Time.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <map>
#include <new>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace dendrolith::sim {
namespace {

template <typename Stream>
void visitPart(Stream &stream, Part &part, Recorder &recorder, Share share,
               uint64_t samples) {
  part.events.visit(stream);
  part.limits.visit(stream);
  for (uint64_t s = share.first; s < samples; s += share.stride)
    recorder.visit(stream, s);
}

/// Links are those that carried something, which may be others in each part.
std::vector<LinkActivity> sum(const std::vector<LinkActivity> &a,
                              const std::vector<LinkActivity> &b) {
  std::map<std::pair<uint32_t, uint32_t>, LinkActivity> all;
  for (const auto *part : {&a, &b})
    for (const LinkActivity &link : *part) {
      LinkActivity &to = all[{link.from, link.to}];
      to = {link.from, link.to, to.flits + link.flits, plus(to.busy, link.busy),
            plus(to.waited, link.waited)};
    }
  std::vector<LinkActivity> links;
  for (const auto &[ends, link] : all)
    links.push_back(link);
  return links;
}

} // namespace

void merge(RunResult &to, RunResult from) {
  to.timePs = plus(to.timePs, from.timePs);
  to.counts.host[Counter::Stalls] += from.counts.host[Counter::Stalls];
  for (const auto &[core, counts] : from.counts.cores)
    to.counts.cores[core][Counter::Stalls] += counts[Counter::Stalls];
  // One of both has nothing of a sample, or its steps follow.
  const size_t samples = std::max(to.stepTimes.size(), from.stepTimes.size());
  to.sampleLatencyPs.resize(samples);
  to.stepTimes.resize(samples);
  for (size_t s = 0; s < from.sampleLatencyPs.size(); ++s)
    to.sampleLatencyPs[s] += from.sampleLatencyPs[s];
  for (size_t s = 0; s < from.stepTimes.size(); ++s)
    to.stepTimes[s].insert(to.stepTimes[s].end(), from.stepTimes[s].begin(),
                           from.stepTimes[s].end());
  for (size_t c = 0; c < from.coreActivity.size(); ++c) {
    CoreActivity &core = to.coreActivity[c];
    const CoreActivity &more = from.coreActivity[c];
    core.updating += more.updating;
    core.stalled += more.stalled;
    core.receiving += more.receiving;
  }
  to.linkActivity = sum(to.linkActivity, from.linkActivity);
}

/// What a worker leaves for the one before it.
struct Relay::Baton {
  enum State : int { Running, Offered, Taken, Refused, Failed };
  std::atomic<int> state{Running};
  std::atomic<pid_t> process{0};
  char turns[64]; // their digest, once it is offered
};

static std::string digestOf(const std::vector<uint32_t> &turns) {
  return sha256({reinterpret_cast<const char *>(turns.data()),
                 turns.size() * sizeof(uint32_t)});
}

Legs::Legs(uint64_t steps, uint64_t count) : steps(steps) {
  constexpr uint64_t kParts = 8;
  early = (steps / count + kParts - 1) / kParts;
  const uint64_t all = steps + (count - 1) * early;
  for (uint64_t l = 0; l < count; ++l)
    firsts.push_back(l == 0 ? 0 : all * l / count - (l - 1) * early);
}

Relay::Relay(uint64_t steps, uint64_t workers) : legs(steps, workers) {
  void *memory =
      ::mmap(nullptr, workers * sizeof(Baton), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  batons = static_cast<Baton *>(memory);
  for (uint64_t w = 0; w < workers; ++w)
    new (batons + w) Baton;
}

Relay::~Relay() { ::munmap(batons, workers() * sizeof(Baton)); }

void Relay::start(uint64_t worker) {
  self = last = worker;
  batons[worker].process = ::getpid();
}

void Relay::begin(const std::vector<uint32_t> &turns) {
  digestOf(turns).copy(batons[self].turns, sizeof Baton::turns);
  batons[self].state = Baton::Offered;
}

template <typename Told> static void wait(Told told) {
  while (!told())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

bool Relay::refused() const { return batons[self].state == Baton::Refused; }

bool Relay::taken() const {
  // The caller ends whoever waits for a worker that has died.
  wait([&] { return self == 0 || batons[self].state != Baton::Offered; });
  return self == 0 || batons[self].state == Baton::Taken;
}

bool Relay::handsOver(const std::vector<uint32_t> &turns) {
  Baton &next = batons[last + 1];
  wait([&] {
    const pid_t process = next.process;
    return next.state != Baton::Running ||
           (process != 0 && ::kill(process, 0) != 0);
  });
  const bool same = digestOf(turns).compare(0, std::string::npos, next.turns,
                                            sizeof Baton::turns) == 0;
  int offered = Baton::Offered;
  if (next.state.compare_exchange_strong(offered, same ? Baton::Taken
                                                       : Baton::Refused) &&
      same)
    return true;
  ++last;
  return false;
}

bool Relay::giveUp() {
  return self > 0 && batons[self].state.exchange(Baton::Failed) != Baton::Taken;
}

void merge(Part &to, Part from) {
  to.events.merge(from.events);
  to.limits.merge(from.limits);
  merge(to.times, std::move(from.times));
}

void send(Part &part, Recorder &recorder, Share share, uint64_t samples,
          const ByteSink &sink) {
  Writer writer(sink, /*last=*/true);
  visitPart(writer, part, recorder, share, samples);
  send(part.times, sink);
}

void receive(Part &part, Recorder &recorder, Share share, uint64_t samples,
             const ByteSource &source) {
  Reader reader(source, kMaxResult);
  visitPart(reader, part, recorder, share, samples);
  part.times = receive(source);
}

} // namespace dendrolith::sim
