// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/read/BoardReader.h"

#include "targets/loader/read/TimingReader.h"
#include "targets/support/Sha256.h"

#include <fmt/format.h>

namespace dendrolith::yaml {

namespace {

// As for one chip: what the mesh of the cycle engine can hold.
constexpr uint64_t maxChips = 1 << 10;      // in a row or column
constexpr uint64_t maxBoardCores = 1 << 20; // of all chips
constexpr uint64_t maxTiles = 1 << 15;      // in a row or column
constexpr uint64_t maxPhits = 1 << 10;
constexpr uint64_t maxInterval = 1000000000; // ps, so that all phits fit

} // namespace

/// A link narrower than a flit sends it in `phits` parts, one per `interval`.
/// The flit has arrived when the last part has, and the next one follows then.
static PortTiming readLink(const Node &node, RecordReader reader) {
  Fields fields(node, "link",
                {"forward", "credit", "interval", "phits", "buffer"});
  PortTiming link;
  link.forward = reader.number(fields, "forward", "ps", 1, maxTime);
  link.credit = reader.number(fields, "credit", "ps", 1, maxTime);
  const uint64_t interval =
      reader.number(fields, "interval", "ps", 1, maxInterval);
  const uint64_t phits = reader.number(fields, "phits", "phits", 1, maxPhits);
  link.forward += (phits - 1) * interval;
  link.interval = phits * interval;
  link.buffer = reader.number(fields, "buffer", "flits", 1, 1 << 16);
  return link;
}

Board readBoard(const Node &node, RecordReader reader) {
  Fields fields(node, "board", {"chips_x", "chips_y", "link", "barrier"});
  Board board;
  board.chipsX = reader.number(fields, "chips_x", "chips", 1, maxChips);
  board.chipsY = reader.number(fields, "chips_y", "chips", 1, maxChips);
  board.link = readLink(fields.at("link"), reader.under("link"));
  board.barrier =
      readBarrier(fields.at("barrier"), reader.under("barrier"), "chips");
  return board;
}

void putTogether(const Node &node, const Board &board, Mesh &mesh) {
  mesh.tilesX *= board.chipsX;
  mesh.tilesY *= board.chipsY;
  mesh.chipsX = board.chipsX;
  mesh.chipsY = board.chipsY;
  if (mesh.chips() == 1)
    return;
  const uint64_t cores = mesh.tiles() * mesh.coresPerTile;
  if (cores > maxBoardCores || mesh.tilesX > maxTiles || mesh.tilesY > maxTiles)
    fail(node, fmt::format("the board has {} by {} chips with {} cores and {} "
                           "by {} tiles in all, expected at most {} cores and "
                           "{} tiles in a row or column",
                           mesh.chipsX, mesh.chipsY, cores, mesh.tilesX,
                           mesh.tilesY, maxBoardCores, maxTiles));
}

void addTimes(const Board &board, TimingSet &set) {
  if (board.chipsX * board.chipsY == 1)
    return;
  const PortTiming &link = board.link;
  const BarrierTiming &barrier = board.barrier;
  set.noc.crossing = link;
  set.board = barrier;
  std::string text =
      fmt::format("{} board {} {} {} {} {} {} {} {} {}", set.hash, link.forward,
                  link.credit, link.interval, link.buffer, int(barrier.form),
                  barrier.base, barrier.span, barrier.over, barrier.level) +
      fmt::format(" {}", barrier.arity);
  for (const auto &[chips, time] : barrier.table)
    text += fmt::format(" {}:{}", chips, time);
  set.hash = sha256(text);
}

} // namespace dendrolith::yaml
