// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This moves cores from chip to chip, where a limit of a chip edge asks for it.

#include "compiler/mapping/EdgeLoads.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace dendrolith {

namespace {

/// Cores change chips, or change places with others, while that helps.
class Keeper {
public:
  Keeper(EdgeLoads &board, const Target &target)
      : board(board), chips(uint32_t(target.mesh.chips())),
        room(target.mesh.chips(), target.coresPerChip()) {
    for (const auto &[core, chip] : board.cores()) {
      cores.push_back(core);
      --room[chip];
    }
  }

  void run() {
    for (bool any = true; any && board.burden().first && !isTired();) {
      any = false;
      for (uint32_t core : cores)
        any |= improve(core);
    }
  }

private:
  // Flows that are looked at in all; some seconds.
  static constexpr uint64_t kEffort = 20000000;
  bool isTired() const { return board.effort() > kEffort; }

  bool improve(uint32_t core) {
    bool any = false;
    for (uint32_t chip = 0; chip < chips; ++chip) {
      const uint32_t from = board.chipOf(core);
      if (chip == from || isTired())
        continue;
      if (room[chip] && tryMoves({{core, chip}}, {{core, from}})) {
        --room[chip];
        ++room[from];
        any = true;
        continue;
      }
      for (uint32_t other : cores)
        if (board.chipOf(other) == chip &&
            tryMoves({{core, chip}, {other, from}},
                     {{core, from}, {other, chip}})) {
          any = true;
          break;
        }
    }
    return any;
  }

  bool tryMoves(const EdgeLoads::Moves &moves, const EdgeLoads::Moves &back) {
    if (!board.burden().first)
      return false;
    const auto before = board.burden();
    board.put(moves);
    if (board.burden() < before)
      return true;
    board.put(back);
    return false;
  }

  EdgeLoads &board;
  const uint32_t chips;
  std::vector<uint32_t> cores;
  std::vector<uint64_t> room; // by chip: cores that are free
};

} // namespace

bool keepEdges(const MapNetwork &network, const Target &target,
               std::vector<Slice> &slices) {
  if (!limitsEdges(target))
    return false;
  EdgeLoads board(network, target, slices);
  if (!board.burden().first)
    return false;
  Keeper(board, target).run();
  const auto perChip = uint32_t(target.coresPerChip());
  std::set<uint32_t> taken;
  std::map<uint32_t, uint32_t> to; // by core, its new id
  for (const auto &[core, chip] : board.cores())
    if (chip == core / perChip) {
      to[core] = core;
      taken.insert(core);
    }
  for (const auto &[core, chip] : board.cores()) {
    if (to.count(core))
      continue;
    uint32_t next = chip * perChip;
    while (taken.count(next))
      ++next;
    to[core] = next;
    taken.insert(next);
  }
  for (Slice &slice : slices)
    slice.core = to.at(slice.core);
  std::stable_sort(slices.begin(), slices.end(),
                   [](const Slice &a, const Slice &b) {
                     return std::tie(a.core, a.base) < std::tie(b.core, b.base);
                   });
  return true;
}

} // namespace dendrolith
