// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/reference/Clocks.h"

#include <queue>

using namespace mlir;

namespace dendrolith::dend {
namespace {

// More updates than this in one root tick is a mistake, not a network.
constexpr int64_t kMaxTicks = int64_t(1) << 20;

/// An edge of the graph of updates; `dependency` is -1 between two ticks of
/// one population.
struct Before {
  unsigned visit;
  int dependency;
};

/// Names the populations on a cycle among the updates that never became free.
LogicalResult reportCycle(NetworkOp network, ArrayRef<PopulationOp> populations,
                          ArrayRef<Dependency> dependencies,
                          ArrayRef<std::vector<Before>> before,
                          ArrayRef<unsigned> waiting) {
  unsigned visit = 0;
  while (!waiting[visit])
    ++visit;
  // Walking back through waiting updates must come round.
  std::vector<unsigned> path;
  std::vector<int> via;
  while (llvm::find(path, visit) == path.end()) {
    path.push_back(visit);
    auto cause = llvm::find_if(before[visit],
                               [&](Before b) { return waiting[b.visit]; });
    via.push_back(cause->dependency);
    visit = cause->visit;
  }
  size_t start = llvm::find(path, visit) - path.begin();
  std::vector<Dependency> circle; // in the direction of the projections
  for (size_t i = path.size(); i-- > start;)
    if (via[i] >= 0)
      circle.push_back(dependencies[via[i]]);
  circle.push_back(circle.front());
  std::string names;
  for (Dependency &d : circle)
    names += (names.empty() ? "@" : " -> @") +
             PopulationOp(populations[d.source]).getSymName().str();
  circle.pop_back();
  // At the place alone: printing a whole network helps nobody.
  InFlightDiagnostic error =
      emitError(network.getLoc())
      << "zero-delay cycle of projections " << names
      << ": each would have to update before the other in one tick; give one "
         "projection delay 1";
  for (Dependency &d : circle)
    error.attachNote(d.op.getLoc())
        << "this projection has delay " << d.timing.delay;
  return error;
}

} // namespace

FailureOr<llvm::StringMap<int64_t>> ticksPerRoot(NetworkOp network) {
  llvm::StringMap<int64_t> ticks;
  std::vector<ClockOp> open;
  for (ClockOp clock : network.getBody().getOps<ClockOp>()) {
    if (clock.getDividesAttr()) {
      open.push_back(clock);
      continue;
    }
    if (!ticks.empty())
      return clock.emitError() << "second root clock @" << clock.getSymName()
                               << ": exactly one clock divides no other";
    ticks[clock.getSymName()] = 1;
  }
  if (ticks.empty())
    return emitError(network.getLoc())
           << "network @" << network.getSymName() << " has no root clock";
  // Each round resolves at least one clock whose parent is known.
  while (!open.empty()) {
    size_t left = open.size();
    llvm::erase_if(open, [&](ClockOp clock) {
      auto parent = ticks.find(*clock.getDivides());
      if (parent == ticks.end())
        return false;
      int64_t by = int64_t(clock.getBy().value_or(0));
      // Out of range is kept as 0 and reported below.
      bool good =
          by >= 1 && by <= kMaxTicks && parent->second * by <= kMaxTicks;
      int64_t product = good ? parent->second * by : 0;
      ticks[clock.getSymName()] = product;
      return true;
    });
    if (open.size() == left)
      return open.front().emitError() << "clock @" << open.front().getSymName()
                                      << " divides an unknown clock or itself";
  }
  for (ClockOp clock : network.getBody().getOps<ClockOp>())
    if (ticks[clock.getSymName()] == 0)
      return clock.emitError()
             << "clock @" << clock.getSymName() << " must tick 1 to "
             << kMaxTicks << " times per root tick";
  return ticks;
}

FailureOr<std::vector<Visit>> orderUpdates(NetworkOp network,
                                           ArrayRef<PopulationOp> populations,
                                           ArrayRef<int64_t> ticks,
                                           ArrayRef<Dependency> dependencies) {
  std::vector<Visit> visits;
  std::vector<unsigned> first; // visit of each population's tick 0
  for (unsigned p = 0; p < populations.size(); ++p) {
    first.push_back(visits.size());
    if (int64_t(visits.size()) + ticks[p] > kMaxTicks)
      return emitError(network.getLoc())
             << "more than " << kMaxTicks << " updates in one root tick";
    for (int64_t t = 0; t < ticks[p]; ++t)
      visits.push_back({p, t});
  }
  std::vector<std::vector<Before>> before(visits.size());
  std::vector<std::vector<unsigned>> after(visits.size());
  auto link = [&](unsigned from, unsigned to, int dependency) {
    before[to].push_back({from, dependency});
    after[from].push_back(to);
  };
  for (unsigned p = 0; p < populations.size(); ++p)
    for (int64_t t = 1; t < ticks[p]; ++t)
      link(first[p] + t - 1, first[p] + t, -1);
  for (auto [i, d] : llvm::enumerate(dependencies))
    for (int64_t t = 0; t < d.timing.sourceTicks; ++t)
      if (int64_t seen = d.timing.seen(d.timing.arrival(t));
          seen < d.timing.targetTicks)
        link(first[d.source] + t, first[d.target] + seen, int(i));

  // Kahn's algorithm; later(a, b): a's tick begins later, or a is listed later.
  auto later = [&](unsigned a, unsigned b) {
    int64_t x = visits[a].tick * ticks[visits[b].population];
    int64_t y = visits[b].tick * ticks[visits[a].population];
    return x != y ? x > y : a > b;
  };
  std::priority_queue<unsigned, std::vector<unsigned>, decltype(later)> free(
      later);
  std::vector<unsigned> waiting(visits.size());
  for (unsigned v = 0; v < visits.size(); ++v)
    if (!(waiting[v] = before[v].size()))
      free.push(v);
  std::vector<Visit> order;
  while (!free.empty()) {
    unsigned v = free.top();
    free.pop();
    order.push_back(visits[v]);
    for (unsigned next : after[v])
      if (--waiting[next] == 0)
        free.push(next);
  }
  if (order.size() == visits.size())
    return order;
  return reportCycle(network, populations, dependencies, before, waiting);
}

} // namespace dendrolith::dend
