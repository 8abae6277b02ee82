// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cycle-level run by several processes. Values never depend on times, so each
// process computes those of its cores, in step with the others, and writes down
// what they send (WorkRecord.h). Then each lets what all cores sent in its part
// of the steps travel on the mesh of the board: whole samples, or a leg of the
// only one (Leg). A leg begins with turns of the mesh that are a guess, until
// the leg before has ended: where they were others, it is timed again. So times
// are those of one process, to the last picosecond.
//
// Processes divide the steps and not the tiles of the mesh. A message needs
// some ns from chip to chip, and two parts of a mesh could run alone only for so
// long. A step takes thousands of such times.

#include "simulator/timing/RunCycle.h"

#include "runtime/host/Ranks.h"
#include "runtime/host/Wire.h"
#include "simulator/functional/machine/OnTarget.h"
#include "simulator/functional/rows/EventOrder.h"
#include "simulator/ranks/Bytes.h"
#include "simulator/ranks/Exchange.h"
#include "simulator/ranks/RankTraffic.h"
#include "simulator/record/Collect.h"
#include "simulator/timing/CycleEngine.h"
#include "simulator/timing/kernel/Kernel.h"
#include "simulator/timing/work/LiveWork.h"
#include "simulator/timing/workers/Transfer.h"
#include "simulator/timing/workers/Worker.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace dendrolith::sim {

namespace {

/// Which steps each rank lets travel, counted through all samples: whole
/// samples, or legs of the only one.
struct Division {
  Division(const Machine &machine, const Target &target,
           const TimingSet &timing, const RunOptions &options,
           const Inputs &inputs)
      : steps(machine.stepsOf(inputs.ticks())) {
    const uint64_t samples = inputs.samples(), ranks = options.ranks->size();
    const bool whole = options.timeline.rows || options.shuffle;
    if (samples == 1 && steps > 1 && !whole &&
        settlesByStep(machine, target, timing))
      legs.emplace(steps, std::min(ranks, steps));
    const uint64_t parts =
        legs    ? legs->count()
        : whole ? 1
                : std::max<uint64_t>(std::min(ranks, samples), 1);
    for (uint64_t p = 0; p < parts; ++p) {
      from.push_back(legs ? legs->from(p) : samples * p / parts * steps);
      behind.push_back(legs ? legs->behind(p)
                            : samples * (p + 1) / parts * steps);
    }
    begins.resize(parts);
    ends.resize(parts);
  }
  size_t parts() const { return from.size(); }
  /// The first sample of a part, and behind its last one of `all`.
  uint64_t firstSample(size_t part) const {
    return legs || steps == 0 ? 0 : from[part] / steps;
  }
  uint64_t behindSamples(size_t part, uint64_t all) const {
    return legs || steps == 0 ? all : behind[part] / steps;
  }
  /// So many steps are over, after which the record is this.
  void note(uint64_t over, const WorkRecord &record,
            const std::vector<uint64_t> &sent) {
    for (size_t p = 0; p < parts(); ++p) {
      if (from[p] == over)
        begins[p] = record.mark(sent);
      if (behind[p] == over)
        ends[p] = record.mark(sent);
    }
  }

  const uint64_t steps; // of a sample
  std::optional<Legs> legs;
  std::vector<uint64_t> from, behind;         // by part
  std::vector<WorkRecord::Mark> begins, ends; // of the record
};

class RankedWork {
public:
  RankedWork(Ranks &ranks, const Machine &machine, const Inputs &inputs,
             CoreShare own, LiveWork &work, Exchange &exchange,
             const WorkRecord &record, Division &division)
      : ranks(ranks), machine(machine), inputs(inputs), own(own), work(work),
        exchange(exchange), record(record), division(division),
        inputsAt(inputStepsOf(machine)),
        stream(own.first, host(), 0, machine, nullptr, nullptr),
        lastSent(host() + 1) {
    work.sent = &sent;
  }

  void run(const Progress &progress) {
    const uint64_t steps = machine.stepsOf(inputs.ticks());
    for (uint64_t sample = 0; sample < inputs.samples(); ++sample) {
      for (uint64_t step = 0; step < steps; ++step) {
        division.note(sample * steps + step, record, lastSent);
        runStep(sample, step);
        if (progress && (step % kReportEvery == 0 || step + 1 == steps))
          progress(sample * steps + step + 1, steps * inputs.samples());
      }
      gather(ranks, machine, work.events);
      work.endSample(sample);
      if (!ranks.first())
        work.events.clear(); // of the end, which the first has noted
    }
    division.note(steps * inputs.samples(), record, lastSent);
  }

private:
  static constexpr uint64_t kReportEvery = 64;

