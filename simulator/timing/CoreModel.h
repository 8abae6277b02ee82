// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A core: an update engine that visits the scheduled groups in index order
// when a step opens, and a receive engine that serves arriving messages.

#ifndef NEURITE_SIMULATOR_TIMING_COREMODEL_H
#define NEURITE_SIMULATOR_TIMING_COREMODEL_H

#include "simulator/timing/Chip.h"
#include "simulator/timing/MessageStream.h"
#include "simulator/timing/Receiver.h"

#include <systemc>

#include <cstdint>
#include <vector>

namespace neurite::sim {

class CoreModel : public sc_core::sc_module {
public:
  SC_HAS_PROCESS(CoreModel);
  /// `index` in machine.cores(), which is also its endpoint in the mesh.
  CoreModel(const sc_core::sc_module_name &name, uint32_t index, Chip &chip,
            Mesh &mesh, std::exception_ptr &failure);

  /// Notified when a step opens in which a group of this core is scheduled.
  sc_core::sc_event open;

  /// From the mesh.
  void accepted(uint64_t time);
  void ejected(const Flit &flit, const MessageStream::Burst &burst,
               uint64_t time);

  MessageStream stream;

private:
  void update();
  void visit(uint32_t group, uint64_t tick, bool more);
  void finishUpdate();

  const uint32_t index;
  Chip &chip;
  Mesh &mesh;
  std::exception_ptr &failure;
  Receiver receiver;
  GroupUpdate result;
  std::vector<std::vector<uint64_t>> times; // ps by instruction, by group
  uint64_t work = 0; // ps of the update engine since the last message
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_COREMODEL_H
