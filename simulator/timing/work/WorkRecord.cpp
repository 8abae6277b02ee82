// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/work/WorkRecord.h"

#include "targets/support/Error.h"

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
  Stream &stream = cores[core];
  put(stream.step, numberOf(stream, before));
  put(stream.step, distance(stream.source, source) << 1);
  stream.source = source;
  ++stream.messages;
}

void WorkRecord::sendToHost(uint32_t core, const WorkPiece &before,
                            uint32_t output) {
  Stream &stream = cores[core];
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
  Stream &stream = cores[core];
  put(stream.steps, stream.messages);
  put(stream.steps, numberOf(stream, behind));
  close(stream);
}

void WorkRecord::inject(uint32_t source, uint64_t times) {
  put(host.step, distance(host.source, source));
  put(host.step, times);
  host.source = source;
  ++host.messages;
}

void WorkRecord::endInjections() {
  put(host.steps, host.messages);
  close(host);
}

std::string WorkRecord::bytes(uint64_t samples, uint64_t ticks) const {
  std::string all;
  for (uint64_t number : {samples, ticks, uint64_t(cores.size())})
    put(all, number);
  for (const Stream &stream : cores) {
    std::vector<const WorkPiece *> inOrder(stream.pieces.size());
    for (const auto &[piece, number] : stream.pieces)
      inOrder[number] = &piece;
    put(all, inOrder.size());
    for (const WorkPiece *piece : inOrder) {
      put(all, piece->size());
      for (const auto &[kind, count] : *piece) {
        put(all, kind);
        put(all, count);
      }
    }
    put(all, stream.steps.size());
    all += stream.steps;
  }
  put(all, host.steps.size());
  return all + host.steps;
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

} // namespace dendrolith::sim
