// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/Evaluation.h"

#include "targets/mesh/Routing.h"
#include "targets/support/Error.h"

#include "compiler/mapping/objective/Replay.h"
#include "compiler/mapping/objective/StepGraph.h"
#include "compiler/mapping/result/RoutingProblem.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace dendrolith {

Goal goalOf(const std::string &name) {
  static const std::pair<const char *, Goal> goals[] = {
      {"balanced", Goal::Balanced},
      {"time", Goal::Time},
      {"energy", Goal::Energy},
      {"edp", Goal::Edp},
      {"cores", Goal::Cores}};
  if (name.empty())
    return Goal::Balanced;
  for (auto [known, goal] : goals)
    if (name == known)
      return goal;
  throw Error(fmt::format("there is no mapping goal '{}', expected 'balanced', "
                          "'time', 'energy', 'edp' or 'cores'",
                          name));
}

double Evaluation::value(Goal goal, bool priced) const {
  switch (goal) {
  case Goal::Cores:
    // Among as many cores, the better EDP.
    return double(cores) +
           (priced ? 1 - 1 / (1 + energyPj() * stepPs) : 1 - 1 / (1 + stepPs));
  case Goal::Time:
    return stepPs;
  case Goal::Energy:
    return priced ? energyPj() : stepPs;
  case Goal::Balanced:
  case Goal::Edp:
    return priced ? energyPj() * stepPs : stepPs;
  }
  return stepPs;
}

namespace {

/// On a chip with multicast: the links of the trees of all nets (by pins), for
/// each link of their routes.
double linksPerRoute(const SliceGraph &nets, const std::vector<uint32_t> &cores,
                     const Target &target) {
  auto hops = [&](uint32_t from, uint32_t to) {
    auto placeOf = [&](uint32_t slice) {
      return target.mesh.at(slice == host ? kHostTile
                                          : target.tileOf(cores[slice]));
    };
    return double(hopsBetween(placeOf(from), placeOf(to)).total());
  };
  double routes = 0;
  for (const Net &net : nets.nets)
    for (const Net::Pin &pin : net.pins)
      routes += net.rate * pin.messages * hops(net.source, pin.slice);
  double toHost = 0; // is no part of a tree
  for (uint32_t s = 0; s < nets.toHost.size(); ++s)
    toHost += nets.toHost[s] * hops(s, host);
  const double trees = RoutingProblem(target, nets, cores).hops();
  return routes > 0 ? (trees - toHost) / routes : 1;
}

class Evaluator {
public:
  Evaluator(const StepGraph &graph, const std::vector<uint32_t> &cores,
            const Target &target, const ChipModel &model,
            const SliceGraph *nets, Loads *loads, SpareThreads *threads,
            size_t most)
      : graph(graph), cores(cores), target(target), model(model), loads(loads),
        threads(threads), most(most), turns(graph, cores, target),
        links(target.mesh, graph.steps) {
    if (target.mesh.multicast && nets) {
      sendShare = graph.sendsPerMessage;
      linkShare = linksPerRoute(*nets, cores, target);
    }
  }

  Evaluation run() {
    turns.add(model, sendShare);
    if (model.timing.serial)
      behind = turns.putInOrder(*model.timing.serial, model.timing);
    addFlows();
    closeSteps();
    addEnergy();
    if (loads)
      listLoads();
    return result;
  }

private:
  void addFlows() {
    const NocTiming &noc = model.timing.noc;
    for (const StepGraph::Flow &flow : graph.flows) {
      const Turn *from = turns.of(flow.from);
      Turn *to = turns.of(flow.to);
      const uint64_t fromTile = turns.tileOf(flow.from),
                     toTile = turns.tileOf(flow.to);
      const Hops hops = hopsBetween(target.mesh, target.mesh.at(fromTile),
                                    target.mesh.at(toTile));
      const double way =
          double(zeroLoad(noc, hops.ew, hops.ns, hops.crossings));
      double total = 0;
      for (uint32_t step = 0; step < graph.steps; ++step) {
        const double m = double(graph.messages[flow.at + step]);
        if (m <= 0)
          continue;
        total += m;
        // Messages leave evenly over the sender's updates, but not faster than
        // its port takes them.
        const double span =
            std::max(from[step].update,
                     sendShare * from[step].sent * double(noc.local.interval));
        const double first = span / (from[step].sent + 1) + way;
        const double last = span * m / (m + 1) + way;
        Turn &turn = to[step];
        turn.received += m;
        turn.first = turn.first < 0 ? first : std::min(turn.first, first);
        turn.last = std::max(turn.last, last);
      }
      result.messages += total;
      result.hopsEw += linkShare * total * double(hops.ew);
      result.hopsNs += linkShare * total * double(hops.ns);
      result.crossings += linkShare * total * double(hops.crossings);
      links.add(fromTile, toTile, graph.messages.data() + flow.at, linkShare);
    }
    for (double *sum :
         {&result.messages, &result.hopsEw, &result.hopsNs, &result.crossings})
      *sum /= graph.steps;
  }

