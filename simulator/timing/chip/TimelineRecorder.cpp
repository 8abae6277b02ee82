// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/chip/TimelineRecorder.h"

#include <algorithm>
#include <set>

namespace dendrolith::sim {

/// A queue is told at so many instants of a step; more are folded in pairs.
static constexpr size_t kQueueInstants = 64;

void TimelineRecorder::openStep(uint64_t sample, uint64_t step, uint64_t time) {
  on = wanted() && request.firstSample <= sample &&
       sample < request.endSample && request.firstStep <= step &&
       step < request.endStep;
  if (step == 0) // nothing outlives a sample
    for (Engine &engine : engines)
      engine.keptMessages = engine.keptSynops = 0;
  if (!on)
    return;
  open = {};
  open.sample = sample;
  open.step = step;
  open.start = time;
}

void TimelineRecorder::emits(const MessageStream &stream) {
  uint64_t toCores = 0;
  for (const MessageStream::Burst &burst : stream.all())
    toCores += burst.to.size() != 0;
  (isHost(stream.sender()) ? open.inputs : open.spikes) += toCores;
  open.values += stream.all().size() - toCores;
}

void TimelineRecorder::handsOver(const MessageStream &stream,
                                 const Machine &machine) {
  if (!stream.endsMessage())
    return;
  const uint32_t source = stream.sender();
  engines[source].sent += on;
  for (const Machine::Message &to : stream.ending()) {
    const Axon axon = machine.axons()[to.axon];
    under[{source, axon.core}].push_back(axon.count);
  }
}

void TimelineRecorder::worked(uint32_t endpoint, uint64_t from, uint64_t to) {
  add({from, to - from, endpoint,
       isHost(endpoint) ? Slice::Input : Slice::Update,
       std::exchange(engines[endpoint].sent, 0)});
}

void TimelineRecorder::stalled(uint32_t endpoint, uint64_t from, uint64_t to) {
  extend(engines[endpoint].stall, {from, to - from, endpoint, Slice::Stalled});
}

uint64_t TimelineRecorder::arrived(uint32_t source, uint32_t destination) {
  std::deque<uint64_t> &way = under.at({source, destination});
  const uint64_t synops = way.front();
  way.pop_front();
  return synops;
}

void TimelineRecorder::served(uint32_t source, uint32_t core, uint64_t time,
                              uint64_t from, uint64_t to, uint64_t synops) {
  extend(engines[core].receive,
         {from, to - from, core, Slice::Receive, 1, synops});
  leave(core, time);
  engines[core].ends.push_back(to);
  note(core, time);
  TimelineFlow &flow = flows[{source, core}];
  ++flow.messages;
  flow.served = engines[core].receive.start;
}

void TimelineRecorder::keep(uint32_t core, uint64_t synops) {
  ++engines[core].keptMessages;
  engines[core].keptSynops += synops;
}

void TimelineRecorder::servedKept(uint32_t core, uint64_t from, uint64_t to) {
  const uint64_t messages = std::exchange(engines[core].keptMessages, 0);
  const uint64_t synops = std::exchange(engines[core].keptSynops, 0);
  if (on)
    add({from, to - from, core, Slice::Receive, messages, synops});
}

/// Slices that touch are one.
void TimelineRecorder::extend(Slice &slice, const Slice &by) {
  if (slice.length && slice.start + slice.length == by.start) {
    slice.length += by.length;
    slice.messages += by.messages;
    slice.synops += by.synops;
    return;
  }
  add(slice);
  slice = by;
}

/// The queue of a core is as long as it is now from `time` on.
void TimelineRecorder::note(uint32_t core, uint64_t time) {
  Engine &engine = engines[core];
  std::vector<TimelineQueue> &queue = engine.queue;
  const uint64_t length = engine.ends.size();
  if (!queue.empty() && queue.back().time == time) {
    queue.back().messages = length;
    return;
  }
  queue.push_back({time, core, length});
  if (queue.size() < 2 * kQueueInstants)
    return;
  for (size_t i = 0; i < kQueueInstants; ++i)
    queue[i] = {queue[2 * i].time, core,
                std::max(queue[2 * i].messages, queue[2 * i + 1].messages)};
  queue.resize(kQueueInstants);
}

/// What is served by `until` has left the queue.
void TimelineRecorder::leave(uint32_t core, uint64_t until) {
  std::deque<uint64_t> &ends = engines[core].ends;
  while (!ends.empty() && ends.front() <= until) {
    const uint64_t end = ends.front();
    while (!ends.empty() && ends.front() == end)
      ends.pop_front();
    note(core, end);
  }
}

void TimelineRecorder::closeStep(uint64_t mesh, uint64_t end, uint64_t closed) {
  under.clear();
  if (!on)
    return;
  for (Engine &engine : engines)
    for (Slice *slice : {&engine.stall, &engine.receive})
      add(std::exchange(*slice, {}));
  addQueues();
  addFlows();
  std::set<uint32_t> cores;
  for (const Slice &slice : open.slices)
    if (!isHost(slice.core))
      cores.insert(slice.core);
  open.cores = open.shown = cores.size();
  if (mesh > open.start)
    add({open.start, mesh - open.start, 0, Slice::Mesh});
  add({end, closed - end, 0, Slice::Barrier});
  open.end = closed;
  if (open.rows() > request.rows)
    showLast();
  std::sort(open.slices.begin(), open.slices.end());
  std::stable_sort(
      open.queues.begin(), open.queues.end(),
      [](const auto &a, const auto &b) { return a.time < b.time; });
  std::sort(open.links.begin(), open.links.end(),
            [](const LinkCount &a, const LinkCount &b) {
              return std::pair(a.from, a.to) < std::pair(b.from, b.to);
            });
  keepLongest();
}

void TimelineRecorder::addQueues() {
  for (uint32_t core = 0; core < engines.size(); ++core) {
    leave(core, UINT64_MAX);
    std::vector<TimelineQueue> &queue = engines[core].queue;
    open.queues.insert(open.queues.end(), queue.begin(), queue.end());
    queue.clear();
  }
}

/// Only what took time has slices that an arrow can join.
void TimelineRecorder::addFlows() {
  std::map<uint32_t, uint64_t> updates;
  std::set<std::pair<uint32_t, uint64_t>> receives;
  for (const Slice &slice : open.slices)
    if (slice.kind == Slice::Receive)
      receives.insert({slice.core, slice.start});
    else if (slice.kind != Slice::Stalled)
      updates[slice.core] = slice.start;
  for (auto &[ends, flow] : flows) {
    const auto update = updates.find(ends.first);
    if (update != updates.end() && receives.count({ends.second, flow.served}))
      open.flows.push_back({ends.first, ends.second, flow.messages,
                            update->second, flow.served});
  }
  flows.clear();
}

/// A step of more rows than fit shows the cores that ended last.
void TimelineRecorder::showLast() {
  std::map<uint32_t, std::pair<uint64_t, uint64_t>> ends; // time, rows
  for (const Slice &slice : open.slices)
    if (slice.kind != Slice::Mesh && slice.kind != Slice::Barrier) {
      auto &[end, count] = ends[slice.core];
      end = std::max(end, slice.start + slice.length);
      ++count;
    }
  for (const TimelineQueue &queue : open.queues)
    ++ends[static_cast<uint32_t>(queue.core)].second;
  std::vector<std::pair<uint64_t, uint32_t>> order;
  for (const auto &[core, has] : ends)
    order.push_back({UINT64_MAX - has.first, core});
  std::sort(order.begin(), order.end());
  std::set<uint32_t> chosen;
  uint64_t room = request.rows;
  for (const auto &[end, core] : order) {
    // An arrow to each of them may come, too.
    const uint64_t takes = ends[core].second + 2;
    if (takes + 5 > room)
      break;
    room -= takes;
    chosen.insert(core);
  }
  const auto drop = [](auto &all, auto hidden) {
    all.erase(std::remove_if(all.begin(), all.end(), hidden), all.end());
  };
  drop(open.slices, [&](const Slice &slice) {
    return slice.kind != Slice::Mesh && slice.kind != Slice::Barrier &&
           !chosen.count(slice.core);
  });
  drop(open.queues, [&](const TimelineQueue &queue) {
    return !chosen.count(static_cast<uint32_t>(queue.core));
  });
  std::map<uint32_t, TimelineFlow> last; // to each core
  for (const TimelineFlow &flow : open.flows)
    if (chosen.count(flow.from) && chosen.count(flow.to))
      last[flow.to] = flow;
  open.flows.clear();
  for (const auto &[core, flow] : last)
    open.flows.push_back(flow);
  open.links.clear();
  open.shown = chosen.size() - chosen.count(uint32_t(engines.size() - 1));
}

/// The longest of all steps so far stay, as many as fit together.
void TimelineRecorder::keepLongest() {
  const Length length = {open.end - open.start, UINT64_MAX - asked++};
  rows += open.rows();
  kept.emplace(length, std::move(open));
  while (rows > request.rows && !kept.empty()) {
    rows -= kept.begin()->second.rows();
    dropped = std::max(dropped, kept.begin()->first);
    kept.erase(kept.begin());
  }
}

Timeline TimelineRecorder::take() {
  Timeline timeline;
  timeline.asked = asked;
  for (auto &[length, step] : kept)
    if (length > dropped)
      timeline.steps.push_back(std::move(step));
  std::sort(timeline.steps.begin(), timeline.steps.end(),
            [](const auto &a, const auto &b) { return a.start < b.start; });
  return timeline;
}

} // namespace dendrolith::sim
