// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/ScoreText.h"

#include <fmt/format.h>

namespace neurite::report {

using Json = nlohmann::ordered_json;

/// Prints the score beside that of the engine that the run was compared with.
static std::string scoreText(const Json &result, double samples) {
  bool share = result.contains("accuracy");
  const char *key = share ? "accuracy" : "r2";
  if (!result.contains(key))
    return "";
  auto number = [&](double value, const char *sign = "") {
    return share ? fmt::format(fmt::runtime(fmt::format("{{:{}.2f}}", sign)),
                               100 * value)
                 : fmt::format(fmt::runtime(fmt::format("{{:{}.4f}}", sign)),
                               value);
  };
  double own = result.at(key).get<double>();
  std::string out =
      fmt::format("{} {} samples on '{}' ({} engine)",
                  share ? "Accuracy: " + number(own) + " % of"
                        : "R2: " + number(own) + " over",
                  samples, result.at("target").at("name").get<std::string>(),
                  result.at("engine").get<std::string>());
  if (!result.contains("compare") || !result.at("compare").contains(key))
    return out;
  const Json &other = result.at("compare");
  double theirs = other.at(key).get<double>();
  return out + fmt::format("; {}{} on the {} network; difference {}{}",
                           number(theirs), share ? " %" : "",
                           other.at("engine").get<std::string>(),
                           number(own - theirs, "+"), share ? " points" : "");
}

std::string formatScore(const Json &result) {
  double samples = double(result.at("samples").get<uint64_t>());
  std::string out = scoreText(result, samples);
  if (result.contains("compare")) {
    const Json &other = result.at("compare");
    std::string engine = other.at("engine");
    out += out.empty() ? "" : "\n";
    if (other.contains("answer_rms"))
      out += fmt::format("Answers beside the {} engine's: root mean squared "
                         "difference {:.3g}",
                         engine, other.at("answer_rms").get<double>());
    else
      out += fmt::format("Same class as the {} engine: {} of {}", engine,
                         other.at("same_class").get<uint64_t>(),
                         other.at("samples").get<uint64_t>());
    out += fmt::format("; different output values: {} of {}",
                       other.at("different_values").get<uint64_t>(),
                       other.at("output_values").get<uint64_t>());
    if (other.contains("rate_cosine"))
      out += fmt::format("; rate cosine {:.4f}",
                         other.at("rate_cosine").get<double>());
  }
  if (!out.empty() && result.contains("metric") &&
      result.at("metric").at("from") != "default")
    out += fmt::format("\nRead-out: {} (from the {})",
                       result.at("metric").at("decode").get<std::string>(),
                       result.at("metric").at("from").get<std::string>());
  if (!out.empty())
    out += "\n\n";
  return out;
}

} // namespace neurite::report
