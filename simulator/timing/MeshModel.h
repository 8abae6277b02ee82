// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one process of the mesh, and the connections between it, the cores and
// the host.

#ifndef NEURITE_SIMULATOR_TIMING_MESHMODEL_H
#define NEURITE_SIMULATOR_TIMING_MESHMODEL_H

#include "simulator/timing/Chip.h"
#include "simulator/timing/CoreModel.h"
#include "simulator/timing/HostModel.h"
#include "simulator/timing/Mesh.h"

#include <systemc>

#include <memory>
#include <vector>

namespace neurite::sim {

class MeshModel : public sc_core::sc_module, private MeshListener {
public:
  SC_HAS_PROCESS(MeshModel);
  MeshModel(const sc_core::sc_module_name &name, Chip &chip,
            std::exception_ptr &failure);

  /// Notified when all cores of a step have made their first offer.
  sc_core::sc_event open;
  /// Notifies that nothing is offered or in flight.
  sc_core::sc_event quiet;

  /// Everything really counted, links included.
  Counts counts() const;

  std::vector<std::unique_ptr<CoreModel>> cores; // by index in machine.cores()
  std::unique_ptr<HostModel> host;

private:
  void run();
  void accepted(uint32_t endpoint, uint64_t time) override;
  void ejected(const Flit &flit, uint64_t time) override;
  const MessageStream &streamOf(uint32_t endpoint) const;

  Chip &chip;
  std::exception_ptr &failure;
  Mesh mesh;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_MESHMODEL_H
