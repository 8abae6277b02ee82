// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a mesh keeps of a tile, and what its inputs do next.
//
// Which of a tile's inputs moves next is asked for at each move, and nothing
// about it can be predicted. So there is no branch in the answer. A version of
// it for AVX-512 looks at all inputs at once, which saves a tenth of the time
// of a flit where many tiles are busy. Its plain twin is nextMove();
// MeshTest.AFewTilesMoveAsManyDo runs both.

#ifndef DENDROLITH_TARGETS_MESH_MESHTILE_H
#define DENDROLITH_TARGETS_MESH_MESHTILE_H

#include "targets/mesh/Flit.h"
#include "targets/support/Time.h"
#include "targets/support/Versions.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace dendrolith {

// A finite buffer behind a link: the flits that were sent to it, oldest first,
// and when each of its slots may be taken again.

/// Slots are taken in turn and freed in the same order, so the slot that is
/// next in turn carries the sender's credit: the time from which it may be
/// taken. No event is spent on a credit, and nothing is counted.
class CreditBuffer {
public:
  static constexpr uint32_t unlimited = UINT32_MAX;

  struct Slot {
    uint64_t time = 0; // when the flit arrives, or the slot may be taken
    FlitRoute route;   // of the flit
  };

  /// Empties the buffer. Slots get memory when they are needed.
  void reset(uint32_t slots) {
    limit = slots;
    grow();
  }

  /// Has all slots of an empty buffer back at once.
  void freeAll() {
    for (uint32_t i = 0; ring && i <= mask; ++i)
      ring[i].time = 0;
  }

  bool empty() const { return head == tail; }
  uint32_t size() const { return tail - head; }
  bool full() const { return size() == limit; }
  /// The slot of the oldest flit. What is in it is stale if empty().
  Slot &front() { return ring[head & mask]; }
  const Slot &front() const { return ring[head & mask]; }

  /// From when on a slot can be taken; `never` if full().
  uint64_t next() const {
    if (room < limit)
      return 0;
    return full() ? never : credit().time;
  }

  /// Takes a slot, not before next(). Nobody wants another one before
  /// `soonest`; the answer is from when on they can have it.
  uint64_t put(const Slot &slot, uint64_t soonest) {
    ring[tail++ & mask] = slot;
    if ((size() == room) | (credit().time > soonest))
      return std::max(soonest, nextOrGrow());
    return soonest;
  }

  /// The oldest flit leaves; its slot may be taken from `time` on.
  void leave(uint64_t time) { ring[head++ & mask].time = time; }

private:
  /// The slot whose place the next flit takes, if it is free: the ring, whose
  /// size is a power of two, may be longer.
  const Slot &credit() const { return ring[(tail - room) & mask]; }

  /// No slot that has memory is free at once.
  __attribute__((noinline)) uint64_t nextOrGrow() {
    if (room == limit)
      return full() ? never : credit().time;
    grow();
    return 0;
  }

  /// Makes memory for more slots: those that were never taken come before those
  /// that may not be back yet.
  void grow() {
    const uint32_t size = mask ? 2 * (mask + 1) : 4;
    std::unique_ptr<Slot[]> larger(new Slot[size]);
    for (uint32_t i = tail - room; i != tail; ++i)
      larger[i & (size - 1)] = ring[i & mask];
    ring = std::move(larger);
    mask = size - 1;
    room = std::min(limit, size);
  }

