// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/TimelineFile.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;
using Slice = sim::TimelineSlice;

/// Exactly, without a floating-point number between: ps as us.
std::string microseconds(uint64_t ps) {
  return fmt::format("{}.{:06}", ps / 1000000, ps % 1000000);
}

/// Which process and track of a viewer.
struct Track {
  uint64_t process = 0, track = 0;
  bool operator<(const Track &o) const {
    return std::tie(process, track) < std::tie(o.process, o.track);
  }
};
constexpr uint64_t kChip = 1, kHost = 2, kFirstTile = 3;
constexpr Track kStepTrack = {kChip, 1}, kMeshTrack = {kChip, 2},
                kBarrierTrack = {kChip, 3}, kInputTrack = {kHost, 1};

class Writer {
public:
  Writer(const sim::Timeline &timeline, const Json &result) {
    for (const auto &[core, tile] : timeline.tiles)
      tileOf[core] = tile;
    const auto mapping = result.find("mapping");
    if (mapping == result.end() || !mapping->contains("placement"))
      return;
    for (const Json &row : mapping->at("placement")) {
      std::string &layer = layerOf[row.at("core").get<uint64_t>()];
      layer +=
          (layer.empty() ? "" : ", ") + row.at("population").get<std::string>();
    }
  }

  std::string text(const sim::Timeline &timeline) {
    out = fmt::format("{{\"displayTimeUnit\": \"ns\", \"otherData\": "
                      "{{\"shown\": \"{}\", \"steps\": {}, \"asked\": {}}}, "
                      "\"traceEvents\": [",
                      timelineSummary(timeline), timeline.steps.size(),
                      timeline.asked);
    nameTracks(timeline);
    for (const sim::TimelineStep &step : timeline.steps)
      addStep(step);
    return out + "\n]}\n";
  }

private:
  Track trackOf(uint64_t core, Slice::Kind kind) const {
    switch (kind) {
    case Slice::Barrier:
      return kBarrierTrack;
    case Slice::Mesh:
      return kMeshTrack;
    case Slice::Input:
      return kInputTrack;
    case Slice::Stalled:
      if (core == Slice::host)
        return kInputTrack;
      break;
    case Slice::Update:
    case Slice::Receive:
      break;
    }
    return {kFirstTile + tileOf.at(core), 2 * core + (kind == Slice::Receive)};
  }

  /// A row begins with its phase and place.
  void row(char phase, Track at, const std::string &rest) {
    fmt::format_to(std::back_inserter(out),
                   "{}\n{{\"ph\": \"{}\", \"pid\": {}, \"tid\": {}, {}}}",
                   first ? "" : ",", phase, at.process, at.track, rest);
    first = false;
  }

  void name(Track at, const char *what, const std::string &name) {
    row('M', at,
        fmt::format("\"name\": \"{}\", \"args\": {{\"name\": {}}}", what,
                    Json(name).dump()));
  }

  void nameTracks(const sim::Timeline &timeline) {
    name({kChip, 0}, "process_name", "chip");
    name({kHost, 0}, "process_name", "host");
    name(kStepTrack, "thread_name", "steps");
    name(kMeshTrack, "thread_name", "mesh");
    name(kBarrierTrack, "thread_name", "barrier");
    name(kInputTrack, "thread_name", "inputs");
    std::map<Track, std::string> tracks;
    std::set<uint64_t> tiles;
    for (const sim::TimelineStep &step : timeline.steps)
      for (const Slice &slice : step.slices) {
        const Track at = trackOf(slice.core, slice.kind);
        if (at.process < kFirstTile)
          continue;
        tiles.insert(at.process);
        tracks[at] = fmt::format("core {} {}{}", slice.core,
                                 at.track % 2 ? "receive" : "update",
                                 layerIn(slice.core, " ({})"));
      }
    for (uint64_t tile : tiles)
      name({tile, 0}, "process_name",
           fmt::format("tile {}", tile - kFirstTile));
    for (const auto &[track, text] : tracks)
      name(track, "thread_name", text);
  }

  /// What a core holds, in `form`; "" where the result does not say.
  std::string layerIn(uint64_t core, const char *form) const {
    const auto layer = layerOf.find(core);
    return layer == layerOf.end()
               ? ""
               : fmt::format(fmt::runtime(form), layer->second);
  }

