// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/HostModel.h"

#include "simulator/timing/Process.h"

namespace dendrolith::sim {

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
