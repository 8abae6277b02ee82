// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/record/Traces.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith::sim {
namespace {

bool has(const std::vector<std::string> &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void list(std::string &text, const std::string &name) {
  // The output of a fixed-function neuron has no name.
  if (!name.empty())
    text += (text.empty() ? "'" : ", '") + name + "'";
}

} // namespace

std::string textOf(const TraceRequest &request) {
  return request.population + (request.state.empty() ? "" : ":") +
         request.state;
}

TraceSource resolveTrace(const TraceRequest &request,
                         const std::vector<Traceable> &populations) {
  auto found = std::find_if(
      populations.begin(), populations.end(),
      [&](const Traceable &p) { return p.population == request.population; });
  std::string known;
  if (found == populations.end()) {
    for (const Traceable &each : populations)
      list(known, each.population);
    const bool isEscaped =
        known.find_first_of(":\\") != known.npos ||
        std::any_of(populations.begin(), populations.end(),
                    [](const Traceable &each) {
                      return each.population.find(',') != std::string::npos;
                    });
    throw Error(fmt::format(
        "trace '{}': expected one of {}{}", request.population, known,
        isEscaped ? R"(; in a name write \, for a comma and \: for a colon)"
                  : ""));
  }
  TraceSource source;
  source.population = size_t(found - populations.begin());
  const std::string &wanted = request.state;
  if (wanted.empty()) {
    if (found->outputs.size() == 1) {
      source.name = found->outputs.front();
      return source;
    }
    // On a chip a read-out emits nothing, and is read by its potential.
    if (found->outputs.empty() && has(found->states, "v")) {
      source.emitted = false;
      source.name = "v";
      return source;
    }
  } else {
    const std::string other = wanted == "u"   ? "i"
                              : wanted == "i" ? "u"
                                              : wanted;
    for (const std::string &state : {wanted, other})
      if (has(found->states, state)) {
        source.emitted = false;
        source.name = state;
        return source;
      }
    if (has(found->outputs, wanted)) {
      source.name = wanted;
      return source;
    }
    // Without a name in an image, "s" in the network that it was made of.
    if (wanted == "s" && has(found->outputs, ""))
      return source;
  }
  // A neuron on several cores has its states in parts NAME.0, NAME.1, ...
  std::string parts;
  for (const Traceable &each : populations)
    if (each.population.rfind(request.population + ".", 0) == 0 &&
        has(each.states, wanted))
      list(parts, each.population + ":" + wanted);
  if (!parts.empty())
    throw Error(fmt::format("trace '{}': the neuron is divided between cores; "
                            "expected its parts {}",
                            textOf(request), parts));
  for (const std::string &state : found->states)
    list(known, state);
  for (const std::string &output : found->outputs)
    list(known, output);
  throw Error(fmt::format(
      "trace '{}': expected a state or an output of it, {}, or nothing for "
      "the emitted values of its only output",
      textOf(request), known));
}

} // namespace dendrolith::sim
