// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This checks the program as a whole: names, shapes, and that the groups of all
// cores together hold every neuron once.

#include "runtime/host/Workers.h"
#include "runtime/image/Program.h"
#include "runtime/image/ProgramFile.h"
#include "runtime/image/Tables.h"
#include "runtime/validate/NetworkChecks.h"
#include "targets/support/Error.h"
#include "targets/support/Sha256.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <fmt/format.h>
#include <tuple>

using namespace dendrolith;
using check::checkTickSchedule;
using check::named;
using check::Placed;
using check::Populations;
using check::PopulationUse;

/// Checks the numbers that neurons have in the model's file, if there are any:
/// each comes once.
static void checkNumbers(const std::string &place,
                         const image::Population &population) {
  if (population.numbers().empty())
    return;
  std::vector<uint32_t> numbers;
  try {
    numbers = decodeU32(population.numbers());
  } catch (const Error &error) {
    throw Error(fmt::format("{}, numbers: {}", place, error.what()));
  }
  std::vector<bool> seen(population.size());
  if (numbers.size() != population.size())
    throw Error(fmt::format("{}: expected no or {} numbers, found {}", place,
                            population.size(), numbers.size()));
  for (uint32_t number : numbers) {
    if (number >= seen.size() || seen[number])
      throw Error(fmt::format("{}: expected each number below {} once, found "
                              "{} too large or a second time",
                              place, seen.size(), number));
    seen[number] = true;
  }
}

static Populations checkPopulations(const image::Program &program) {
  Populations result;
  uint64_t total = 0;
  const std::string *last = nullptr;
  for (int i = 0; i < program.populations_size(); ++i) {
    const image::Population &population = program.populations(i);
    check::checkName(fmt::format("population {}", i), population.name());
    std::string place = named("population", population.name());
    if (last && *last >= population.name())
      throw Error(fmt::format("{}: expected populations in order of name "
                              "without repetition, found it after '{}'",
                              place, *last));
    last = &population.name();
    uint64_t size = check::checkShape(place, population.shape());
    if (size != population.size())
      throw Error(fmt::format("{}: expected the product of the shape, {}, as "
                              "size, found {}",
                              place, size, population.size()));
    total += size;
    if (total > check::kMaxAccumulators)
      throw Error(fmt::format("{}: expected at most {} neurons in the program, "
                              "found {} up to here",
                              place, check::kMaxAccumulators, total));
    checkTickSchedule(place, TickSchedule(population), program.schedule());
    if (population.scale() < 0)
      throw Error(fmt::format("{}: expected a scale of at least 0, found {}",
                              place, population.scale()));
    for (const auto &state : population.calibrated())
      if (!std::isfinite(state.most()) || state.most() < 0)
        throw Error(fmt::format("{}: expected a calibrated magnitude of at "
                                "least 0 of state '{}', found {}",
                                place, state.state(), state.most()));
    checkNumbers(place, population);
    result[population.name()].population = &population;
  }
  return result;
}

/// Checks a group against its population and notes its neurons there.
static void checkGroup(const std::string &place, const image::Group &group,
                       Placed where, Populations &populations) {
  auto it = populations.find(group.population());
  if (it == populations.end())
    throw Error(fmt::format("{}: {} does not exist", place,
                            named("population", group.population())));
  const image::Population &population = *it->second.population;
  // Nothing overflows: both are checked to be small before they are added.
  if (group.first_neuron() >= population.size() ||
      group.count() > population.size() - group.first_neuron())
    throw Error(fmt::format("{}: expected neurons below {}, the size of {}, "
                            "found {} from {}",
                            place, population.size(),
                            named("population", population.name()),
                            group.count(), group.first_neuron()));
  if (group.phase() != population.phase())
    throw Error(fmt::format("{}: expected phase {}, that of {}, found {}",
                            place, population.phase(),
                            named("population", population.name()),
                            group.phase()));
  if (std::max<uint32_t>(group.ticks(), 1) !=
          std::max<uint32_t>(population.ticks(), 1) ||
      std::max<uint32_t>(group.stride(), 1) !=
          std::max<uint32_t>(population.stride(), 1))
    throw Error(fmt::format("{}: expected {} ticks {} apart, those of {}, "
                            "found {} ticks {} apart",
                            place, population.ticks(), population.stride(),
                            named("population", population.name()),
                            group.ticks(), group.stride()));
  where.first = group.first_neuron();
  where.end = where.first + group.count();
  it->second.groups.push_back(where);
}