  void slice(Track at, const std::string &name, uint64_t start, uint64_t length,
             const std::string &args) {
    row('X', at,
        fmt::format(
            "\"name\": \"{}\", \"ts\": {}, \"dur\": {}, \"args\": {{{}}}", name,
            microseconds(start), microseconds(length), args));
  }

  void counter(Track at, const std::string &name, uint64_t time,
               const std::string &args) {
    row('C', at,
        fmt::format("\"name\": \"{}\", \"ts\": {}, \"args\": {{{}}}", name,
                    microseconds(time), args));
  }

  void addStep(const sim::TimelineStep &step) {
    uint64_t messages = 0, synops = 0;
    for (const Slice &each : step.slices)
      if (each.kind == Slice::Receive) {
        messages += each.messages;
        synops += each.synops;
      }
    const std::string where =
        fmt::format("\"sample\": {}, \"step\": {}", step.sample, step.step);
    slice(kStepTrack, fmt::format("sample {}, step {}", step.sample, step.step),
          step.start, step.end - step.start,
          where +
              fmt::format(", \"spikes\": {}, \"inputs\": {}, \"values to the "
                          "host\": {}, \"messages served\": {}, \"synaptic "
                          "operations\": {}, \"cores at work\": {}, \"cores "
                          "shown\": {}",
                          step.spikes, step.inputs, step.values, messages,
                          synops, step.cores, step.shown));
    for (const Slice &each : step.slices)
      addSlice(each, where);
    addCounters(step);
    for (const sim::TimelineFlow &flow : step.flows)
      addFlow(flow);
  }

  void addSlice(const Slice &each, const std::string &where) {
    static const char *const names[] = {"update",  "inputs", "stalled",
                                        "receive", "mesh",   "barrier"};
    std::string args = where;
    if (each.kind < Slice::Mesh && each.core != Slice::host)
      args += layerIn(each.core, ", \"layer\": \"{}\"");
    if (each.kind == Slice::Update || each.kind == Slice::Input)
      args += fmt::format(", \"messages sent\": {}", each.messages);
    if (each.kind == Slice::Receive)
      args += fmt::format(", \"messages\": {}, \"synaptic operations\": {}",
                          each.messages, each.synops);
    slice(trackOf(each.core, each.kind), names[each.kind], each.start,
          each.length, args);
  }

  /// Counters of a step fall to 0 at its end: the next one may be far away.
  void addCounters(const sim::TimelineStep &step) {
    counter(kStepTrack, "spikes", step.start,
            fmt::format("\"spikes\": {}", step.spikes + step.inputs));
    counter(kStepTrack, "spikes", step.end, "\"spikes\": 0");
    for (const sim::LinkCount &link : step.links) {
      const Track at = {kFirstTile + link.from, 0};
      const std::string name = fmt::format("flits to tile {}", link.to);
      counter(at, name, step.start, fmt::format("\"flits\": {}", link.flits));
      counter(at, name, step.end, "\"flits\": 0");
    }
    for (const sim::TimelineQueue &queue : step.queues)
      counter({kFirstTile + tileOf.at(queue.core), 0},
              fmt::format("queue of core {}", queue.core), queue.time,
              fmt::format("\"messages\": {}", queue.messages));
  }

  /// An arrow joins slices where they begin.
  void addFlow(const sim::TimelineFlow &flow) {
    const std::string what = fmt::format(
        "\"name\": \"messages\", \"cat\": \"messages\", \"id\": {}, \"ts\": ",
        ++flows);
    const std::string args =
        fmt::format(", \"args\": {{\"messages\": {}}}", flow.messages);
    row('s',
        trackOf(flow.from,
                flow.from == Slice::host ? Slice::Input : Slice::Update),
        what + microseconds(flow.sent) + args);
    row('f', trackOf(flow.to, Slice::Receive),
        what + microseconds(flow.served) + ", \"bp\": \"e\"" + args);
  }

  std::map<uint64_t, uint64_t> tileOf;
  std::map<uint64_t, std::string> layerOf;
  std::string out;
  bool first = true;
  uint64_t flows = 0;
};

} // namespace

std::string timelineText(const sim::Timeline &timeline, const Json &result) {
  return Writer(timeline, result).text(timeline);
}

std::string timelineSummary(const sim::Timeline &timeline) {
  const uint64_t shown = timeline.steps.size();
  if (shown == timeline.asked)
    return fmt::format("all {} steps", shown);
  return fmt::format("the {} longest of {} steps; others with "
                     "FILE,samples=A:B,steps=A:B",
                     shown, timeline.asked);
}

} // namespace dendrolith::report
