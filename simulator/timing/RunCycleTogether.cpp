// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cycle-level run by several processes. Values never depend on times, so each
// process computes those of its cores, in step with the others, and writes down
// what they send (WorkRecord.h). The first process then has the record that it
// would have written alone, and lets its messages travel on the mesh of the
// whole board. So times are those of one process by construction, to the last
// picosecond. No two processes hold parts of one mesh.

#include "simulator/timing/RunCycle.h"

#include "simulator/functional/machine/OnTarget.h"
#include "simulator/ranks/Bytes.h"
#include "simulator/ranks/Exchange.h"
#include "simulator/ranks/Gather.h"
#include "simulator/ranks/RankTraffic.h"
#include "simulator/record/Collect.h"
#include "simulator/timing/CycleEngine.h"
#include "simulator/timing/Replay.h"
#include "simulator/timing/work/LiveWork.h"
#include "simulator/timing/workers/Worker.h"

namespace dendrolith::sim {
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
    putTimes(result,
             replayInWorker(machine, target, timing, options,
                            record.bytes(inputs.samples(), inputs.ticks())));
  return result;
}

} // namespace dendrolith::sim