static void checkCoverage(Populations &populations) {
  for (auto &[name, use] : populations) {
    std::sort(use.groups.begin(), use.groups.end(),
              [](const Placed &a, const Placed &b) {
                return std::tie(a.first, a.core, a.group) <
                       std::tie(b.first, b.core, b.group);
              });
    uint64_t next = 0;
    for (const Placed &placed : use.groups) {
      if (placed.first < next)
        throw Error(fmt::format("core {}, group {}: neuron {} of {} is placed "
                                "a second time",
                                placed.core, placed.group, placed.first,
                                named("population", name)));
      if (placed.first > next)
        break;
      next = placed.end;
    }
    if (next != use.population->size())
      throw Error(fmt::format("{}: neuron {} is on no core",
                              named("population", name), next));
  }
}

/// What the rest of the network sees of a program: ports and outputs.
static std::string interfaceOf(const image::Microprogram &program) {
  image::Microprogram seen;
  *seen.mutable_ports() = program.ports();
  *seen.mutable_outputs() = program.outputs();
  return seen.SerializeAsString();
}

namespace {
/// What the check of a core by itself has found; what it threw is said when it
/// is the core's turn.
struct CheckedCore {
  check::CoreTables tables;
  std::exception_ptr failure;
};
} // namespace

static std::vector<CheckedCore> checkEachCore(const image::Program &program,
                                              const CoreSet &wanted,
                                              unsigned threads) {
  std::vector<uint8_t> whole;
  for (const image::Core &core : program.cores())
    whole.push_back(!wanted || wanted(core.id()));
  std::vector<CheckedCore> checked(whole.size());
  inParallel(whole.size(), workersFor(threads, whole.size()), [&](size_t c) {
    const image::Core &core = program.cores(static_cast<int>(c));
    try {
      checked[c].tables =
          check::checkCore(fmt::format("core {}", core.id()), core, whole[c]);
    } catch (const Error &) {
      checked[c].failure = std::current_exception();
    }
  });
  return checked;
}

/// Checks all cores but their out-axons, which may point to any other core.
static check::CoreIndex checkCores(const image::Program &program,
                                   Populations &populations,
                                   const CoreSet &wanted, unsigned threads) {
  std::vector<CheckedCore> checked = checkEachCore(program, wanted, threads);
  check::CoreIndex index;
  std::map<std::string, size_t> identities; // by digest
  auto identify = [&](const std::string &bytes) {
    return identities.emplace(sha256(bytes), identities.size()).first->second;
  };
  uint64_t accumulators = 0, buckets = 0, states = 0, work = 0, code = 0;
  for (int c = 0; c < program.cores_size(); ++c) {
    const image::Core &core = program.cores(c);
    std::string place = fmt::format("core {}", core.id());
    if (core.id() > check::kMaxCoreId)
      throw Error(fmt::format("{}: expected an id of at most {}", place,
                              check::kMaxCoreId));
    if (c > 0 && core.id() <= program.cores(c - 1).id())
      throw Error(fmt::format("{}: expected cores in order of id without "
                              "repetition, found it after core {}",
                              place, program.cores(c - 1).id()));
    CheckedCore &own = checked[static_cast<size_t>(c)];
    if (own.failure)
      std::rethrow_exception(own.failure);
    check::CoreTables tables = std::move(own.tables);
    for (int g = 0; g < core.groups_size(); ++g)
      checkGroup(fmt::format("{}, group {}", place, g), core.groups(g),
                 Placed{0, 0, core.id(), g}, populations);
    accumulators += tables.accumulators;
    buckets += tables.accumulators * (uint64_t(tables.maxDelay) + 2);
    if (accumulators > check::kMaxAccumulators || buckets > check::kMaxBuckets)
      throw Error(fmt::format("{}: expected at most {} accumulators and {} "
                              "buckets (accumulators x delays) in the program, "
                              "found {} and {} up to here",
                              place, check::kMaxAccumulators,
                              check::kMaxBuckets, accumulators, buckets));
    states += tables.states;
    work += tables.work;
    for (size_t p = 0; p < tables.programs.size(); ++p) {
      check::ProgramShape &shape = tables.programs[p];
      code += shape.work;
      const auto &microprogram = core.programs(static_cast<int>(p));
      shape.identity = identify(microprogram.SerializeAsString());
      shape.interface = identify(interfaceOf(microprogram));
    }
    if (states > check::kMaxStates || work > check::kMaxVisit ||
        code > check::kMaxVisit / 16)
      throw Error(fmt::format("{}: expected at most {} state words, {} "
                              "operations for an update of every neuron and "
                              "{} in programs, found {}, {} and {} up to here",
                              place, check::kMaxStates, check::kMaxVisit,
                              check::kMaxVisit / 16, states, work, code));
    index.add(core.id(), std::move(tables));
  }
  return index;
}

