// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the mesh moves, and what it tells those whom it reaches.

#ifndef DENDROLITH_TARGETS_MESH_FLIT_H
#define DENDROLITH_TARGETS_MESH_FLIT_H

#include <array>
#include <cstdint>

namespace dendrolith {

/// The unit that the mesh moves. `source` and `destination` are endpoints;
/// `message` and `rest` belong to the sender. The mesh counts the links that a
/// flit really passes.
struct Flit {
  uint64_t message = 0;
  uint32_t source = 0, destination = 0;
  uint16_t rest = 0;              // flits of the same message still to come
  std::array<uint16_t, 3> hops{}; // east-west, north-south, from chip to chip
};

/// One of several destinations of a flit.
struct Destination {
  uint32_t endpoint = 0;
  uint16_t x = 0, y = 0; // of its tile
  uint64_t message = 0;  // is added to Flit::message of the copy that arrives
};

/// What the endpoints (cores and the host) hear from the mesh.
class MeshListener {
public:
  virtual ~MeshListener() = default;
  /// The injection port took the endpoint's flit at `time`. The listener may
  /// offer the next one.
  virtual void accepted(uint32_t endpoint, uint64_t time) = 0;
  /// The flit enters its destination's receive queue at `time`. Listeners hear
  /// of it as soon as it is certain, in order for each destination. The slot
  /// stays taken until FlitMesh::release().
  virtual void ejected(const Flit &flit, uint64_t time) = 0;
};

// Which flit it is, and what is left of its way, in one word that travels
// through the buffers: a router looks at nothing else to pass it on.

/// Ports of a router and its buffers are named by the direction in which flits
/// travel through them; x grows to the east, y to the south.
struct Ports {
  enum Port : uint32_t { North, South, East, West, Local, NumPorts };
};

/// Two parts of 18 bits, each a port to leave by and how many links follow in
/// that direction, the one along x first. A part without links is left out, and
/// zeros lead to the local port. Above them stands the number of the flit.
class FlitRoute : public Ports {
public:
  /// A mesh has no more links in a row or a column, and no more flits.
  static constexpr uint32_t mostLinks = (1u << 15) - 1;
  static constexpr uint64_t mostFlits = uint64_t(1) << 28;

  FlitRoute() = default;
  /// The way of a flit over dx links to the east and dy links to the south;
  /// negative numbers lead to the west and the north.
  FlitRoute(uint32_t flit, int32_t dx, int32_t dy) {
    const uint64_t x = part(East ^ Local, dx < 0, dx),
                   y = part(North ^ Local, dy > 0, dy);
    word = uint64_t(flit) << flitShift | x | y << (dx != 0) * partBits;
  }

  uint32_t flit() const { return static_cast<uint32_t>(word >> flitShift); }
  /// The port by which the flit leaves the router where it is.
  uint32_t port() const { return (word & 7) ^ Local; }
  /// What is left behind the link of port(), which is not Local. Where flits
  /// turn cannot be predicted, so no branch depends on it.
  FlitRoute behind() const {
    const uint64_t low = (word & lowMask) - (1 << linksShift);
    const uint64_t turns = (low & (partMask ^ 7)) == 0;
    FlitRoute next;
    next.word = (word & ~lowMask) | low >> (turns * partBits);
    return next;
  }

private:
  static constexpr uint32_t linksShift = 3, partBits = 18,
                            flitShift = 2 * partBits;
  static constexpr uint64_t partMask = (uint64_t(1) << partBits) - 1,
                            lowMask = (uint64_t(1) << flitShift) - 1;
  /// The part of so many links by the first or the second port of a dimension.
  static uint64_t part(uint32_t first, bool second, int32_t links) {
    const uint64_t bits =
        first + second + (uint64_t(links < 0 ? -links : links) << linksShift);
    return bits & -uint64_t(links != 0);
  }

  uint64_t word = 0;
};

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_MESH_FLIT_H
