// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where two engines begin to differ: both recorded layer by layer and compared
// value by value.

#ifndef DENDROLITH_RUNTIME_SESSION_LAYERAGREEMENT_H
#define DENDROLITH_RUNTIME_SESSION_LAYERAGREEMENT_H

#include "dialects/dend/Dend.h"
#include "runtime/session/Recording.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::session {

class LayerAgreement {
public:
  /// `own` is the network of integers that a run executes and `other` what it
  /// is compared with: the float network or, again, `own`. A layer, output or
  /// state that the other has not under the same name (a rewrite made it), and
  /// a dendrite's modes, which chips hold in other coordinates, are told
  /// without a comparison. `program` is what `own` was compiled to: neurons of
  /// fixed function show u and v alone.
  LayerAgreement(dend::NetworkOp own, dend::NetworkOp other,
                 const image::Program &program);

  /// What both runs have to record.
  std::vector<sim::TraceRequest> ownTraces() const;
  std::vector<sim::TraceRequest> otherTraces() const;

  /// The `compare.layers` of result.json. Values of an output are equal or not
  /// where both send whole numbers; what was real before is compared in real
  /// units by its root mean square, as states are.
  nlohmann::ordered_json compare(const Recording &own,
                                 const Recording &other) const;

private:
  /// What a population has: an output or a state.
  struct Member {
    std::string name;
    bool isOutput = false, isExact = false;
    double units = 1, otherUnits = 1;
    sim::TraceRequest trace;
    std::optional<sim::TraceRequest> otherTrace;
  };
  struct Layer {
    std::string name;
    uint64_t neurons = 0;
    std::vector<Member> members;
  };
  static void addOutputs(Layer &layer, dend::PopulationOp own,
                         dend::PopulationOp other);
  static void addStates(Layer &layer, dend::PopulationOp own,
                        dend::PopulationOp other, bool isFixed);
  static nlohmann::ordered_json compareOutput(const Layer &layer,
                                              const Member &member,
                                              const Array &own,
                                              const Array *other);
  static nlohmann::ordered_json
  compareState(const Member &member, const Array &own, const Array *other);
  std::vector<Layer> layers;
};

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_LAYERAGREEMENT_H
