// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/StepRecorder.h"

#include "compiler/mapping/result/SliceGraph.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dendrolith {

// So many steps are kept; fewer, but a few, where that would be more messages
// than this, and none where one step alone has more than can be kept at all.
static constexpr uint32_t kKept = 32, kFew = 4;
static constexpr size_t kManyMessages = 400000, kMostMessages = 2000000;

StepRecorder::StepRecorder(const MapNetwork &network, const StepClock &clock,
                           const Visits &visits, const ChipModel &model)
    : network(network), clock(clock), visits(visits),
      spikeEmit(double(model.timing.spikeEmit)), place(clock.steps, -1) {
  if (!clock.sampled)
    return;
  // Evenly spread, but not in the rhythm of a period: multiples of the golden
  // section.
  for (uint32_t k = 1; k <= std::min(kKept, clock.steps); ++k) {
    auto step = uint32_t(std::fmod(k * 0.6180339887498949, 1) * clock.steps);
    while (place[step] >= 0)
      step = (step + 1) % clock.steps;
    place[step] = int(kept.size());
    kept.emplace_back().step = step;
  }
  engines.resize(kept.size());
}

void StepRecorder::openSlice(uint32_t p, uint32_t slice, uint32_t first) {
  population = p;
  for (ReplayStep &step : kept)
    step.tail.resize(slice + 1);
  std::fill(engines.begin(), engines.end(), Engine{-1, first, 0});
  clock.forEachUpdate(network.populations[p].schedule,
                      [&](uint32_t step, uint32_t bit) {
                        if (place[step] >= 0)
                          engines[size_t(place[step])].bit = int(bit);
                      });
}

void StepRecorder::advance(Engine &engine, uint32_t end) const {
  if (engine.bit >= 0)
    for (; engine.neuron < end; ++engine.neuron)
      engine.work +=
          visits.time(population, engine.neuron, uint32_t(engine.bit));
}

void StepRecorder::emit(uint32_t at, uint32_t slice, uint32_t element,
                        const std::vector<ReplayStep::Message> &messages,
                        uint32_t toHost) {
  if (place[at] < 0)
    return;
  ReplayStep &step = kept[size_t(place[at])];
  Engine &engine = engines[size_t(place[at])];
  if (slice != host) {
    advance(engine, element / network.populations[population].sources + 1);
    engine.work += spikeEmit;
  }
  auto endBurst = [&] {
    step.bursts.push_back({slice, float(std::exchange(engine.work, 0)),
                           uint32_t(step.messages.size())});
  };
  if (!messages.empty()) {
    step.messages.insert(step.messages.end(), messages.begin(), messages.end());
    endBurst();
  }
  if (toHost > 0) {
    step.messages.resize(step.messages.size() + toHost, {host, 0});
    endBurst();
  }
  all += messages.size() + toHost;
  keepFew();
}

void StepRecorder::closeSlice(uint32_t slice, uint32_t end) {
  for (size_t k = 0; k < kept.size(); ++k) {
    advance(engines[k], end);
    kept[k].tail[slice] = float(engines[k].work);
  }
}

void StepRecorder::keepFew() {
  while (!kept.empty() &&
         all > (kept.size() > kFew ? kManyMessages : kMostMessages)) {
    all -= kept.back().messages.size();
    place[kept.back().step] = -1;
    kept.pop_back();
    engines.pop_back();
  }
}

std::vector<ReplayStep> StepRecorder::take() {
  for (uint32_t k = 0; k < kept.size(); ++k) {
    uint32_t &like = kept[k].like;
    for (like = 0; like < k; ++like)
      if (kept[like].like == like && kept[k].sendsLike(kept[like]))
        break;
  }
  return std::move(kept);
}

} // namespace dendrolith
