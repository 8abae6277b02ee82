// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/HostModel.h"

#include "simulator/timing/Process.h"
#include "targets/loader/Payload.h"

namespace neurite::sim {

HostModel::HostModel(const sc_core::sc_module_name &name, Chip &chip,
                     Mesh &mesh, std::exception_ptr &failure)
    : sc_module(name), chip(chip), mesh(mesh), failure(failure),
      stream(chip.streams[chip.host()]) {
  SC_METHOD(inject);
  sensitive << open;
  dont_initialize();
}

void HostModel::inject() {
  guard(failure, [&] {
    stream.clear(chip.step);
    chip.inputs.at(chip.sample, chip.step, injections,
                   chip.events.saturatedInputs);
    chip.events.inject(chip.inputs, chip.sample, chip.step, injections);
    if (chip.shadow)
      chip.shadow->inject(injections, chip.step);
    // Injections come in order of inputs, so that the search goes on at the
    // input of the one before.
    const std::vector<Machine::Input> &inputs = chip.machine.inputs();
    size_t at = 0;
    for (const Injection &injection : injections) {
      while (injection.source - inputs[at].source >= inputs[at].size)
        ++at;
      MessageStream::Burst burst;
      burst.to = chip.machine.messages(injection.source);
      burst.payload = inputs[at].unary ? 1 : injection.payload;
      burst.flits = flitsOf(chip.target.mesh, inputs[at].payloadBits);
      burst.graded = inputs[at].graded;
      chip.counts[chip.host()][Counter::Inputs] += injection.units;
      chip.emit(chip.host(), injection.source, injection.payload);
      for (uint32_t u = 0; burst.to.size() && u < injection.units; ++u)
        stream.add(burst);
    }
    chip.start(stream, now(), 0, mesh);
  });
}

} // namespace neurite::sim
