// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/workers/Part.h"

#include "runtime/host/Wire.h"
#include "simulator/timing/workers/Transfer.h"
#include "targets/support/Time.h"

#include <algorithm>
#include <map>
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

void merge(RunResult &to, RunResult from) {
  to.timePs = plus(to.timePs, from.timePs);
  to.counts.host[Counter::Stalls] += from.counts.host[Counter::Stalls];
  for (const auto &[core, counts] : from.counts.cores)
    to.counts.cores[core][Counter::Stalls] += counts[Counter::Stalls];
  for (size_t s = 0; s < from.sampleLatencyPs.size(); ++s)
    to.sampleLatencyPs[s] += from.sampleLatencyPs[s]; // one of both is 0
  for (size_t s = 0; s < from.stepTimes.size(); ++s)
    if (to.stepTimes[s].empty())
      to.stepTimes[s] = std::move(from.stepTimes[s]);
  for (size_t c = 0; c < from.coreActivity.size(); ++c) {
    CoreActivity &core = to.coreActivity[c];
    const CoreActivity &more = from.coreActivity[c];
    core.updating += more.updating;
    core.stalled += more.stalled;
    core.receiving += more.receiving;
  }
  to.linkActivity = sum(to.linkActivity, from.linkActivity);
}

} // namespace

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
