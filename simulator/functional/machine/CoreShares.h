// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cores of a program, dealt to threads that run one sample together. In a
// step nothing passes between cores but emissions, so a thread that updates the
// groups of its cores and adds what reaches them meets no other.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_CORESHARES_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_CORESHARES_H

#include "runtime/host/Signals.h"
#include "runtime/image/Program.h"
#include "simulator/options/RunOptions.h"
#include "targets/loader/chip/Sections.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dendrolith::sim {

/// Deals `cores` of `program` to as many shares, or to fewer where there are
/// fewer cores, such that each has about as many synapses and neurons.
std::vector<CoreShare> shareCores(const image::Program &program,
                                  CoreShare cores, unsigned shares);

/// A core by its id, and how much there is to do on it: bytes of synapses, say.
struct CoreWork {
  uint32_t id = 0;
  uint64_t work = 0;
};

/// Deals all cores of a program to so many processes: whole chips of `mesh`
/// where as many are in use, else cores. Throws Error where there are fewer
/// cores.
std::vector<CoreShare> shareChips(const std::vector<CoreWork> &cores,
                                  const Mesh &mesh, unsigned processes);

/// How many threads, of those that `asked` stands for (RunOptions::threads), a
/// sample of `program` is worth in a run of `inputs`. Those are threads for
/// which there is no sample, as long as each has enough to do in a step.
unsigned sharesWorth(const image::Program &program,
                     const std::map<std::string, Samples> &inputs,
                     unsigned asked);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_CORESHARES_H
