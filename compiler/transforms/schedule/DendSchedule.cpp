// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-schedule: the shell around compiler/transforms/schedule/Schedule.h.

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/network/Refusal.h"
#include "compiler/transforms/schedule/Relays.h"
#include "compiler/transforms/schedule/Schedule.h"
#include "dialects/dend/Dend.h"
#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/NumberAttrs.h"
#include "runtime/image/TickSchedule.h"
#include "targets/loader/Describe.h"
#include "targets/loader/Target.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <vector>

namespace dendrolith {
#define GEN_PASS_DEF_DENDSCHEDULE
#include "compiler/transforms/Passes.h.inc"

namespace {
using namespace mlir;

/// How integers travel: as asked for, or as the target can.
enum class SpikeForm { Auto, Graded, Unary };

struct EmissionForm {
  dend::EmissionKind kind = dend::EmissionKind::Binary;
  int64_t steps = 1; // over which one value leaves
};

// Steps that one unary value may take; beyond that a schedule is of no use.
constexpr int64_t kMaxUnarySteps = 64;

bool fitsPayload(const SpikeAbility &spikes, int64_t low, int64_t high) {
  if (!spikes.graded || (low < 0 && !spikes.sign))
    return false;
  uint64_t bits = std::min<uint64_t>(spikes.payloadBits, 63);
  if (bits == 0)
    return false;
  int64_t span = int64_t(1) << (low < 0 ? bits - 1 : bits);
  return low >= (low < 0 ? -span : 0) && high < span;
}

/// "4 bits, signed", or what else a payload is.
std::string payloadOf(const SpikeAbility &spikes) {
  return std::to_string(spikes.graded ? spikes.payloadBits : 0) + " bits" +
         (spikes.sign ? ", signed" : "");
}

/// By output of the population's model. Binary spikes stay binary. Integers are
/// graded where the target's payload holds them, else unary: |value| unit
/// spikes, with a sign where spikes carry one, else over two axons (split); or
/// as `wanted` says. Fails with a diagnostic on a range that the form does not
/// hold, and on several steps for one value where groups cannot be gated.
FailureOr<std::vector<EmissionForm>>
chooseEmissions(dend::PopulationOp population, const Target &chip,
                SpikeForm wanted) {
  dend::NeuronOp model = dend::modelOf(population);
  std::vector<EmissionForm> forms;
  for (unsigned i = 0; i < model.getOutputs().size(); ++i) {
    dend::SpikeType type = model.getOutput(i).getType();
    EmissionForm &form = forms.emplace_back();
    auto needsBinary = [&](const Twine &sends) -> LogicalResult {
      if (chip.spikes.binary)
        return success();
      return refuse(population.emitError(),
                    "output '" + model.getOutput(i).getName().getValue() +
                        "' of '@" + population.getSymName() + "' sends " +
                        sends + ", and target '" + chip.name +
                        "' has no spikes without a number (spikes.binary)",
                    "choose a target with binary spikes");
    };
    if (type.getKind() == dend::SpikeKind::Binary) {
      if (failed(needsBinary("binary spikes")))
        return failure();
      continue;
    }
    if (type.getKind() == dend::SpikeKind::Graded)
      continue; // a real value is refused when the body is lowered
    int64_t low = type.getLow(), high = type.getHigh();
    int64_t units = std::max(high, -std::max(low, -kMaxUnarySteps - 1));
    bool fits = fitsPayload(chip.spikes, low, high);
    auto refused = [&](const Twine &why, const Twine &advice) {
      InFlightDiagnostic error =
          refuse(population.emitError(),
                 "output '" + model.getOutput(i).getName().getValue() +
                     "' of '@" + population.getSymName() + "' sends " +
                     Twine(low) + " to " + Twine(high) + ", " + why,
                 advice);
      if (model.getStates().empty())
        error << "; if its neurons are linear, --rewrite fold-readout composes "
                 "them into the weights of what they feed";
      return error;
    };
    if (wanted == SpikeForm::Graded && !fits)
      return refused("which graded spikes of target '" + chip.name +
                         "' cannot carry (payload of " +
                         payloadOf(chip.spikes) + ")",
                     "choose unary spikes or a target with graded ones");
    bool integer = type.getKind() == dend::SpikeKind::Int;
    if (wanted == SpikeForm::Graded ||
        (wanted == SpikeForm::Auto && integer && fits)) {
      form.kind = dend::EmissionKind::Graded;
      continue;
    }
    if (units > kMaxUnarySteps)
      return refused("which fits neither a payload of target '" + chip.name +
                         "' (" + payloadOf(chip.spikes) + ") nor " +
                         Twine(kMaxUnarySteps) + " unit spikes",
                     "use a smaller range");
    if (failed(needsBinary("unit spikes")))
      return failure();
    form.kind = low >= 0 || chip.spikes.sign ? dend::EmissionKind::Unary
                                             : dend::EmissionKind::Split;
    form.steps = std::max<int64_t>(units, 1);
    if (form.steps > 1 && !chip.scheduling.gating)
      return refused("which takes " + Twine(form.steps) +
                         " steps of unary spikes, and target '" + chip.name +
                         "' cannot gate groups, so that each tick is one step",
                     "choose graded spikes or a target with group_gating");
  }
  return forms;
}

// More micro ticks than this in a token are a mistake, not a network.
constexpr int64_t kMaxTicks = 4096;

/// The network's clocks, inputs and populations as a problem.
class Problem {
public:
  Problem(dend::NetworkOp network, const Target &chip, SpikeForm spikes)
      : network(network), chip(chip), spikes(spikes) {
    problem.gating = chip.scheduling.gating;
    // A chip without a limit has that of every image.
    problem.maxDelay = std::min<int64_t>(
        image::kMostDelay, int64_t(chip.limits.maxDelay.value_or(UINT32_MAX)));
    problem.clockTicks.clear();
  }