/// Checks what the programs of a population share. Its groups may run different
/// ones (some neurons lack a branch), but what leaves and reaches its neurons
/// is the same everywhere.
static void checkEngine(const std::string &place, const image::Core &core,
                        const image::Group &group, PopulationUse &use,
                        const image::Schedule &schedule,
                        const check::ProgramShape &shape) {
  const std::string population = named("population", use.population->name());
  if (!use.first) {
    use.first = &group;
    use.interface = shape.interface;
  }
  if (group.has_microcode() != use.first->has_microcode())
    throw Error(fmt::format("{}: expected the engine of the other groups of "
                            "{}, found another",
                            place, population));
  if (shape.interface != use.interface)
    throw Error(fmt::format("{}: expected a program with the ports and outputs "
                            "of the other groups of {}, found others",
                            place, population));
  if (group.has_microcode())
    use.programs.emplace(shape.identity, &core.programs(static_cast<int>(
                                             group.microcode().program())));
  if (shape.steps > check::leastGap(TickSchedule(group), schedule))
    throw Error(fmt::format("{}: sends over {} steps, but its ticks are {} "
                            "apart",
                            place, shape.steps,
                            check::leastGap(TickSchedule(group), schedule)));
}

/// Checks that a state which is shown has as many elements in every program
/// that has it.
static void checkStates(const PopulationUse &use) {
  if (use.programs.size() < 2)
    return;
  std::map<std::string, uint32_t> elements;
  for (const auto &[identity, program] : use.programs)
    for (const image::Microprogram::State &state : program->states()) {
      uint32_t first =
          elements.emplace(state.name(), state.elements()).first->second;
      if (first != state.elements())
        throw Error(fmt::format(
            "{}: expected state '{}' to have as many elements in each of its "
            "programs, found {} and {}",
            named("population", use.population->name()), state.name(), first,
            state.elements()));
    }
}

/// Checks what inputs and groups send, and counts what may arrive.
static void checkMessages(const image::Program &program,
                          Populations &populations, check::CoreIndex &cores) {
  check::checkInputs(program, populations, cores);

  for (const image::Core &core : program.cores())
    for (int g = 0; g < core.groups_size(); ++g) {
      const image::Group &group = core.groups(g);
      std::string place = fmt::format("core {}, group {}", core.id(), g);
      check::ProgramShape shape;
      shape.sources = shape.payload = 1;
      if (group.has_microcode())
        shape = cores.find(core.id())->programs[group.microcode().program()];
      checkEngine(place, core, group, populations.at(group.population()),
                  program.schedule(), shape);
      check::checkAxons(place, group.axons(), group.count() * shape.sources,
                        shape.payload * std::max<uint64_t>(group.ticks(), 1),
                        cores);
    }
}

/// A bucket of 64 bits has room even if every message of a period falls into
/// it. Where the largest weight and shift of a core say otherwise, each bucket
/// is looked at.
static void checkRoom(const image::Program &program, Populations &populations,
                      check::CoreIndex &cores) {
  bool isLarge = false;
  for (const image::Core &core : program.cores()) {
    check::CoreTables &tables = *cores.find(core.id());
    if (!(tables.arriving >> 63))
      continue;
    isLarge = true;
    tables.sums = std::make_shared<check::AccumulatorSums>(core);
  }
  if (!isLarge)
    return;
  checkMessages(program, populations, cores);
  for (const image::Core &core : program.cores())
    if (const auto &sums = cores.find(core.id())->sums;
        sums && sums->largest() >> 63)
      throw Error(fmt::format("core {}: the input of one period may exceed 64 "
                              "bits; use smaller weights, shifts or payloads",
                              core.id()));
}

void dendrolith::validate(const image::Program &program) {
  validatePart(program, {}, 1);
}

void dendrolith::validatePart(const image::Program &program,
                              const CoreSet &wanted, unsigned threads) {
  // The version comes first, because another one may have other fields.
  if (program.format_version() != kFormatVersion)
    throw Error(fmt::format("expected format version {}, found {}",
                            kFormatVersion, program.format_version()));
  check::checkFields(program);
  if (program.target_yaml().empty())
    throw Error("target_yaml: expected a chip description, found nothing");
  check::checkSchedule(program.schedule());

  Populations populations = checkPopulations(program);
  check::CoreIndex cores = checkCores(program, populations, wanted, threads);
  checkCoverage(populations);
  checkMessages(program, populations, cores);
  for (const auto &[name, use] : populations)
    checkStates(use);
  check::checkOutputs(program, populations);
  check::checkLayers(program);
  checkRoom(program, populations, cores);
}
