// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/HostModel.h"

#include "simulator/timing/Process.h"

namespace dendrolith::sim {

HostModel::HostModel(const sc_core::sc_module_name &name, Chip &chip,
                     FlitMesh &mesh, std::exception_ptr &failure)
    : sc_module(name), chip(chip), mesh(mesh), failure(failure),
      inputs(chip.host(), chip.host(), 0, chip.machine, nullptr, nullptr) {
  SC_METHOD(inject);
  sensitive << open;
  dont_initialize();
}

void HostModel::inject() {
  guard(failure, [&] {
    for (uint32_t e = chip.host(); e < chip.endpoints(); ++e)
      chip.streams[e].clear(chip.step);
    if (chip.target.mesh.hostOnEach)
      deal();
    else
      chip.work.inject(chip.sample, chip.step, chip.streams[chip.host()]);
    for (uint32_t e = chip.host(); e < chip.endpoints(); ++e)
      chip.start(chip.streams[e], now(), 0, mesh);
  });
}

/// Each host gets those messages of an emission that go to cores of its chip,
/// in the order that they have.
void HostModel::deal() {
  inputs.clear(chip.step);
  chip.work.inject(chip.sample, chip.step, inputs);
  for (MessageStream::Burst burst : inputs.sending()) {
    const Span<Machine::Message> all = burst.to;
    for (auto next = all.begin(); next != all.end();) {
      const auto first = next;
      const uint32_t host = chip.hostOf(chip.machine.coreOf(*first));
      while (next != all.end() &&
             chip.hostOf(chip.machine.coreOf(*next)) == host)
        ++next;
      burst.to = {first, next};
      chip.streams[host].add(burst);
    }
  }
}

} // namespace dendrolith::sim
