// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/work/WorkRecord.h"

#include "targets/support/Error.h"

#include <algorithm>

namespace dendrolith::sim {

static void put(std::string &to, uint64_t value) {
  for (; value >= 128; value >>= 7)
    to += static_cast<char>(value | 128);
  to += static_cast<char>(value);
}

static uint64_t distance(uint32_t from, uint32_t to) {
  return to >= from ? uint64_t(to - from) << 1
                    : (uint64_t(from - to - 1) << 1) | 1;
}

uint64_t WorkRecord::numberOf(Stream &stream, const WorkPiece &piece) {
  return stream.pieces.emplace(piece, stream.pieces.size()).first->second;
}

void WorkRecord::send(uint32_t core, const WorkPiece &before, uint32_t source) {
  Stream &stream = streams[core];
  put(stream.step, numberOf(stream, before));
  put(stream.step, distance(stream.source, source) << 1);
  stream.source = source;
  ++stream.messages;
}

void WorkRecord::sendToHost(uint32_t core, const WorkPiece &before,
                            uint32_t output) {
  Stream &stream = streams[core];
  put(stream.step, numberOf(stream, before));
  put(stream.step, uint64_t(output) << 1 | 1);
  ++stream.messages;
}

void WorkRecord::close(Stream &stream) {
  stream.steps += stream.step;
  stream.step.clear();
  stream.messages = 0;
}

void WorkRecord::endStep(uint32_t core, const WorkPiece &behind) {
  Stream &stream = streams[core];
  put(stream.steps, stream.messages);
  put(stream.steps, numberOf(stream, behind));
  close(stream);
}

void WorkRecord::inject(uint32_t source, uint64_t times) {
  Stream &host = streams.back();
  put(host.step, distance(host.source, source));
  put(host.step, times);
  host.source = source;
  ++host.messages;
}

void WorkRecord::endInjections() {
  Stream &host = streams.back();
  put(host.steps, host.messages);
  close(host);
}

std::string WorkRecord::bytes(const Inputs &inputs) const {
  std::vector<uint64_t> eventsOf;
  for (uint64_t s = 0; inputs.order() && s < inputs.samples(); ++s)
    eventsOf.push_back(inputs.ticksOf(s));
  return bytes(inputs.samples(), inputs.order() ? 0 : inputs.ticks(), eventsOf);
}

std::string WorkRecord::bytes(uint64_t samples, uint64_t ticks,
                              const std::vector<uint64_t> &eventsOf) const {
  std::string all;
  put(all, samples);
  put(all, ticks);
  for (uint64_t s = 0; ticks == 0 && s < samples; ++s)
    put(all, eventsOf.empty() ? 0 : eventsOf[s]);
  put(all, streams.size() - 1);
  for (size_t core = 0; core + 1 < streams.size(); ++core) {
    const std::vector<const WorkPiece *> pieces = streams[core].inOrder();
    put(all, pieces.size());
    for (const WorkPiece *piece : pieces) {
      put(all, piece->size());
      for (const auto &[kind, count] : *piece) {
        put(all, kind);
        put(all, count);
      }
    }
    put(all, streams[core].steps.size());
    all += streams[core].steps;
  }
  put(all, streams.back().steps.size());
  return all + streams.back().steps;
}

std::vector<const WorkPiece *> WorkRecord::Stream::inOrder() const {
  std::vector<const WorkPiece *> all(pieces.size());
  for (const auto &[piece, number] : pieces)
    all[number] = &piece;
  return all;
}

WorkRecord::Mark WorkRecord::mark(const std::vector<uint64_t> &sent) const {
  Mark mark;
  mark.earlier.sent = sent;
  for (const Stream &stream : streams) {
    mark.bytes.push_back(stream.steps.size());
    mark.earlier.sources.push_back(stream.source);
  }
  return mark;
}

void WorkRecord::write(Writer &writer, uint32_t endpoint, const Mark &from,
                       const Mark &to) const {
  const Stream &stream = streams[endpoint];
  const uint64_t first = from.bytes[endpoint];
  writer.plain(from.earlier.sources[endpoint]);
  writer.plain(from.earlier.sent[endpoint]);
  writer.block(stream.steps.substr(first, to.bytes[endpoint] - first));
  writer.size(stream.pieces);
  for (const WorkPiece *piece : stream.inOrder()) {
    writer.size(*piece);
    for (const auto &[kind, count] : *piece) {
      writer.plain(kind);
      writer.plain(count);
    }
  }
}

void WorkRecord::read(Reader &reader, uint32_t endpoint, Earlier &earlier) {
  earlier.sources.resize(streams.size());
  earlier.sent.resize(streams.size());
  reader.plain(earlier.sources[endpoint]);
  reader.plain(earlier.sent[endpoint]);
  Stream &stream = streams[endpoint];
  reader.block(stream.steps);
  std::vector<WorkPiece> pieces;
  reader.size(pieces);
  for (uint64_t number = 0; number < pieces.size(); ++number) {
    reader.size(pieces[number]);
    for (auto &[kind, count] : pieces[number]) {
      reader.plain(kind);
      reader.plain(count);
    }
    stream.pieces[pieces[number]] = number;
  }
}

RecordReader RecordReader::part() {
  const uint64_t size = next();
  if (size > uint64_t(end - at))
    fail();
  const char *begin = at;
  at += size;
  return {begin, at};
}

void RecordReader::fail() {
  throw Error("the record of a run is damaged; run it again");
}

std::vector<uint32_t> kindsOfGroups(const Machine &machine, uint32_t core) {
  const Machine::Core &of = machine.cores()[core];
  std::vector<uint32_t> first = {work::FirstProgram};
  for (uint32_t g = of.firstGroup; g < of.firstGroup + of.groups; ++g) {
    const auto &program = machine.groups()[g].micro;
    first.push_back(first.back() + (program ? program->parts() : 0));
  }
  return first;
}

/// Adds how long the instructions of each part of a program take, in ps.
static void addProgram(const MicroProgram &program, const Target &target,
                       const MicrocodeTiming &timing, uint64_t *parts) {
  const uint64_t lanes = std::max<uint64_t>(target.microcode.lanes, 1);
  for (size_t i = 0; i < program.code().size(); ++i) {
    const micro::Work work = workOf(program.code()[i]);
    uint64_t cycles = timing.issue;
    for (size_t c = 0; c < work.size(); ++c)
      cycles =
          plus(cycles, times((work[c] + lanes - 1) / lanes, timing.cycles[c]));
    uint64_t &part = parts[program.partOf()[i]];
    part = plus(part, times(cycles, timing.cycle));
  }
}

WorkTimes::WorkTimes(const Machine &machine, uint32_t core,
                     const Target &target, const TimingSet &timing) {
  const std::vector<uint32_t> first = kindsOfGroups(machine, core);
  each.resize(first.back());
  each[work::Active] = timing.updateActive;
  each[work::Inactive] = timing.updateInactive;
  each[work::Emission] = timing.spikeEmit;
  const Machine::Core &of = machine.cores()[core];
  for (uint32_t g = 0; g < of.groups; ++g)
    if (const auto &program = machine.groups()[of.firstGroup + g].micro)
      addProgram(*program, target, timing.microcode, &each[first[g]]);
}

} // namespace dendrolith::sim