  uint32_t host() const {
    return static_cast<uint32_t>(machine.cores().size());
  }

  void runStep(uint64_t sample, uint64_t step) {
    sent.clear();
    for (uint32_t core = own.first; core < own.end; ++core) {
      stream.clear();
      work.update(core, sample, step, stream);
      noteSent(core, step);
    }
    exchange.begin(sent);
    stream.clear();
    if (!ranks.first())
      work.hearHost(sample, step);
    else if (inputsAt[step % inputsAt.size()])
      work.inject(sample, step, stream);
    noteSent(host(), step);
    work.hear(exchange.end(), step);
  }

  void noteSent(uint32_t endpoint, uint64_t step) {
    if (!stream.all().empty())
      lastSent[endpoint] = step + 1;
  }

  Ranks &ranks;
  const Machine &machine;
  const Inputs &inputs;
  const CoreShare own;
  LiveWork &work;
  Exchange &exchange;
  const WorkRecord &record;
  Division &division;
  const std::vector<bool> inputsAt;
  MessageStream stream;           // takes what the record has already
  std::vector<uint64_t> lastSent; // the step by endpoint, and 1
  std::vector<Injection> sent;
};

/// Each rank gets what all sent in its part of the steps.
void exchangeParts(Ranks &ranks, const std::vector<CoreShare> &shares,
                   const Division &division, const WorkRecord &record,
                   WorkRecord &part, Earlier &earlier) {
  std::vector<std::string> to(ranks.size()), from;
  const auto visit = [&](unsigned rank, uint32_t host, auto each) {
    for (uint32_t core = shares[rank].first; core < shares[rank].end; ++core)
      each(core);
    if (rank == 0)
      each(host);
  };
  const uint32_t host = shares.back().end;
  for (size_t p = 0; p < division.parts(); ++p)
    writeTo(to[p], [&](Writer &writer) {
      visit(ranks.rank(), host, [&](uint32_t endpoint) {
        record.write(writer, endpoint, division.begins[p], division.ends[p]);
      });
    });
  ranks.begin(to);
  ranks.end(from);
  if (ranks.rank() >= division.parts())
    return;
  for (unsigned r = 0; r < ranks.size(); ++r)
    readFrom(from[r], [&](Reader &reader) {
      visit(r, host,
            [&](uint32_t endpoint) { part.read(reader, endpoint, earlier); });
    });
  if (division.legs)
    earlier.steps = division.from[ranks.rank()];
}

/// What came of a part of the steps: the turns with which its leg began and
/// ended, and times.
struct Travelled {
  std::vector<uint32_t> begun, ended;
  RunResult times;
};
using Turns = std::vector<uint32_t>;

class RankLeg final : public Leg {
public:
  RankLeg(const Legs &legs, uint64_t number, const Turns *turns, Travelled &of)
      : legs(legs), number(number), turns(turns), of(of) {}
  uint64_t from() const override { return turns ? first() : legs.from(number); }
  uint64_t first() const override { return legs.first(number); }
  uint64_t end() const override { return legs.behind(number); }
  const Turns *given() const override { return turns; }
  void begin(const Turns &found) override { of.begun = found; }
  bool ends(const Turns &found) override {
    of.ended = found;
    return true;
  }

private:
  const Legs &legs;
  const uint64_t number;
  const Turns *const turns; // null: nobody knows them
  Travelled &of;
};

/// All ranks call it. `travel` times the part of its own, which begins with
/// turns, if any are given. Returns the times of all to the first.
RunResult
travelTogether(Ranks &ranks, const Division &division,
               const std::function<Travelled(const Turns *)> &travel) {
  const size_t parts = division.parts(), self = ranks.rank();
  Travelled mine;
  try {
    if (self < parts)
      mine = travel(nullptr);
  } catch (const Error &) {
    // With turns that never are, what never is may happen.
    if (self == 0 || !division.legs)
      throw;
  }
  const auto bytesOf = [](uint64_t part, const Turns &a, const Turns &b) {
    std::string bytes;
    writeTo(bytes, [&](Writer &writer) {
      writer.plain(part);
      writer.block(a);
      writer.block(b);
    });
    return bytes;
  };
  const auto read = [](const std::string &bytes, uint64_t &part, Turns &a,
                       Turns &b) {
    readFrom(bytes, [&](Reader &reader) {
      reader.plain(part);
      reader.block(a);
      reader.block(b);
    });
  };
  uint64_t part = 0;
  Turns turns, none;
  std::string word;
  if (self != 0) {
    ranks.send(bytesOf(self, mine.begun, mine.ended));
    for (;;) {
      ranks.broadcast(word);
      read(word, part, turns, none);
      if (part == 0)
        break;
      if (part != self)
        continue;
      mine = travel(&turns);
      ranks.send(bytesOf(self, mine.begun, mine.ended));
    }
    if (self < parts)
      ranks.send(toBytes(mine.times));
    return {};
  }
  std::vector<Travelled> others(ranks.size());
  const auto hear = [&](unsigned from) {
    read(ranks.receive(from), part, others[from].begun, others[from].ended);
  };
  for (unsigned r = 1; r < ranks.size(); ++r)
    hear(r);
  turns = mine.ended;
  for (unsigned r = 1; division.legs && r < parts; ++r) {
    if (others[r].begun != turns) {
      word = bytesOf(r, turns, {});
      ranks.broadcast(word);
      hear(r);
    }
    turns = others[r].ended;
  }
  word = bytesOf(0, {}, {});
  ranks.broadcast(word);
  for (unsigned r = 1; r < parts; ++r)
    merge(mine.times, fromBytes(ranks.receive(r)));
  return std::move(mine.times);
}

} // namespace