  std::unique_ptr<Slot[]> ring;
  uint32_t mask = 0;
  uint32_t limit = 0, room = 0; // how many slots there are, and have memory
  uint32_t head = 0, tail = 0;  // how many flits have left, and have entered
};

} // namespace dendrolith

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace dendrolith {

struct LinkTraffic {
  uint64_t flits = 0;  // that were sent
  uint64_t waited = 0; // ps that all of them waited in the buffer before
};

struct alignas(64) MeshTile : Ports {
  /// An output of a router and the buffer behind it, which is that of the next
  /// router. The local port leads to cores, whose queues are their own; behind
  /// it stands the router's own local buffer, which the injection port fills.
  /// It takes one cache line.
  struct alignas(64) Output : CreditBuffer {
    uint32_t times = 0; // its place in the mesh's times
    LinkTraffic link;
    uint64_t nextSend = 0; // when the output may pass the next flit
    uint64_t nextRead = 0; // when the buffer may give the next flit
  };
  static_assert(sizeof(Output) == 64);

  /// What asks to move in a tile, as bits: the first flit of each input (by its
  /// port), and the injection port.
  static constexpr uint32_t injectorBit = 1u << NumPorts;

  // The question and its answer need the first two of seven cache lines.

  /// By input: when its first flit is there and may be read; `never` if there
  /// is none. A flit for a core waits here, too, once it was seen that the
  /// core's queue has no room.
  std::array<uint64_t, NumPorts> soonest{};
  /// When the injection port may take a flit; `never` if none is offered, or no
  /// slot is on its way back.
  uint64_t injection = 0;
  /// For each input, the output of its first flit.
  std::array<uint8_t, 8> out{};
  /// For each output, the input that is first in line, round robin.
  std::array<uint8_t, 8> turn{};
  /// When each output may pass a flit and has room for it behind it; `never` if
  /// no slot is on its way back. The queues of cores are not looked at here.
  std::array<uint64_t, NumPorts> open{};
  std::array<uint16_t, 2> place{}; // x, y
  std::array<Output, NumPorts> outputs;

  /// When an input may send.
  uint64_t when(uint32_t input) const {
    const uint64_t own = soonest[input], opening = open[out[input]];
    return own < opening ? opening : own;
  }
  /// The earliest time at which an input may send, and the inputs that may send
  /// then. Nothing about it can be predicted, so there is no branch.
  struct Senders {
    uint64_t time;
    uint32_t inputs;
  };
  Senders nextSenders() const {
    std::array<uint64_t, NumPorts> whens;
    for (uint32_t input = 0; input < NumPorts; ++input)
      whens[input] = when(input);
    const auto sooner = [](uint64_t a, uint64_t b) { return a < b ? a : b; };
    const uint64_t time =
        sooner(sooner(sooner(whens[0], whens[1]), sooner(whens[2], whens[3])),
               whens[4]);
    uint32_t inputs = 0;
    for (uint32_t input = NumPorts; input-- > 0;)
      inputs = inputs + inputs + (whens[input] == time);
    return {time, inputs};
  }
  /// The same with an output that is wanted then, and only those of the inputs
  /// that want it.
  struct Move {
    uint64_t time;
    uint32_t port, inputs;
  };
  Move nextMove() const {
    const Senders all = nextSenders();
    const uint32_t port = out[__builtin_ctz(all.inputs)];
    return {all.time, port, all.inputs & wanting(port)};
  }
#ifdef __x86_64__
// gcc's own header has a value that it takes for undefined (bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
  DENDROLITH_TARGET_AVX512 Move nextMoveAvx512() const {
    const __m128i outs =
        _mm_loadl_epi64(reinterpret_cast<const __m128i *>(out.data()));
    const __m512i opening = _mm512_maskz_loadu_epi64(0x1f, open.data());
    const __m512i own =
        _mm512_mask_loadu_epi64(_mm512_set1_epi64(-1), 0x1f, soonest.data());
    const __m512i when = _mm512_max_epu64(
        own, _mm512_permutexvar_epi64(_mm512_cvtepu8_epi64(outs), opening));
    const uint64_t time = _mm512_reduce_min_epu64(when);
    const uint32_t due =
        _mm512_cmpeq_epu64_mask(when, _mm512_set1_epi64(int64_t(time))) & 0x1f;
    const uint32_t port = out[__builtin_ctz(due)];
    return {time, port,
            due & _mm_cmpeq_epi8_mask(outs, _mm_set1_epi8(char(port)))};
  }
#pragma GCC diagnostic pop
#endif
  uint64_t earliest() const { return std::min(nextSenders().time, injection); }
  /// The requesters that may move at `time`, or earlier.
  uint32_t dueAt(uint64_t time) const {
    uint32_t due = injection <= time ? injectorBit : 0;
    for (uint32_t input = 0; input < NumPorts; ++input)
      due |= uint32_t(when(input) <= time) << input;
    return due;
  }
  /// The inputs whose flits go to a port; some without flits may be among them.
  uint32_t wanting(uint32_t port) const {
    uint32_t inputs = 0;
    for (uint32_t input = NumPorts; input-- > 0;)
      inputs = inputs + inputs + (out[input] == port);
    return inputs;
  }
};

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_MESH_MESHTILE_H
