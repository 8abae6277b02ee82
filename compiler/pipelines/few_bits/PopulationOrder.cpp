// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/few_bits/PopulationOrder.h"

#include "dialects/dend/NetworkIndex.h"

using namespace mlir;

namespace dendrolith {
namespace {

/// A search from targets to sources, depth first. It keeps a stack of its own,
/// because a chain may be deeper than the stack of calls.
class DepthFirstSearch {
public:
  void visit(dend::PopulationOp start) {
    open(start);
    while (!stack.empty()) {
      Visit &top = stack.back();
      if (top.next == top.sources.size()) {
        done.insert(top.population);
        found.populations.push_back(top.population);
        stack.pop_back();
        continue;
      }
      dend::PopulationOp source = top.sources[top.next++];
      // The search is still below a source that it met before and has not done.
      if (opened.contains(source) && !done.contains(source))
        found.looped.insert(top.population);
      open(source); // `top` may be gone
    }
  }

  PopulationOrder found;

private:
  struct Visit {
    dend::PopulationOp population;
    SmallVector<dend::PopulationOp, 2> sources;
    size_t next = 0;
  };

  void open(dend::PopulationOp population) {
    if (!opened.insert(population).second)
      return;
    Visit &visit = stack.emplace_back();
    visit.population = population;
    for (dend::ProjectOp project : dend::projectionsInto(population))
      if (auto source = dend::symbolOf<dend::PopulationOp>(
              project, project.getSourceAttr()))
        visit.sources.push_back(source);
  }

  std::vector<Visit> stack;
  llvm::DenseSet<Operation *> opened, done;
};

} // namespace

PopulationOrder orderPopulations(dend::NetworkOp network) {
  dend::NetworkIndex index(network);
  DepthFirstSearch search;
  for (auto population : network.getOps<dend::PopulationOp>())
    search.visit(population);
  return std::move(search.found);
}

} // namespace dendrolith