RunResult runCycleTogether(const image::Program &program, const Target &target,
                           const std::map<std::string, Samples> &values,
                           const RunOptions &options) {
  Ranks &ranks = *options.ranks;
  if (EventOrder::of(program, target))
    throw Error("program: its events come one by one, which one process does; "
                "run it without others");
  const Machine layout(program, Machine::Lists::Left);
  checkFits(layout, target);
  const TimingSet &timing = target.timing(options.timing);
  const Inputs inputs(layout, values);
  Recorder recorder(layout, options.traces, inputs.samples(), inputs.ticks(),
                    options.spikes);
  const auto limited = LimitedTraffic::of(program, target);
  const CoreShare own = options.rankCores[ranks.rank()];
  if (options.ready)
    options.ready();

  const Machine machine(servedProgram(ranks, program, options.rankCores),
                        Machine::Lists::Timed);
  const CoreTimings timings(machine, timing);
  Division division(machine, target, timing, options, inputs);
  WorkRecord part(machine.cores().size());
  Earlier earlier;
  RunResult result;
  {
    const Rows rows(program, machine, own, nullptr);
    RankTraffic traffic(ranks, rows, machine.sources());
    std::optional<EmissionCosts> costs;
    if (inputs.samples() > 1)
      traffic.onFirst([&] { costs.emplace(machine, target, traffic); });
    WorkRecord record(machine.cores().size());
    LiveWork work(machine, target, timings, inputs, recorder, &rows,
                  costs ? &*costs : nullptr, &record, limited.get());
    work.state.compiled =
        compileGroups(machine, options, inputs.ticks(), inputs.samples(), 1);
    Exchange exchange(ranks, machine, rows,
                      /*all=*/limited && ranks.first());
    RankedWork(ranks, machine, inputs, own, work, exchange, record, division)
        .run(options.progress);
    gather(ranks, recorder, inputs.samples());
    exchangeParts(ranks, options.rankCores, division, record, part, earlier);
    traffic.onFirst([&] {
      result = collect({program.statistics(), target, machine, inputs, traffic,
                        work.events, work.limits, recorder});
    });
  }
  const std::string bytes =
      ranks.rank() < division.parts()
          ? part.bytes(division.behindSamples(ranks.rank(), inputs.samples()),
                       inputs.ticks())
          : "";
  loadKernel();
  RunResult times = travelTogether(ranks, division, [&](const Turns *turns) {
    const size_t self = ranks.rank();
    Travelled travelled;
    inWorkers(
        1,
        [&](size_t, const Progress &progress, const ByteSink &sink) {
          RunOptions inside = options;
          inside.progress = progress;
          Travelled mine;
          std::optional<RankLeg> leg;
          if (division.legs)
            leg.emplace(*division.legs, self, turns, mine);
          mine.times =
              replay(machine, target, timing, inside, bytes, earlier,
                     division.firstSample(self), leg ? &*leg : nullptr);
          Writer writer(sink);
          writer.block(mine.begun);
          writer.block(mine.ended);
          send(mine.times, sink);
        },
        [&](size_t, const ByteSource &source) {
          Reader reader(source, kMaxResult);
          reader.block(travelled.begun);
          reader.block(travelled.ended);
          travelled.times = receive(source);
        },
        options.progress);
    return travelled;
  });
  if (ranks.first())
    putTimes(result, std::move(times));
  return result;
}

} // namespace dendrolith::sim
