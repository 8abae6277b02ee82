// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who feeds whom in a model, with references checked.

#ifndef DENDROLITH_COMPILER_EXPORT_NETX_LINKS_H
#define DENDROLITH_COMPILER_EXPORT_NETX_LINKS_H

#include "compiler/lava/lava.pb.h"

#include <map>
#include <string>
#include <vector>

namespace dendrolith::lava {

bool isSynapse(const Process &process);

class Links {
public:
  /// The model must outlive this.
  explicit Links(const Model &model);

  /// Gives the process of that name. Throws Error where there is none.
  const Process &process(const std::string &name) const;

  /// Gives the synapses at a port of a neuron: those that the neuron itself
  /// feeds, or the others. Throws Error for synapses with more senders than
  /// one.
  std::vector<const Process *> synapsesAt(const Process &neuron,
                                          const std::string &port,
                                          bool isRecurrent) const;

private:
  /// What feeds a synapse; empty for the host.
  std::string sourceOf(const Process &synapse) const;

  const Model &model;
  std::map<std::string, const Process *> processes;
};

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_EXPORT_NETX_LINKS_H