  LogicalResult read() {
    dend::NetworkIndex names(network);
    if (failed(readClocks()))
      return failure();
    for (Operation &op : network.getBody().front()) {
      if (auto input = dyn_cast<dend::InputOp>(op))
        add(input, input.getClock());
      else if (auto population = dyn_cast<dend::PopulationOp>(op))
        if (failed(add(population)))
          return failure();
    }
    for (auto project : network.getOps<dend::ProjectOp>()) {
      projections.push_back(project);
      problem.edges.push_back({index.lookup(project.getSource()),
                               index.lookup(project.getTarget()),
                               static_cast<int64_t>(project.getDelay())});
    }
    return success();
  }

  /// Without `group_start` all groups begin with the tick.
  LogicalResult checkStarts(const ScheduleSolution &solution) {
    if (chip.scheduling.groupStart)
      return success();
    for (auto [i, node] : llvm::enumerate(nodes))
      if (isa<dend::PopulationOp>(node) && solution.phase[i] != 0)
        return refuse(node->emitError(),
                      "'@" + problem.nodes[i].name + "' begins " +
                          Twine(solution.phase[i]) +
                          " steps after the tick, and target '" + chip.name +
                          "' begins all groups with it "
                          "(scheduling.group_start)",
                      "choose graded spikes or a target with group_start");
    return success();
  }

  /// Puts relays where connections cannot hold the delays. False where they do
  /// not help, or where the network is not one of integers.
  bool relay() {
    for (auto population : network.getOps<dend::PopulationOp>())
      for (Value port : dend::modelOf(population).getPortArgs())
        if (!dend::fixedType(port.getType()))
          return false;
    auto plan = planRelays(problem);
    if (plan)
      insertRelays(network, chip, nodes, projections, problem, *plan);
    return plan.has_value();
  }

  /// Whether events come one by one: the clock says so where the chip has a
  /// queue. Fails with a diagnostic where the network wants another one.
  FailureOr<bool> queues() {
    dend::ClockOp root = network.getRootClock();
    const uint64_t places = queueOf(chip);
    auto wanted = root->getAttrOfType<IntegerAttr>(dend::kQueue);
    if (wanted && uint64_t(wanted.getInt()) != places)
      return refuse(root.emitError(),
                    "its events come through a queue of " +
                        Twine(wanted.getInt()) + " places, and target '" +
                        chip.name + "' has " +
                        (places ? "one of " + Twine(places) : "none") +
                        " (scheduling.queue)",
                    "leave '" + dend::kQueue + "' away: the target sets it");
    if (places)
      root->setAttr(
          dend::kQueue,
          Builder(network.getContext()).getI64IntegerAttr(int64_t(places)));
    return places > 0;
  }

  /// Each population sees each event in a step of its own, whatever the order
  /// of layers: a spike is an event behind the one that caused it.
  FailureOr<ScheduleSolution> byEvents() {
    const std::string remedy =
        "use another target, or scheduling.queue=0 to run by steps";
    ScheduleSolution solution;
    solution.depth = 2;
    solution.stride.assign(problem.clockTicks.size(), 1);
    solution.connection.assign(problem.edges.size(), 0);
    for (auto clock : network.getOps<dend::ClockOp>())
      if (clock.getDivides())
        return refuse(clock.emitError(),
                      "it ticks several times in a tick, and target '" +
                          chip.name + "' has no time but the order of events",
                      remedy);
    for (auto [i, node] : llvm::enumerate(nodes)) {
      solution.phase.push_back(isa<dend::PopulationOp>(node));
      if (problem.nodes[i].emission > 1)
        return refuse(node->emitError(),
                      "it sends a number as several spikes, and on target '" +
                          chip.name + "' each is an event of its own",
                      remedy);
    }
    for (auto [i, edge] : llvm::enumerate(problem.edges))
      if (edge.delay > int64_t(isa<dend::PopulationOp>(nodes[edge.from])))
        return refuse(
            projections[i].emitError(),
            "layer '" + projections[i].getTarget() + "': the delay from '" +
                projections[i].getSource() + "' is " + Twine(edge.delay) +
                " ticks, and target '" + chip.name +
                "' has no time but the order of events",
            "take a delay of 0, or scheduling.queue=0 to run by steps");
    return solution;
  }

