// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/work/RecordedWork.h"

#include "simulator/events/EventCounter.h"
#include "targets/loader/chip/Sections.h"

#include <algorithm>

namespace dendrolith::sim {

RecordedWork::RecordedWork(const Machine &machine, const Target &target,
                           const CoreTimings &timings, std::string_view record,
                           const Earlier &earlier)
    : machine(machine), earlier(earlier), flits(machine.sources()) {
  RecordReader all(record.data(), record.data() + record.size());
  numSamples = all.next();
  numTicks = all.next();
  if (numTicks == 0)
    for (uint64_t sample = 0; sample < numSamples; ++sample)
      eventsOf.push_back(all.next());
  if (all.next() != machine.cores().size())
    RecordReader::fail();
  for (uint32_t core = 0; core < machine.cores().size(); ++core) {
    const WorkTimes times(machine, core, target, timings.of(core));
    std::vector<Timed> pieces;
    WorkPiece piece;
    for (uint64_t n = all.next(); n > 0; --n) {
      piece.clear();
      uint64_t emissions = 0;
      for (uint64_t kinds = all.next(); kinds > 0; --kinds) {
        const uint64_t kind = all.next();
        if (kind >= times.kinds())
          RecordReader::fail();
        piece.emplace_back(static_cast<uint32_t>(kind), all.next());
        if (kind == work::Emission)
          emissions += piece.back().second;
      }
      pieces.push_back({times.of(piece), emissions});
    }
    streams.push_back({std::move(pieces), all.part()});
  }
  streams.push_back({{}, all.part()});
  if (!all.atEnd())
    RecordReader::fail();
  for (size_t e = 0; e < earlier.sources.size(); ++e)
    streams[e].source = earlier.sources[e];
  for (const Machine::Input &input : machine.inputs())
    std::fill_n(flits.begin() + input.source, input.sources(),
                flitsOf(target.mesh, input.payloadBits));
  for (const Machine::Group &group : machine.groups())
    for (uint32_t part = 0; part < group.sources; ++part) {
      const uint32_t each =
          flitsOf(target.mesh, spikeForm(group, part).payloadBits);
      for (uint32_t n = 0; n < group.count; ++n)
        flits[group.sourceOf(n, part)] = each;
    }
  for (const Machine::Output &output : machine.outputs())
    flitsToHost.push_back(flitsOf(target.mesh, output.payloadBits));
}

MessageStream::Burst RecordedWork::burstOf(uint32_t source) const {
  if (source >= flits.size())
    RecordReader::fail();
  MessageStream::Burst burst;
  burst.to = machine.messages(source);
  burst.flits = flits[source];
  return burst;
}

/// Whether the step is before the record. Then no more is known than whether it
/// was the last one before in which the endpoint sent.
bool RecordedWork::before(uint32_t endpoint, uint64_t step,
                          MessageStream &to) const {
  if (step >= earlier.steps)
    return false;
  if (earlier.sent[endpoint] == step + 1)
    to.add({});
  return true;
}

uint64_t RecordedWork::update(uint32_t core, uint64_t sample, uint64_t step,
                              MessageStream &to) {
  if (before(core, step, to) ||
      !visitsOf(machine, core, step, ticksOf(sample)).any)
    return 0;
  Stream &stream = streams[core];
  RecordReader &steps = stream.steps;
  uint64_t messages = steps.next();
  const Timed &behind = pieceOf(stream, steps.next());
  uint64_t emissions = behind.emissions, sent = 0;
  for (; messages > 0; --messages) {
    const Timed &before = pieceOf(stream, steps.next());
    const uint64_t what = steps.next();
    MessageStream::Burst burst;
    if (what & 1) {
      if (what >> 1 >= flitsToHost.size())
        RecordReader::fail();
      burst.flits = flitsToHost[what >> 1];
    } else {
      stream.source = steps.source(what >> 1, stream.source);
      burst = burstOf(stream.source);
      ++sent;
      if (serial)
        serial->emitted(core, stream.source);
    }
    emissions += before.emissions;
    burst.work = before.ps;
    to.add(burst);
  }
  if (serial)
    // A spike from a queue was emitted in an earlier step.
    serial->emittedNowhere(core, emissions - std::min(emissions, sent));
  return behind.ps;
}

void RecordedWork::inject(uint64_t, uint64_t step, MessageStream &to) {
  if (before(static_cast<uint32_t>(machine.cores().size()), step, to))
    return;
  Stream &stream = streams.back();
  for (uint64_t inputs = stream.steps.next(); inputs > 0; --inputs) {
    stream.source = stream.steps.source(stream.steps.next(), stream.source);
    const MessageStream::Burst burst = burstOf(stream.source);
    if (serial)
      serial->emitted(static_cast<uint32_t>(machine.cores().size()),
                      stream.source);
    for (uint64_t times = stream.steps.next(); times > 0; --times)
      to.add(burst);
  }
}

} // namespace dendrolith::sim
