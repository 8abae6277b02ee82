// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one process of the mesh, and the connections between it, the cores and
// the host. Nothing outside the mesh changes what happens in it between the
// opening of a step and its quiet end. So the process runs ahead of the
// kernel's time until then. With --verify it wakes at every instant at which
// something moves, and the values of messages are accumulated as they are
// served.

#ifndef DENDROLITH_SIMULATOR_TIMING_SYSTEMC_MESHMODEL_H
#define DENDROLITH_SIMULATOR_TIMING_SYSTEMC_MESHMODEL_H

#include "simulator/timing/chip/Chip.h"
#include "simulator/timing/systemc/CoreModel.h"
#include "targets/mesh/FlitMesh.h"

#include <systemc>

#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace dendrolith::sim {

class MeshModel final : public sc_core::sc_module, private MeshListener {
public:
  SC_HAS_PROCESS(MeshModel);
  MeshModel(const sc_core::sc_module_name &name, Chip &chip,
            std::exception_ptr &failure);

  /// Notified when all cores that open a step have made their first offer.
  sc_core::sc_event open;
  /// Notifies that nothing is offered or in flight.
  sc_core::sc_event quiet;

  /// With --verify, everything that was counted as it happened, links included.
  Counts counts() const;
  /// The links that carried something, by from and to.
  std::vector<LinkActivity> links() const;
  /// A timeline hears what links have carried since the call before.
  void tellLinks(TimelineRecorder &timeline);
  /// The tile before the last one on a flit's way between two endpoints.
  uint32_t lastStop(uint32_t from, uint32_t to) const;
  uint32_t tileOf(uint32_t endpoint) const;
  /// Between two samples, the mesh becomes as it was before the first one.
  /// Returns when the next one begins, which is not before `time`.
  uint64_t restart(uint64_t time) {
    mesh.restart();
    return mesh.beginFrom(time);
  }

  std::vector<uint32_t> turns() const { return mesh.turns(); }
  void turnTo(const std::vector<uint32_t> &all) { mesh.turnTo(all); }
  void turnBehind(uint32_t endpoint) { mesh.turnBehind(endpoint); }
  void forgetLinks() { mesh.forgetLinks(); }

  std::vector<std::unique_ptr<CoreModel>> cores; // by index in machine.cores()
  std::unique_ptr<HostModel> host;

private:
  void run();
  [[noreturn]] void failStuck() const;
  void accepted(uint32_t endpoint, uint64_t time) override;
  void ejected(const Flit &flit, uint64_t time) override;
  void count(const Flit &flit);
  uint64_t serve(const Flit &flit);

  Chip &chip;
  std::exception_ptr &failure;
  const Mesh grid; // the part of the board that is in use
  FlitMesh mesh;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> carried; // by link
  std::mt19937_64 shuffle;                                   // used by tests
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_SYSTEMC_MESHMODEL_H
