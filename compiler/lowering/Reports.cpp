// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/Reports.h"

#include "compiler/mapping/network/Demand.h"

#include <fmt/format.h>

using namespace mlir;

namespace dendrolith {

ArrayAttr fitRows(Builder &builder, const Mapping &mapping) {
  std::vector<report::FitRowAttr::Fields> rows;
  for (const FitRow &row : mapping.fit)
    rows.push_back({row.resource, row.unit, int64_t(row.used),
                    int64_t(row.limit), row.worstCore, row.population});
  return report::rowsOf<report::FitRowAttr>(builder.getContext(), rows);
}

report::MappingReportAttr mappingReport(Builder &builder,
                                        const Mapping &mapping, size_t cores) {
  report::MappingReportAttr::Fields row;
  row.solver = mapping.solver;
  row.cost = mapping.cost;
  row.baseline_cost = mapping.baselineCost;
  row.cost_unit = mapping.costUnit;
  row.cores = int64_t(cores);
  row.objective = mapping.objective;
  row.activity = mapping.activity;
  row.fewer_cores = mapping.fewerCores;
  MLIRContext *context = builder.getContext();
  for (const MappingTerm &term : mapping.terms)
    row.terms.push_back(report::MappingTermAttr::of(
        context, {term.name, term.unit, term.value, term.baseline}));
  for (const MappingBound &bound : mapping.bounds)
    row.bounds.push_back(report::MappingBoundAttr::of(
        context, {bound.resource, int64_t(bound.cores), bound.population}));
  for (const TradeOff &look : mapping.tradeOff)
    row.trade_off.push_back(report::TradeOffAttr::of(
        context, {int64_t(look.cores), look.stepNs, look.stepPj, look.how,
                  look.chosen, look.pareto, look.rough}));
  for (const Hotspot &spot : mapping.hotspots)
    row.hotspots.push_back(report::HotspotAttr::of(
        context, {spot.where, spot.stepNs, spot.cause, spot.remedy}));
  return report::MappingReportAttr::of(builder.getContext(), row);
}

/// What the largest program takes of a limit on programs; 0 for other limits.
static uint64_t mostOfPrograms(const LoweredNetwork &network, StringRef limit) {
  uint64_t most = 0;
  for (const LoweredPopulation &population : network.populations)
    for (const auto &entry : population.microcode.programs) {
      uint64_t bits = 0;
      for (const auto &state : entry.program.states)
        bits += uint64_t(state.elements * state.width);
      most = std::max(most, limit == "registers"
                                ? uint64_t(entry.program.registers)
                            : limit == "state_bytes" ? (bits + 7) / 8
                                                     : 0);
    }
  return most;
}

ArrayAttr overriddenLimits(Builder &builder, const Target &chip,
                           const LoweredNetwork &network,
                           const Mapping &mapping) {
  std::vector<report::OverriddenLimitAttr::Fields> rows;
  for (const std::string &name : chip.overriddenLimits) {
    int64_t limit = 0, used = int64_t(mostOfPrograms(network, name));
    for (const Record &record : chip.records)
      if (record.name == "limits." + name || record.name == "microcode." + name)
        limit = std::stoll(record.value);
    for (int resource = 0; resource < numResources; ++resource)
      for (const FitRow &row : mapping.fit)
        if (name == describe(Resource(resource)).limit &&
            row.resource == describe(Resource(resource)).name)
          used = int64_t(row.used);
    rows.push_back({name, limit, used});
  }
  return rows.empty() ? ArrayAttr()
                      : report::rowsOf<report::OverriddenLimitAttr>(
                            builder.getContext(), rows);
}

static std::string counted(size_t count, const char *what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// "2: neurons 0-23, 32-39 run 5 instructions with 2 states; neurons ...".
static std::string describeRuns(const MicroTables &tables) {
  std::string text = std::to_string(tables.programs.size());
  for (uint32_t p = 0; p < tables.programs.size(); ++p) {
    std::string neurons;
    for (const ProgramRun &run : tables.runs)
      if (run.program == p)
        neurons += (neurons.empty() ? "" : ", ") + std::to_string(run.first) +
                   "-" + std::to_string(run.first + run.count - 1);
    const Microprogram &program = tables.programs[p].program;
    text += (p ? "; neurons " : ": neurons ") + neurons + " run " +
            counted(program.instructions(), "instruction") + " with " +
            counted(program.states.size(), "state");
  }
  return text;
}

ArrayAttr policies(Builder &builder, ArrayAttr soFar,
                   const LoweredNetwork &network, const Sharing &sharing) {
  SmallVector<Attribute> all;
  if (soFar)
    all.assign(soFar.begin(), soFar.end());
  auto note = [&](StringRef key, const std::string &value) {
    all.push_back(report::NoteAttr::get(builder.getContext(), key, value));
  };
  if (!network.tiles.empty())
    note("tiles of feature maps", network.tiles);
  if (sharing.sources)
    note("shared lists",
         fmt::format("{} lists in {} words serve {} in-axons; without sharing "
                     "{} lists in {} words",
                     sharing.lists, sharing.words, sharing.axons,
                     sharing.sources, sharing.unsharedWords));
  for (const LoweredPopulation &population : network.populations) {
    if (population.microcode.programs.size() < 2)
      continue;
    dend::PopulationOp op = population.op;
    note("programs of " + op.getSymName().str(),
         describeRuns(population.microcode));
  }
  return all.empty() ? ArrayAttr() : builder.getArrayAttr(all);
}

} // namespace dendrolith
