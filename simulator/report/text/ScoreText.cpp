// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/ScoreText.h"

#include "simulator/report/text/TextTable.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

/// Prints the score beside that of the engine that the run was compared with.
static std::string scoreText(const Json &result, double samples) {
  const Json &score = result.at("score");
  if (score.is_null())
    return "";
  const bool share = score.at("metric") == "accuracy";
  auto number = [&](double value, const char *sign = "") {
    return share ? fmt::format(fmt::runtime(fmt::format("{{:{}.2f}}", sign)),
                               100 * value)
                 : fmt::format(fmt::runtime(fmt::format("{{:{}.4f}}", sign)),
                               value);
  };
  double own = score.at("value").get<double>();
  std::string interval;
  if (!score.at("low").is_null())
    interval = fmt::format(" (95 %: {} to {})", number(score.at("low")),
                           number(score.at("high")));
  const Json &target = result.at("target");
  const double answers = score.at("answers").get<double>();
  const std::string of =
      answers == samples
          ? fmt::format("{} samples", samples)
          : fmt::format("{} answers in {} samples", answers, samples);
  std::string out = fmt::format(
      "{} {}{} ({} engine)",
      share ? fmt::format("Accuracy: {} %{} of", number(own), interval)
            : fmt::format("R2: {}{} over", number(own), interval),
      of,
      target.is_null() ? ""
                       : " on '" + target.at("name").get<std::string>() + "'",
      result.at("engine").get<std::string>());
  const Json &other = result.at("compare");
  if (other.is_null() || other.at("score").is_null())
    return out;
  double theirs = other.at("score").at("value").get<double>();
  return out + fmt::format("; {}{} on the {} network; difference {}{}",
                           number(theirs), share ? " %" : "",
                           other.at("engine").get<std::string>(),
                           number(own - theirs, "+"), share ? " points" : "");
}

/// Prints the correlation in all and along the sequence, whose fall would be a
/// drift.
std::string correlationText(const Json &other) {
  const Json correlation = other.value("correlation", Json());
  if (correlation.is_null())
    return "";
  auto text = [](const Json &value) {
    return value.is_null() ? std::string("-")
                           : fmt::format("{:.4f}", value.get<double>());
  };
  std::string out =
      "\nCorrelation with the " + other.at("engine").get<std::string>() +
      " engine: " + text(correlation.at("all")) + "; by tenths of the sequence";
  for (const Json &stretch : correlation.at("stretches"))
    out += " " + text(stretch);
  return out;
}

std::string formatScore(const Json &result) {
  double samples = double(result.at("samples").get<uint64_t>());
  std::string out = scoreText(result, samples);
  const Json &other = result.at("compare");
  if (!other.is_null() && !other.at("spikes_equal").is_null())
    out += fmt::format("Spikes {} those of the {} engine",
                       other.at("spikes_equal").get<bool>() ? "equal"
                                                            : "differ from",
                       other.at("engine").get<std::string>());
  else if (!other.is_null()) {
    std::string engine = other.at("engine");
    out += out.empty() ? "" : "\n";
    if (!other.at("answer_rms").is_null())
      out += fmt::format("Answers beside the {} engine's: root mean squared "
                         "difference {:.3g}",
                         engine, other.at("answer_rms").get<double>());
    else
      out += fmt::format("Same class as the {} engine: {} of {}", engine,
                         other.at("same_class").get<uint64_t>(),
                         other.at("answers").get<uint64_t>());
    // Rounded numbers hardly ever equal real ones, which says nothing of their
    // distance.
    if (engine != "float")
      out += fmt::format("; different output values: {} of {}",
                         other.at("different_values").get<uint64_t>(),
                         other.at("output_values").get<uint64_t>());
    if (!other.at("rate_cosine").is_null())
      out += fmt::format("; rate cosine {:.4f}",
                         other.at("rate_cosine").get<double>());
    out += correlationText(other);
  }
  if (!out.empty() && !result.at("metric").is_null() &&
      result.at("metric").at("from") != "default")
    out += fmt::format("\nRead-out: {} (from the {})",
                       result.at("metric").at("decode").get<std::string>(),
                       result.at("metric").at("from").get<std::string>());
  if (!out.empty())
    out += "\n\n";
  return out;
}

