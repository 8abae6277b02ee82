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

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_MESH_FLIT_H