  /// Each step takes until the last core has updated and served what came, if
  /// nobody waits for room. What waiting adds follows from the steps that are
  /// replayed.
  void closeSteps() {
    const std::vector<double> linkTimes = links.times(model.timing.noc);
    result.busiestLink = links.busiest();
    std::set<uint64_t> tiles;
    const std::vector<uint32_t> &ids = turns.coreIds();
    for (uint32_t core : ids)
      tiles.insert(target.tileOf(core));
    result.cores = uint32_t(ids.size());
    const Extent extent = extentOf(target.mesh, tiles);
    result.tiles = uint32_t(extent.tiles);
    result.chips = uint32_t(extent.chips.size());
    closes.resize(ids.size());
    double all = 0;
    std::vector<StepEnd> ends;
    for (uint32_t step = 0; step < graph.steps; ++step) {
      ends.push_back(closeStep(step, linkTimes[step]));
      all += ends.back().served;
    }
    if (!graph.replayed.empty() && !model.timing.serial) {
      double free = 0, real = 0;
      std::vector<StepEnd> replays =
          replayAll(graph.replayed, most, cores, target, model.timing, threads);
      for (size_t i = 0; i < replays.size(); ++i) {
        free += ends[graph.replayed[i].step].served;
        real += replays[i].served;
      }
      if (free > 0)
        all *= real / free;
      result.rough = replays.size() < graph.replayed.size();
      ends = std::move(replays);
    }
    tellParts(ends, all / graph.steps);
    const double work = all / graph.steps;
    result.barrierPs = std::max(
        double(model.timing.barrierTime(extent.fullest, extent.chips.size())),
        double(model.timing.tick) - work);
    result.stepPs = work + result.barrierPs;
  }

  StepEnd closeStep(uint32_t step, double linkTime) const {
    StepEnd end;
    for (uint32_t c = 0; c < turns.ends(); ++c) {
      const Turn &turn = turns.at(c, step);
      end.updated = std::max(end.updated, turn.update);
      end.arrived = std::max(end.arrived, turn.last);
      double done = turn.update;
      if (turn.received > 0 && !model.timing.serial)
        done = std::max({done, turn.first + turn.receive,
                         turn.last + turn.receive / turn.received});
      if (done > end.served)
        end.served = done, end.core = c;
    }
    end.arrived = std::max(end.arrived, linkTime);
    end.served = std::max(end.served, end.arrived);
    if (step < behind.size())
      end.served += behind[step];
    return end;
  }

  /// The parts of a step of `mean` ps, and who closes steps, as in `ends`.
  void tellParts(const std::vector<StepEnd> &ends, double mean) {
    double all = 0;
    for (const StepEnd &end : ends) {
      const double arrived = std::max(end.updated, end.arrived);
      result.updatePs += end.updated;
      result.networkPs += arrived - end.updated;
      result.receivePs += end.served - arrived;
      all += end.served;
      if (end.core < closes.size() && end.served > 0)
        closes[end.core] += 1.0 / double(ends.size());
    }
    for (double *part :
         {&result.updatePs, &result.networkPs, &result.receivePs})
      *part *= all > 0 ? mean / all : 0;
  }

  void addEnergy() {
    const Prices &prices = model.prices;
    result.workPj = graph.workEnergy;
    result.sends = sendShare * result.messages;
    result.messagePj =
        result.messages * prices.message + result.sends * prices.send;
    result.hopPj = result.hopsEw * prices.hopEw + result.hopsNs * prices.hopNs +
                   result.crossings * prices.crossing;
    result.barrierPj = prices.barrier;
    // 1 mW for 1 ps is 1e-3 pJ.
    result.staticPj =
        prices.staticMilliwatts * result.chips * 1e-3 * result.stepPs;
  }

