// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many buckets a State needs for synaptic input on its way, and of which
// form. A machine with lists finds it by layoutOf(); Rows find it while they
// are built, where there are no lists.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_BUCKETLAYOUT_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_BUCKETLAYOUT_H

#include "simulator/functional/neuron/CountedForm.h"

#include <cstdint>

namespace dendrolith::sim {

struct BucketLayout {
  /// The largest delay field c of an in-axon.
  uint32_t maxDelay = 0;
  /// How many steps before a group's first visit an accumulation can fall due:
  /// a visit consumes the buckets due since the one before, the first one those
  /// of `firstWindow` steps.
  uint64_t firstWindow = 1;
  /// The form of CountedSums, where they hold what is on its way.
  CountedForm counted;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_BUCKETLAYOUT_H
