// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cycle-level run by several processes. Values never depend on times, so each
// process computes those of its cores, in step with the others, and writes down
// what they send (WorkRecord.h). The first process then has the record that it
// would have written alone, and lets its messages travel on the mesh of the
// whole board. So times are those of one process by construction, to the last
// picosecond. No two processes hold parts of one mesh.

#include "simulator/timing/RunCycle.h"

#include "runtime/host/Ranks.h"
#include "runtime/host/Wire.h"
#include "runtime/host/Workers.h"
#include "simulator/functional/machine/OnTarget.h"
#include "simulator/functional/rows/EventOrder.h"
#include "simulator/ranks/Bytes.h"
#include "simulator/ranks/Exchange.h"
#include "simulator/ranks/RankTraffic.h"
#include "simulator/record/Collect.h"
#include "simulator/timing/CycleEngine.h"
#include "simulator/timing/Replay.h"
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

/// The number of bytes stands before them.
static void send(const std::string &bytes, const ByteSink &sink) {
  const uint64_t size = bytes.size();
  sink({reinterpret_cast<const char *>(&size), sizeof size});
  sink(bytes);
}

static void take(const ByteSource &source, char *to, uint64_t size) {
  while (size > 0) {
    const size_t got = source(to, size);
    if (got == 0)
      throw Error("cycle engine: the worker process sent an incomplete record");
    to += got;
    size -= got;
  }
}

/// One for each processor, or as many as were asked for, but no more than there
/// are samples. A record, a timeline, the order that a test shuffles and states
/// that outlive a sample go on from one sample to the next.
static uint64_t workersOf(const CycleRun &run, bool records) {
  if (records || run.options.timeline.rows || run.options.shuffle ||
      run.machine.carriesState())
    return 1;
  return workersFor(run.options.threads, run.inputs.samples());
}

/// How many workers a single sample is worth (Relay): those of a large network
/// that were not asked for by number. It needs steps between which the mesh
/// keeps nothing but turns, and nothing that is written down as time passes.
static uint64_t legsOf(const CycleRun &run,
                       const std::map<std::string, Samples> &values,
                       bool records) {
  const RunOptions &options = run.options;
  const NocTiming &noc = run.timing.noc;
  const auto inFile = [](const auto &data) { return data.file != nullptr; };
  if (run.inputs.samples() != 1 || run.inputs.order() || records ||
      options.verify || options.timeline.rows || options.shuffle ||
      run.timing.serial || noc.grid || noc.turn ||
      std::any_of(run.recorder.outputs.begin(), run.recorder.outputs.end(),
                  inFile) ||
      std::any_of(run.recorder.traces.begin(), run.recorder.traces.end(),
                  inFile))
    return 1;
  uint64_t settles = 0;
  for (const PortTiming &port :
       {noc.north, noc.south, noc.east, noc.west, noc.local, noc.crossing})
    settles = std::max({settles, port.credit, port.interval, port.inject});
  const Extent extent = extentOf(run.machine, run.target);
  if (run.timing.barrierTime(extent.fullest, extent.chips.size()) < settles)
    return 1;
  constexpr uint64_t kSteps = 32; // for which a worker is worth its start
  const uint64_t steps = run.machine.stepsOf(run.inputs.ticks());
  return options.threads > 1
             ? workersFor(options.threads, steps)
             : std::min<uint64_t>(
                   sharesWorth(run.program, values, options.threads),
                   std::max<uint64_t>(steps / kSteps, 1));
}

/// The workers' legs one after the other, from the first on: one whose turns
/// were others than those that came to it is left out.
static void join(const Relay &relay, const std::vector<uint64_t> &ends,
                 std::vector<Part> &parts) {
  uint64_t end = ends.front();
  for (uint64_t w = 1; w < relay.workers(); ++w)
    if (relay.first(w) == end) {
      merge(parts.front(), std::move(parts[w]));
      end = ends[w];
    }
}

