// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/handshake/OverlapTimeline.h"

#include <algorithm>

namespace dendrolith::sim {

void OverlapTimeline::add(TimelineEvent::Kind kind, uint32_t core,
                          uint64_t step, uint64_t from, uint64_t to) {
  if (step >= horizon || from == to)
    return;
  events.push_back({from, to - from, core, kind, step});
  // This happens seldom, so that its cost does not show.
  if (events.size() > 2 * mostEvents + 1024)
    prune();
}

void OverlapTimeline::extend(TimelineEvent &pending,
                             const TimelineEvent &next) {
  const uint64_t end = pending.start + pending.length;
  if (end == next.start && pending.length && pending.step == next.step) {
    pending.length += next.length;
    return;
  }
  add(pending.kind, pending.core, pending.step, pending.start, end);
  pending = next;
}

void OverlapTimeline::carried(uint64_t step, uint64_t from, uint64_t to) {
  const uint64_t end = mesh.start + mesh.length;
  if (mesh.length && from <= end) {
    mesh.length = std::max(end, to) - mesh.start;
    return;
  }
  add(TimelineEvent::Mesh, 0, mesh.step, mesh.start, end);
  mesh = {from, to - from, 0, TimelineEvent::Mesh, step};
}

void OverlapTimeline::closed(uint64_t step, uint64_t time) {
  if (step >= horizon)
    return;
  if (closes.size() <= step)
    closes.resize(step + 1, 0);
  closes[step] = std::max(closes[step], time);
}

/// Keeps the first steps that fit, and whole ones only. A step that has too
/// many slices so far will not fit later either, nor will those after it.
void OverlapTimeline::prune() {
  if (events.size() <= mostEvents)
    return;
  auto first = events.begin() + static_cast<ptrdiff_t>(mostEvents);
  std::nth_element(events.begin(), first, events.end(),
                   [](const TimelineEvent &a, const TimelineEvent &b) {
                     return a.step < b.step;
                   });
  horizon = first->step;
  events.erase(std::remove_if(events.begin(), events.end(),
                              [&](const TimelineEvent &event) {
                                return event.step >= horizon;
                              }),
               events.end());
}

Timeline OverlapTimeline::take() {
  for (std::vector<TimelineEvent> *pending : {&receiving, &stalls})
    for (TimelineEvent &event : *pending)
      extend(event, {});
  carried(0, UINT64_MAX, UINT64_MAX);
  prune();
  Timeline timeline;
  timeline.overlapping = stepsOfSample;
  timeline.stopped = horizon != UINT64_MAX && mostEvents;
  timeline.steps = std::min<uint64_t>(horizon, closes.size());
  if (timeline.steps)
    timeline.endPs = closes[timeline.steps - 1];
  std::sort(events.begin(), events.end());
  timeline.events = std::move(events);
  return timeline;
}

} // namespace dendrolith::sim