namespace {

using Json = nlohmann::ordered_json;

std::string percent(const Json &share) {
  return share.is_null() ? ""
                         : fmt::format("{:.2f} %", 100 * share.get<double>());
}

std::string first(const Json &place) {
  if (place.is_null())
    return "";
  return fmt::format(
      "sample {}, step {}, neuron {}: {:.6g}, not {:.6g}",
      place.at("sample").get<uint64_t>(), place.at("step").get<uint64_t>(),
      place.at("neuron").get<uint64_t>(), place.at("value").get<double>(),
      place.at("other").get<double>());
}

void addOutput(TextTable &table, const std::string &name, const Json &output) {
  std::string equal;
  const double values = output.at("values");
  if (!output.at("different").is_null() && values > 0)
    equal = percent(1 - output.at("different").get<double>() / values);
  else if (!output.at("rms").is_null())
    equal = fmt::format("rms {:.3g}", output.at("rms").get<double>());
  table.add({name, equal.empty() ? "no counterpart" : equal,
             percent(output.at("rate")), percent(output.at("other_rate")),
             first(output.at("first_difference"))});
}

} // namespace

std::string formatLayerAgreement(const Json &result) {
  const Json &compare = result.at("compare");
  if (compare.is_null() || compare.at("layers").is_null())
    return "";
  const std::string engine = compare.at("engine");
  TextTable outputs(
      {"layer", "equal", "rate", engine + " rate", "first difference"}),
      states({"state", "rms difference", "rms of " + engine, "units per 1"});
  size_t compared = 0, others = 0;
  for (const Json &layer : compare.at("layers")) {
    const std::string name = printable(layer.at("population"));
    for (const Json &output : layer.at("outputs"))
      addOutput(outputs,
                layer.at("outputs").size() == 1
                    ? name
                    : name + "." + printable(output.at("name")),
                output);
    for (const Json &state : layer.at("states")) {
      if (state.at("rms").is_null()) {
        ++others;
        continue;
      }
      ++compared;
      states.add(
          {name + ":" + printable(state.at("name")),
           fmt::format("{:.3g}", state.at("rms").get<double>()),
           fmt::format("{:.3g}", state.at("other_rms").get<double>()),
           fmt::format("{:.6g}", state.at("units_per_real").get<double>())});
    }
  }
  return "Agreement with the " + engine + " engine by layer\n" +
         outputs.text() + (compared ? states.text() : "") +
         (others ? fmt::format("  {} state(s) have no counterpart of their "
                               "name and units\n",
                               others)
                 : "") +
         "\n";
}

std::string formatConfusion(const Json &result) {
  constexpr uint64_t kShown = 20; // columns that fit a wide terminal
  const Json &confusion = result.at("confusion");
  if (confusion.is_null())
    return "";
  const uint64_t classes = confusion.at("classes");
  if (classes > kShown)
    return fmt::format(
        "Confusion of {} classes: `confusion` of result.json\n\n", classes);
  std::vector<std::string> head = {"label"};
  for (uint64_t i = 0; i < classes; ++i)
    head.push_back(std::to_string(i));
  TextTable table(head);
  uint64_t label = 0;
  for (const Json &counts : confusion.at("counts")) {
    std::vector<std::string> row = {std::to_string(label++)};
    for (uint64_t i = 0; i < classes; ++i) // as many as there are columns
      row.push_back(grouped(counts.at(i).get<uint64_t>()));
    table.add(std::move(row));
  }
  return "Confusion: rows are labels, columns what was answered\n" +
         table.text() + "\n";
}

} // namespace dendrolith::report
