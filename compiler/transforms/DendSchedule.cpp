// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-schedule: the shell around compiler/transforms/Schedule.h.

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/Schedule.h"

#include "targets/Target.h"

#include "llvm/ADT/StringMap.h"

namespace neurite {
#define GEN_PASS_DEF_DENDSCHEDULE
#include "compiler/transforms/Passes.h.inc"

namespace {
using namespace mlir;

struct DendSchedulePass : impl::DendScheduleBase<DendSchedulePass> {
  using DendScheduleBase::DendScheduleBase;

  void runOnOperation() override {
    dend::NetworkOp network = getOperation();
    ScheduleProblem problem;
    SmallVector<Operation *> nodes;
    llvm::StringMap<unsigned> index;
    auto rootClock = network.getRootClock();
    for (Operation &op : network.getBody().front()) {
      if (!isa<dend::InputOp, dend::PopulationOp>(op))
        continue;
      StringRef clock = isa<dend::InputOp>(op)
                            ? cast<dend::InputOp>(op).getClock()
                            : cast<dend::PopulationOp>(op).getClock();
      if (!rootClock || clock != rootClock.getSymName()) {
        op.emitError() << "is on clock '@" << clock
                       << "'; only the root clock can be scheduled on a chip "
                          "in this version, divided clocks run in the "
                          "reference interpreter";
        return signalPassFailure();
      }
      StringRef name = SymbolTable::getSymbolName(&op).getValue();
      index[name] = problem.names.size();
      problem.names.push_back(name.str());
      nodes.push_back(&op);
    }
    SmallVector<dend::ProjectOp> projections;
    for (auto project : network.getOps<dend::ProjectOp>()) {
      projections.push_back(project);
      problem.edges.push_back({index.lookup(project.getSource()),
                               index.lookup(project.getTarget()),
                               static_cast<int64_t>(project.getDelay())});
    }
    try {
      Target chip = Target::load(target);
      problem.gating = chip.scheduling.gating;
      if (chip.limits.maxDelay)
        problem.maxDelay = static_cast<int64_t>(*chip.limits.maxDelay);
    } catch (const Error &error) {
      emitError(network.getLoc()) << error.what();
      return signalPassFailure();
    }
    std::string why;
    auto solution = solveSchedule(problem, why);
    if (!solution) {
      emitError(network.getLoc()) << "no schedule: " << why;
      return signalPassFailure();
    }
    Builder builder(&getContext());
    network->setAttr("period", builder.getI64IntegerAttr(solution->period));
    network->setAttr("depth", builder.getI64IntegerAttr(solution->depth));
    network->setAttr("critical", builder.getStringAttr(solution->critical));
    for (auto [node, phase] : llvm::zip_equal(nodes, solution->phase))
      node->setAttr("phase", builder.getI64IntegerAttr(phase));
    for (auto [project, c] : llvm::zip_equal(projections, solution->connection))
      project->setAttr("steps", builder.getI64IntegerAttr(c));
  }
};
} // namespace
} // namespace neurite
