// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/handshake/Handshake.h"

#include <algorithm>

namespace dendrolith::sim {

Handshake::Handshake(const Machine &machine, const Target &target,
                     const TimingSet &timing, uint64_t stepsOfSample,
                     uint64_t events, Activity &activity)
    : machine(machine), partners(machine, target, timing), activity(activity),
      stepsOfSample(stepsOfSample), tick(timing.tick),
      all(partners.endpoints()),
      timeline(machine.cores().size(), stepsOfSample, events) {}

void Handshake::startSample(uint64_t time) {
  for (uint32_t e = 0; e < all.size(); ++e) {
    for (const Step &step : all[e].steps)
      paths.release(step.path);
    all[e] = {};
    planned.push({time, 0, e});
  }
}

uint64_t Handshake::open(std::vector<uint32_t> &endpoints) {
  const auto [time, step, first] = planned.top();
  endpoints.clear();
  isOpening = true;
  for (; !planned.empty() && planned.top().time == time &&
         planned.top().step == step;
       planned.pop()) {
    Endpoint &endpoint = all[planned.top().endpoint];
    endpoint.step = step;
    endpoint.planned = false;
    endpoint.steps[step & 1].opened = time;
    endpoint.steps[step & 1].end = never;
    // What had come for the step before has been used. Its place now belongs to
    // the step after.
    endpoint.steps[(step + 1) & 1].arrived = {};
    endpoints.push_back(planned.top().endpoint);
  }
  return step;
}

uint64_t Handshake::lowestStep() const {
  return std::min_element(all.begin(), all.end(),
                          [](const Endpoint &a, const Endpoint &b) {
                            return a.step < b.step;
                          })
      ->step;
}

void Handshake::expect(Span<Machine::Message> to, uint32_t flits, uint64_t step,
                       uint64_t time) {
  const uint64_t messages = std::max<uint64_t>(to.size(), 1);
  if (!to.size())
    at(all.size() - 1, step).arrived.flits += flits;
  for (const Machine::Message &message : to)
    at(machine.coreOf(message), step).arrived.flits += flits;
  if (!flying) {
    flyingSince = time;
    flyingStep = step;
  }
  // Endpoints that open a step at one instant may come in any order.
  if (flyingSince == time)
    flyingStep = std::min(flyingStep, step);
  flying += messages * flits;
}

void Handshake::finished(uint32_t endpoint, uint64_t end) {
  const uint64_t step = all[endpoint].step;
  Step &mine = at(endpoint, step);
  mine.end = end;
  if (!isHost(endpoint)) {
    activity.engine(endpoint).updating += end - mine.opened;
    timeline.add(TimelineEvent::Update, endpoint, fromBeginning(step),
                 mine.opened, end);
  }
  for (const Partners::Partner &partner : partners.of(endpoint)) {
    Arrived &theirs = at(partner.endpoint, step).arrived;
    ++theirs.done;
    theirs.lastDone.later(plus(end, partner.delay), endpoint);
    plan(partner.endpoint);
  }
  plan(endpoint);
}

void Handshake::stalled(uint32_t core, uint64_t from, uint64_t to) {
  activity.engine(core).stalled += to - from;
  timeline.stalled(core, fromBeginning(all[core].step), from, to);
}

void Handshake::received(const Flit &flit, uint64_t time, uint64_t end,
                         uint64_t service) {
  const uint32_t to = flit.destination;
  // The flit says whether its step is odd. It is the step that the endpoint has
  // open or, if it comes from a partner ahead, the next one.
  const uint64_t step = all[to].step + ((all[to].step ^ parityOf(flit)) & 1);
  Arrived &here = at(to, step).arrived;
  --here.flits;
  here.lastFlit.later(time, flit.source);
  here.served = std::max(here.served, end);
  if (--flying == 0)
    timeline.carried(fromBeginning(flyingStep), flyingSince, time);
  if (service) {
    activity.engine(to).receiving += service;
    timeline.received(to, fromBeginning(step), end - service, end);
  }
  plan(to);
}

/// Plans the opening of the endpoint's next step, if nothing is left to wait
/// for.
void Handshake::plan(uint32_t endpoint) {
  Endpoint &self = all[endpoint];
  const Step &mine = at(endpoint, self.step);
  const Arrived &arrived = mine.arrived;
  if (self.planned || mine.end == never || arrived.flits != 0 ||
      arrived.done != partners.of(endpoint).size())
    return;
  self.planned = true;
  const uint64_t ready = std::max(mine.end, arrived.served);
  const uint64_t time =
      std::max({ready, arrived.lastDone.time, plus(mine.opened, tick)});
  lead(endpoint, time);
  if (!isHost(endpoint)) {
    activity.engine(endpoint).waiting += time - ready;
    timeline.add(TimelineEvent::Waiting, endpoint, fromBeginning(self.step),
                 ready, time);
  }
  timeline.closed(fromBeginning(self.step), time);
  planned.push({time, self.step + 1, endpoint});
}

/// Notes the critical path to what an endpoint opens at `time`. Its last link
/// leads from the opening of the step before at the endpoint that it waited for
/// last.
void Handshake::lead(uint32_t endpoint, uint64_t time) {
  const uint64_t step = all[endpoint].step;
  const Step &mine = at(endpoint, step);
  // A tick that is waited for is the endpoint's own.
  const bool itself = mine.end == time || mine.opened + tick == time;
  const bool message = !itself && mine.arrived.served == time;
  const uint32_t from = itself    ? endpoint
                        : message ? mine.arrived.lastFlit.who
                                  : mine.arrived.lastDone.who;
  const Step &theirs = at(from, step);
  StepTime link;
  uint64_t reached = theirs.opened;
  auto until = [&](uint64_t &part, uint64_t end) {
    if (end > reached) {
      part += end - reached;
      reached = end;
    }
  };
  until(isHost(from) ? link.noc : link.update, theirs.end);
  if (message) {
    until(link.noc, mine.arrived.lastFlit.time);
    until(link.receive, time);
  }
  until(link.barrier, time);
  if (link.update)
    link.updateCore = from;
  if (link.receive)
    link.receiveCore = endpoint;
  if (link.noc) {
    link.linkFrom = from;
    link.linkTo = message ? endpoint : from;
  }
  uint32_t &path = at(endpoint, step + 1).path;
  const uint32_t old = path;
  path = paths.add(link, theirs.path);
  paths.release(old);
}

std::vector<StepTime> Handshake::endSample() {
  ++samples;
  const Step *last = &at(0, stepsOfSample);
  for (uint32_t e = 1; e < all.size(); ++e)
    if (at(e, stepsOfSample).opened > last->opened)
      last = &at(e, stepsOfSample);
  return paths.to(last->path);
}

} // namespace dendrolith::sim