  void listLoads() {
    for (size_t c = 0; c < closes.size(); ++c) {
      CoreLoad load;
      load.core = turns.coreIds()[c];
      for (uint32_t step = 0; step < graph.steps; ++step) {
        const Turn &turn = turns.at(c, step);
        load.updatePs += turn.update / graph.steps;
        load.receivePs += turn.receive / graph.steps;
        load.closesPs +=
            (turn.received > 0 && !model.timing.serial
                 ? std::max({turn.update, turn.first + turn.receive, turn.last})
                 : turn.update) /
            graph.steps;
      }
      load.closing = closes[c];
      loads->cores.push_back(load);
    }
    loads->links = links.list();
  }

  const StepGraph &graph;
  const std::vector<uint32_t> &cores;
  const Target &target;
  const ChipModel &model;
  Loads *loads;
  SpareThreads *threads;
  const size_t most;                   // steps to replay
  double sendShare = 1, linkShare = 1; // of what it were without multicast
  StepTurns turns;
  LinkLoads links;
  std::vector<double> behind; // by step, ps of a sequencer of the chip
  std::vector<double> closes; // by core
  Evaluation result;
};

} // namespace

Evaluation evaluate(const StepGraph &graph, const std::vector<uint32_t> &cores,
                    const Target &target, const ChipModel &model,
                    const SliceGraph *nets, Loads *loads, SpareThreads *threads,
                    size_t most) {
  return Evaluator(graph, cores, target, model, nets, loads, threads, most)
      .run();
}

LinkLoads::LinkLoads(const Mesh &mesh, uint32_t steps)
    : mesh(mesh), steps(steps), slot(mesh.tiles() * 4, kUnused) {}

void LinkLoads::add(uint64_t from, uint64_t to, const float *messages,
                    double share) {
  forEachLink(mesh, from, to, [&](MeshLink link) {
    uint32_t &at = slot[link.from * 4 + uint64_t(link.direction)];
    if (at == kUnused) {
      at = uint32_t(used.size());
      used.push_back(link.from * 4 + uint64_t(link.direction));
      load.resize(load.size() + steps);
    }
    float *of = load.data() + size_t(at) * steps;
    for (uint32_t step = 0; step < steps; ++step)
      of[step] += float(share) * messages[step];
  });
}

std::vector<double> LinkLoads::times(const NocTiming &noc) const {
  std::vector<double> times(steps);
  for (size_t i = 0; i < used.size(); ++i) {
    auto direction = Direction(used[i] % 4);
    const TileXY tile = mesh.at(used[i] / 4);
    const PortTiming &port = leavesChip(mesh, tile, direction) ? noc.crossing
                             : direction == Direction::East    ? noc.east
                             : direction == Direction::West    ? noc.west
                             : direction == Direction::North   ? noc.north
                                                               : noc.south;
    // A slot behind the port is taken again no sooner than its credit is back.
    const double each = std::max(
        double(port.interval), double(port.forward + port.credit) /
                                   double(std::max<uint64_t>(port.buffer, 1)));
    for (uint32_t step = 0; step < steps; ++step)
      times[step] =
          std::max(times[step], double(load[i * steps + step]) * each);
  }
  return times;
}

double LinkLoads::perStep(size_t i) const {
  double sum = 0;
  for (uint32_t step = 0; step < steps; ++step)
    sum += double(load[i * steps + step]);
  return sum / steps;
}

double LinkLoads::busiest() const {
  double most = 0;
  for (size_t i = 0; i < used.size(); ++i)
    most = std::max(most, perStep(i));
  return most;
}

std::vector<LinkLoad> LinkLoads::list() const {
  std::vector<LinkLoad> found;
  std::vector<uint64_t> rising = used;
  std::sort(rising.begin(), rising.end());
  for (uint64_t link : rising) {
    const double messages = perStep(slot[link]);
    if (messages <= 0)
      continue;
    const uint64_t tile = link / 4;
    const auto direction = Direction(link % 4);
    TileXY to = mesh.at(tile);
    to.x += direction == Direction::East;
    to.x -= direction == Direction::West;
    to.y += direction == Direction::South;
    to.y -= direction == Direction::North;
    found.push_back({{tile, mesh.tileAt(to), direction}, messages});
  }
  return found;
}

} // namespace dendrolith