  /// Leaves the solution on the ops.
  void write(const ScheduleSolution &solution) {
    network.setPeriod(uint64_t(solution.period));
    network.setDepth(uint64_t(solution.depth));
    network.setCritical(solution.critical);
    for (auto [i, node] : llvm::enumerate(nodes)) {
      auto set = [&, i = unsigned(i)](auto op) {
        op.setPhase(uint64_t(solution.phase[i]));
        op.setTicks(uint64_t(problem.ticks(i)));
        op.setStride(uint64_t(solution.stride[problem.nodes[i].clock]));
      };
      llvm::TypeSwitch<Operation *>(node)
          .Case<dend::InputOp, dend::PopulationOp>(set);
    }
    for (auto [project, c] : llvm::zip_equal(projections, solution.connection))
      project.setSteps(uint64_t(c));
  }

  ScheduleProblem problem;

private:
  LogicalResult readClocks() {
    for (auto clock : network.getOps<dend::ClockOp>()) {
      int64_t ticks = 1;
      for (auto divided = clock; divided && divided.getDividesAttr();
           divided =
               network.lookupSymbol<dend::ClockOp>(*divided.getDivides())) {
        ticks *= static_cast<int64_t>(divided.getBy().value_or(1));
        if (ticks > kMaxTicks)
          return clock.emitError("ticks more than ")
                 << kMaxTicks << " times per tick of the root clock";
      }
      clocks[clock.getSymName()] = unsigned(problem.clockTicks.size());
      problem.clockTicks.push_back(ticks);
    }
    return success();
  }

  ScheduleNode &add(Operation *op, StringRef clock) {
    StringRef name = SymbolTable::getSymbolName(op).getValue();
    index[name] = unsigned(problem.nodes.size());
    nodes.push_back(op);
    problem.nodes.push_back({name.str(), clocks.lookup(clock), 1});
    return problem.nodes.back();
  }

  LogicalResult add(dend::PopulationOp population) {
    auto forms = chooseEmissions(population, chip, spikes);
    if (failed(forms))
      return failure();
    ScheduleNode &node = add(population, population.getClock());
    SmallVector<Attribute> rows;
    for (const EmissionForm &form : *forms) {
      node.emission = std::max(node.emission, form.steps);
      rows.push_back(
          dend::EmissionAttr::get(network.getContext(), form.kind, form.steps));
    }
    population.setEmissionAttr(ArrayAttr::get(network.getContext(), rows));
    return success();
  }

  dend::NetworkOp network;
  const Target &chip;
  SpikeForm spikes;
  SmallVector<Operation *> nodes;
  SmallVector<dend::ProjectOp> projections;
  llvm::StringMap<unsigned> index, clocks;
};

struct DendSchedulePass : impl::DendScheduleBase<DendSchedulePass> {
  using DendScheduleBase::DendScheduleBase;
  DendSchedulePass(DendScheduleOptions options, SharedTarget chip)
      : DendScheduleBase(std::move(options)), chip(std::move(chip)) {}

  /// Throws Error for another word.
  SpikeForm spikeForm() const {
    if (spikes == "auto")
      return SpikeForm::Auto;
    if (spikes == "graded")
      return SpikeForm::Graded;
    if (spikes == "unary")
      return SpikeForm::Unary;
    throw Error("spikes: expected 'auto', 'graded' or 'unary', found '" +
                spikes + "'");
  }

  void runOnOperation() override {
    try {
      if (failed(schedule()))
        signalPassFailure();
    } catch (const Error &error) {
      emitError(getOperation().getLoc()) << error.what();
      signalPassFailure();
    }
  }

  /// With relays where there is no schedule without them.
  LogicalResult schedule() {
    dend::NetworkOp network = getOperation();
    NoSchedule why;
    for (bool isRelayed : {false, true}) {
      Problem problem(network, chip.getOr(target), spikeForm());
      if (failed(problem.read()))
        return failure();
      auto queues = problem.queues();
      if (failed(queues))
        return failure();
      if (*queues) {
        auto events = problem.byEvents();
        if (failed(events))
          return failure();
        problem.write(*events);
        return success();
      }
      if (auto solution = solveSchedule(problem.problem, why)) {
        if (failed(problem.checkStarts(*solution)))
          return failure();
        problem.write(*solution);
        return success();
      }
      if (isRelayed || !problem.relay())
        break;
    }
    return refuse(emitError(network.getLoc()), "no schedule: " + why.reason,
                  why.advice);
  }

private:
  SharedTarget chip;
};
} // namespace

std::unique_ptr<mlir::Pass> createDendSchedule(DendScheduleOptions options,
                                               SharedTarget chip) {
  return std::make_unique<DendSchedulePass>(std::move(options),
                                            std::move(chip));
}

} // namespace dendrolith
