// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/ScoreText.h"

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

} // namespace dendrolith::report
