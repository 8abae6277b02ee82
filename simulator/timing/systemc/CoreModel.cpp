// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/systemc/CoreModel.h"

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
      const Visits visits = visitsOf(chip.machine, index, chip.step,
                                     chip.work.ticksOf(chip.sample));
      begin = plus(begin, chip.serial->serving(index));
      behind = plus(behind, chip.serial->emptySlots(index, visits.neurons));
    }
    chip.start(stream, begin, behind, mesh);
  });
}

HostModel::HostModel(const sc_core::sc_module_name &name, Chip &chip,
                     FlitMesh &mesh, std::exception_ptr &failure)
    : sc_module(name), chip(chip), mesh(mesh), failure(failure) {
  SC_METHOD(inject);
  sensitive << open;
  dont_initialize();
}

void HostModel::inject() {
  guard(failure, [&] {
    MessageStream &stream = chip.streams[chip.host()];
    stream.clear();
    chip.work.inject(chip.sample, chip.step, stream);
    chip.start(stream, now(), 0, mesh);
  });
}

} // namespace dendrolith::sim
