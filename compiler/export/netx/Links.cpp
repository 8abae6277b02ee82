// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/export/netx/Links.h"
#include "compiler/export/netx/LayerGroup.h"
#include "compiler/import/lava/Synapse.h"

namespace dendrolith::lava {

bool isSynapse(const Process &process) {
  return isSynapseClass(process.lava_class());
}

Links::Links(const Model &model) : model(model) {
  for (const Process &process : model.processes())
    processes[process.name()] = &process;
}

const Process &Links::process(const std::string &name) const {
  auto found = processes.find(name);
  if (found == processes.end())
    throw Error("no NetX file: the model has no process '" + name + "'");
  return *found->second;
}

std::vector<const Process *> Links::synapsesAt(const Process &neuron,
                                               const std::string &port,
                                               bool isRecurrent) const {
  std::vector<const Process *> found;
  for (const Connection &connection : model.connections()) {
    if (connection.target() != neuron.name() ||
        connection.target_port() != port)
      continue;
    const Process &synapse = process(connection.source());
    bool isOwn = sourceOf(synapse) == neuron.name();
    if (isOwn == isRecurrent)
      found.push_back(&synapse);
  }
  return found;
}

std::string Links::sourceOf(const Process &synapse) const {
  std::string source;
  size_t fed = 0;
  for (const Connection &connection : model.connections()) {
    if (connection.target() != synapse.name())
      continue;
    source = connection.source();
    ++fed;
  }
  for (const Input &input : model.inputs())
    fed += input.target() == synapse.name();
  if (fed != 1)
    refuseNetx(synapse, "{} senders, expected one: the format is a chain", fed);
  return source;
}

} // namespace dendrolith::lava