/// Says how far it came before what it found. Only who came to the last step
/// has counted and recorded all.
static void runLeg(CycleRun &run, Relay &relay, uint64_t worker,
                   const RunOptions &options, const ByteSink &sink) {
  relay.start(worker);
  std::optional<Part> part;
  uint64_t end = relay.first(worker); // if it does not count
  try {
    part.emplace(simulate(run, {}, options, nullptr, &relay));
    if (relay.taken())
      end = relay.end();
  } catch (...) {
    if (!relay.giveUp())
      throw;
  }
  sink({reinterpret_cast<const char *>(&end), sizeof end});
  if (end == run.machine.stepsOf(run.inputs.ticks()))
    send(*part, run.recorder, {}, run.inputs.samples(), sink);
  else
    send(part ? part->times : RunResult(), sink);
}

static RunResult runInWorkers(const image::Program &program,
                              const Target &target,
                              const std::map<std::string, Samples> &values,
                              const RunOptions &options, std::string *record) {
  CycleRun run(program, target, values, options);
  const uint64_t samples = run.inputs.samples();
  const uint64_t steps = run.inputs.mostSteps();
  const uint64_t allSteps = run.inputs.allSteps();
  std::optional<Relay> relay;
  if (const uint64_t legs = legsOf(run, values, record); legs > 1)
    relay.emplace(steps, legs);
  const uint64_t workers = relay ? relay->workers() : workersOf(run, record);
  const auto shareOf = [&](size_t worker) {
    return relay ? Share() : Share{worker, workers};
  };
  std::vector<uint64_t> ends(workers, steps); // of what each has timed
  // Zeros that a worker would copy take no memory until its values come.
  for (const OutputData &output : run.recorder.outputs)
    letGo(output.values.data(), output.values.size() * sizeof(double));
  for (const TraceData &trace : run.recorder.traces)
    letGo(trace.values.data(), trace.values.size() * sizeof(int64_t));
  std::vector<Part> parts(workers, Part(run.machine, run.limited.get()));
  loadKernel();
  inWorkers(
      workers,
      [&](size_t worker, const Progress &progress, const ByteSink &sink) {
        RunOptions inside = options;
        inside.progress = progress;
        WorkRecord work(run.machine.cores().size());
        if (relay)
          return runLeg(run, *relay, worker, inside, sink);
        Part part =
            simulate(run, shareOf(worker), inside, record ? &work : nullptr);
        if (record)
          send(work.bytes(run.inputs), sink);
        send(part, run.recorder, shareOf(worker), samples, sink);
      },
      [&](size_t worker, const ByteSource &source) {
        if (record) {
          uint64_t size = 0;
          take(source, reinterpret_cast<char *>(&size), sizeof size);
          record->resize(size);
          take(source, record->data(), size);
        }
        if (relay)
          take(source, reinterpret_cast<char *>(&ends[worker]),
               sizeof ends[worker]);
        if (ends[worker] == steps)
          receive(parts[worker], run.recorder, shareOf(worker), samples,
                  source);
        else
          parts[worker].times = receive(source);
      },
      // Workers that have not reported yet have steps to do, too.
      options.progress ? [&](uint64_t done, uint64_t) {
        options.progress(std::min(done, allSteps), allSteps);
      } : Progress());
  Part &all = parts.front();
  if (relay)
    join(*relay, ends, parts);
  else
    for (size_t worker = 1; worker < workers; ++worker)
      merge(all, std::move(parts[worker]));
  RunResult result =
      collect({program.statistics(), target, run.machine, run.inputs,
               run.traffic(), all.events, all.limits, run.recorder});
  putTimes(result, std::move(all.times));
  return result;
}

RunResult runCycle(const image::Program &program, const Target &target,
                   const std::map<std::string, Samples> &values,
                   const RunOptions &options) {
  if (options.ranks && options.ranks->size() > 1)
    return runCycleTogether(program, target, values, options);
  return runInWorkers(program, target, values, options, nullptr);
}

