// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This file has networks and their clocks.
#include "dialects/dend/Checks.h"
#include "dialects/dend/NetworkIndex.h"

using namespace mlir;

namespace dendrolith::dend {

NeuronOp modelOf(PopulationOp population) {
  return symbolOf<NeuronOp>(population, population.getModelAttr());
}

NetworkOp networkOf(Operation *op) { return op->getParentOfType<NetworkOp>(); }

ClockOp NetworkOp::getRootClock() {
  for (ClockOp clock : getBody().getOps<ClockOp>())
    if (!clock.getDividesAttr())
      return clock;
  return {};
}

LogicalResult ClockOp::verify() {
  if (bool(getDividesAttr()) != bool(getByAttr()))
    return emitOpError() << "needs both 'divides' and 'by', or neither";
  if (getByAttr() &&
      (getByAttr().getInt() < 1 || getByAttr().getInt() > kLargestCount))
    return emitOpError() << "divides by " << getByAttr().getInt()
                         << ", expected 1 to " << kLargestCount;
  return success();
}

namespace {

/// The clocks of one network by name, each with its chain up to the root.
class ClockTree {
public:
  explicit ClockTree(NetworkOp network) : network(network) {
    for (ClockOp clock : network.getBody().getOps<ClockOp>())
      byName[clock.getSymNameAttr()] = clock;
  }

  LogicalResult verify();

  /// Finds the clock of that name; it is an error on `user` if there is none.
  FailureOr<ClockOp> find(Operation *user, FlatSymbolRefAttr name) {
    if (ClockOp clock = byName.lookup(name.getAttr()))
      return clock;
    InFlightDiagnostic diagnostic = user->emitOpError()
                                    << "names clock " << name;
    if (Operation *other =
            mlir::SymbolTable::lookupSymbolIn(network, name.getAttr())) {
      diagnostic << ", which is no clock";
      diagnostic.attachNote(other->getLoc()) << "declared here";
    } else {
      diagnostic << ", which the network does not have";
    }
    return diagnostic;
  }

  /// Returns whether every tick of `slow` is a tick of `fast`.
  bool divides(ClockOp slow, ClockOp fast) {
    while (fast && fast != slow)
      fast = parent(fast);
    return fast == slow;
  }

private:
  ClockOp parent(ClockOp clock) {
    FlatSymbolRefAttr name = clock.getDividesAttr();
    return name ? byName.lookup(name.getAttr()) : ClockOp();
  }

  NetworkOp network;
  llvm::DenseMap<StringAttr, ClockOp> byName;
};

LogicalResult ClockTree::verify() {
  ClockOp root;
  for (ClockOp clock : network.getBody().getOps<ClockOp>()) {
    if (clock.getDividesAttr()) {
      if (failed(find(clock, clock.getDividesAttr())))
        return failure();
      continue;
    }
    if (root) {
      InFlightDiagnostic diagnostic = clock.emitOpError()
                                      << "is a second root clock; a network "
                                         "has exactly one without 'divides'";
      diagnostic.attachNote(root.getLoc()) << "the first root clock is here";
      return diagnostic;
    }
    root = clock;
  }
  for (ClockOp clock : network.getBody().getOps<ClockOp>()) {
    int64_t ticks = 1;
    size_t steps = 0;
    for (ClockOp at = clock; at.getDividesAttr(); at = parent(at)) {
      if (++steps > byName.size())
        return clock.emitOpError() << "divides itself through other clocks";
      ticks *= at.getByAttr().getInt();
      if (ticks > kLargestCount)
        return clock.emitOpError() << "ticks more than " << kLargestCount
                                   << " times per tick of the root clock";
    }
  }
  // Without a root every chain is a cycle, unless there is no clock at all.
  if (!root)
    return network.emitOpError()
           << "needs a root clock: one dend.clock without 'divides'";
  return success();
}

// A clock that a model names must not tick between updates of the population.
LogicalResult verifyClocksOf(PopulationOp population, NeuronOp model,
                             ClockTree &clocks) {
  FailureOr<ClockOp> own = clocks.find(population, population.getClockAttr());
  if (failed(own))
    return failure();
  auto check = [&](StringRef part, StringAttr name,
                   FlatSymbolRefAttr clockName) -> LogicalResult {
    FailureOr<ClockOp> clock = clocks.find(model, clockName);
    if (failed(clock))
      return failure();
    if (clocks.divides(*clock, *own))
      return success();
    InFlightDiagnostic diagnostic =
        population.emitOpError()
        << "is on clock " << population.getClockAttr() << ", but " << part
        << " " << name << " of its model waits for clock " << clockName
        << ", which ticks between its updates";
    diagnostic.attachNote(model.getLoc()) << "the model is declared here";
    return diagnostic;
  };
  for (auto port : model.getPorts().getAsRange<PortAttr>())
    if (port.getHold() && failed(check("port", port.getName(), port.getHold())))
      return failure();
  for (auto state : model.getStates().getAsRange<StateAttr>())
    if (auto reset = llvm::dyn_cast<FlatSymbolRefAttr>(state.getReset()))
      if (failed(check("state", state.getName(), reset)))
        return failure();
  return success();
}

} // namespace

// Symbol users (populations, projections, outputs) were verified before: the
// names they use resolve to operations of the right kind.
LogicalResult NetworkOp::verifyRegions() {
  for (Operation &op : getBody().front())
    if (!llvm::isa<ClockOp, ConstantOp, NeuronOp, InputOp, PopulationOp,
                   ProjectOp, OutputOp>(op)) {
      InFlightDiagnostic diagnostic = emitOpError()
                                      << "cannot hold '" << op.getName() << "'";
      diagnostic.attachNote(op.getLoc()) << "found here";
      return diagnostic;
    }
  ClockTree clocks(*this);
  if (failed(clocks.verify()))
    return failure();
  mlir::SymbolTable symbols(*this);
  for (NeuronOp model : getBody().getOps<NeuronOp>()) {
    for (auto port : model.getPorts().getAsRange<PortAttr>())
      if (port.getHold() && failed(clocks.find(model, port.getHold())))
        return failure();
    for (auto state : model.getStates().getAsRange<StateAttr>())
      if (auto reset = llvm::dyn_cast<FlatSymbolRefAttr>(state.getReset()))
        if (failed(clocks.find(model, reset)))
          return failure();
  }
  for (InputOp input : getBody().getOps<InputOp>())
    if (failed(clocks.find(input, input.getClockAttr())))
      return failure();
  for (PopulationOp population : getBody().getOps<PopulationOp>())
    if (failed(verifyClocksOf(population,
                              symbols.lookup<NeuronOp>(population.getModel()),
                              clocks)))
      return failure();
  for (ProjectOp project : getBody().getOps<ProjectOp>()) {
    Operation *source = symbols.lookup(project.getSource());
    auto target = symbols.lookup<PopulationOp>(project.getTarget());
    FlatSymbolRefAttr from =
        llvm::isa<InputOp>(source)
            ? llvm::cast<InputOp>(source).getClockAttr()
            : llvm::cast<PopulationOp>(source).getClockAttr();
    FailureOr<ClockOp> a = clocks.find(source, from);
    FailureOr<ClockOp> b = clocks.find(target, target.getClockAttr());
    if (failed(a) || failed(b))
      return failure();
    if (!clocks.divides(*a, *b) && !clocks.divides(*b, *a))
      return project.emitOpError()
             << "joins clocks " << from << " and " << target.getClockAttr()
             << ", neither of which divides the other";
  }
  return success();
}

} // namespace dendrolith::dend
