// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/TimelineFile.h"

#include <fmt/format.h>

#include <iterator>
#include <set>

namespace dendrolith::report {
namespace {

using Event = sim::TimelineEvent;

/// Exactly, without a floating-point number between: ps as us.
std::string microseconds(uint64_t ps) {
  return fmt::format("{}.{:06}", ps / 1000000, ps % 1000000);
}

/// Tracks in the order in which viewers show them.
uint64_t trackOf(const Event &event) {
  switch (event.kind) {
  case Event::Barrier:
    return 1;
  case Event::Mesh:
    return 2;
  case Event::Update:
  case Event::Stalled:
    return 3 + 2 * uint64_t(event.core);
  case Event::Receive:
    break;
  }
  return 4 + 2 * uint64_t(event.core);
}

std::string nameOfTrack(uint64_t track) {
  if (track < 3)
    return track == 1 ? "barrier" : "mesh";
  return fmt::format("core {} {}", (track - 3) / 2,
                     (track - 3) % 2 ? "receive" : "update");
}

} // namespace

std::string timelineText(const sim::Timeline &timeline) {
  static const char *const names[] = {"update", "stalled", "receive",
                                      "mesh",   "barrier", "barrier"};
  std::string text = fmt::format(
      "{{\"displayTimeUnit\": \"ns\", \"otherData\": {{\"steps\": {}, "
      "\"until_us\": {}, \"stopped\": {}}}, \"traceEvents\": [\n",
      timeline.steps, microseconds(timeline.endPs), timeline.stopped);
  std::set<uint64_t> tracks;
  for (const Event &event : timeline.events)
    tracks.insert(trackOf(event));
  text += "{\"ph\": \"M\", \"pid\": 1, \"name\": \"process_name\", \"args\": "
          "{\"name\": \"chip\"}}";
  for (uint64_t track : tracks)
    text +=
        fmt::format(",\n{{\"ph\": \"M\", \"pid\": 1, \"tid\": {}, \"name\": "
                    "\"thread_name\", \"args\": {{\"name\": \"{}\"}}}}",
                    track, nameOfTrack(track));
  auto out = std::back_inserter(text);
  for (const Event &event : timeline.events) {
    fmt::format_to(out,
                   ",\n{{\"ph\": \"X\", \"pid\": 1, \"tid\": {}, \"name\": "
                   "\"{}\", \"ts\": {}, \"dur\": {}",
                   trackOf(event), names[event.kind], microseconds(event.start),
                   microseconds(event.length));
    text += "}";
  }
  if (timeline.stopped)
    fmt::format_to(out,
                   ",\n{{\"ph\": \"i\", \"pid\": 1, \"tid\": 1, \"s\": \"g\", "
                   "\"name\": \"timeline stops here, the run goes on\", "
                   "\"ts\": {}}}",
                   microseconds(timeline.endPs));
  return text + "\n]}\n";
}

std::string timelineSummary(const sim::Timeline &timeline) {
  return fmt::format(
      "{} slices of {} steps, {} us{}", timeline.events.size(), timeline.steps,
      microseconds(timeline.endPs),
      timeline.stopped
          ? fmt::format("; stopped there at the bound of {} slices, the run "
                        "itself is complete",
                        kTimelineEvents)
          : "");
}

} // namespace dendrolith::report