RunResult recordCycle(const image::Program &program, const Target &target,
                      const std::map<std::string, Samples> &values,
                      const RunOptions &options, std::string &record) {
  return runInWorkers(program, target, values, options, &record);
}

namespace {

class RankedWork {
public:
  RankedWork(Ranks &ranks, const Machine &machine, const Inputs &inputs,
             CoreShare own, LiveWork &work, Exchange &exchange)
      : ranks(ranks), machine(machine), inputs(inputs), own(own), work(work),
        exchange(exchange), inputsAt(inputStepsOf(machine)),
        stream(own.first, host(), 0, machine, nullptr, nullptr) {
    work.sent = &sent;
  }

  void run(const Progress &progress) {
    const uint64_t steps = machine.stepsOf(inputs.ticks());
    for (uint64_t sample = 0; sample < inputs.samples(); ++sample) {
      for (uint64_t step = 0; step < steps; ++step) {
        runStep(sample, step);
        if (progress && (step % kReportEvery == 0 || step + 1 == steps))
          progress(sample * steps + step + 1, steps * inputs.samples());
      }
      gather(ranks, machine, work.events);
      work.endSample(sample);
      if (!ranks.first())
        work.events.clear(); // of the end, which the first has noted
    }
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
    }
    exchange.begin(sent);
    stream.clear();
    if (!ranks.first())
      work.hearHost(sample, step);
    else if (inputsAt[step % inputsAt.size()])
      work.inject(sample, step, stream);
    work.hear(exchange.end(), step);
  }

  Ranks &ranks;
  const Machine &machine;
  const Inputs &inputs;
  const CoreShare own;
  LiveWork &work;
  Exchange &exchange;
  const std::vector<bool> inputsAt;
  MessageStream stream; // takes what the record has already
  std::vector<Injection> sent;
};

/// The first rank's record gets what all others have written.
void gather(Ranks &ranks, const std::vector<CoreShare> &shares,
            WorkRecord &record) {
  if (!ranks.first()) {
    const CoreShare own = shares[ranks.rank()];
    sendInPieces(ranks, [&](Writer &writer) {
      record.visit(writer, own.first, own.end);
    });
    return;
  }
  for (unsigned r = 1; r < ranks.size(); ++r)
    receivePieces(ranks, r, [&](Reader &reader) {
      record.visit(reader, shares[r].first, shares[r].end);
    });
}

} // namespace

RunResult runCycleTogether(const image::Program &program, const Target &target,
                           const std::map<std::string, Samples> &values,
                           const RunOptions &options) {
  Ranks &ranks = *options.ranks;
  if (EventOrder::of(program, target))
    throw Error("program: its events come one by one, which one process does; "
                "run it without others");
  const Machine machine(program, Machine::Lists::Timed);
  checkFits(machine, target);
  const TimingSet &timing = target.timing(options.timing);
  const CoreTimings timings(machine, timing);
  const Inputs inputs(machine, values);
  Recorder recorder(machine, options.traces, inputs.samples(), inputs.ticks(),
                    options.spikes);
  const auto limited = LimitedTraffic::of(program, target);
  const CoreShare own = options.rankCores[ranks.rank()];
  const Rows rows(program, machine, own, nullptr);
  if (options.ready)
    options.ready();

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
  RankedWork(ranks, machine, inputs, own, work, exchange).run(options.progress);

  gather(ranks, recorder, inputs.samples());
  gather(ranks, options.rankCores, record);
  RunResult result;
  traffic.onFirst([&] {
    result = collect({program.statistics(), target, machine, inputs, traffic,
                      work.events, work.limits, recorder});
  });
  if (ranks.first())
    putTimes(result, replayInWorker(machine, target, timing, options,
                                    record.bytes(inputs)));
  return result;
}

} // namespace dendrolith::sim
