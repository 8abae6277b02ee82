// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/CoreModel.h"

#include "simulator/timing/Process.h"

namespace dendrolith::sim {

CoreModel::CoreModel(const sc_core::sc_module_name &name, uint32_t index,
                     Chip &chip, FlitMesh &mesh, std::exception_ptr &failure)
    : sc_module(name), index(index), chip(chip), mesh(mesh), failure(failure) {
  SC_METHOD(update);
  sensitive << open;
  dont_initialize();
}

void CoreModel::update() {
  guard(failure, [&] {
    MessageStream &stream = chip.streams[index];
    stream.clear();
    uint64_t begin = now(),
             behind = chip.work.update(index, chip.sample, chip.step, stream);
    if (chip.serial) {
      const Visits visits =
          visitsOf(chip.machine, index, chip.step, chip.work.ticks());
      begin = plus(begin, chip.serial->serving(index));
      behind = plus(behind, chip.serial->emptySlots(index, visits.neurons));
    }
    chip.start(stream, begin, behind, mesh);
  });
}

} // namespace dendrolith::sim
