// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/page/TornadoPicture.h"

#include "simulator/report/html/Page.h"
#include "simulator/report/html/Table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace dendrolith::explore {

namespace html = report::html;

/// How far a band moves, by the end that moves further.
static double farEnd(const Move &move) {
  return std::abs(move.low) > std::abs(move.high) ? move.low : move.high;
}

/// How far both ends move; 0 where they go different ways.
static double nearEnd(const Move &move) {
  return move.low * move.high > 0
             ? (std::abs(move.low) > std::abs(move.high) ? move.high : move.low)
             : 0;
}

std::string tornadoPicture(const Tornado &tornado) {
  constexpr double kMiddle = 560, kHalf = 290, kRow = 34, kTop = 26;
  double reach = 0;
  for (const TornadoBar &bar : tornado.bars)
    reach = std::max(reach, bar.reach);
  if (!(reach > 0))
    return "<p class=\"note\">No axis alone moves it.</p>\n";
  const double unit = html::ticksTo(reach).back();
  auto x = [&](double move) { return kMiddle + kHalf * move / unit; };
  const double bottom = kTop + kRow * double(tornado.bars.size());
  std::string out;
  for (int i = -2; i <= 2; ++i)
    out +=
        fmt::format("<path class=\"{}\" d=\"M{:.1f} {}V{:.1f}\"/><text "
                    "x=\"{:.1f}\" y=\"14\" class=\"middle\">{}{:.4g} %</text>"
                    "\n",
                    i ? "grid" : "axis", x(unit * i / 2), kTop - 4, bottom,
                    x(unit * i / 2), i > 0 ? "+" : "", 100 * unit * i / 2);
  double y = kTop;
  for (const TornadoBar &bar : tornado.bars) {
    out += fmt::format("<text x=\"{}\" y=\"{:.1f}\" class=\"end\">{}</text>\n",
                       kMiddle - kHalf - 12, y + kRow / 2 + 4,
                       html::escape(bar.axis));
    constexpr double unnamed = std::numeric_limits<double>::infinity();
    double least = 0, most = 0; // where there is room for a name
    for (const TornadoStep &step : bar.steps)
      if (step.move) {
        least = std::min(least, farEnd(*step.move));
        most = std::max(most, farEnd(*step.move));
      }
    for (const TornadoStep &step : bar.steps) {
      if (!step.move)
        continue;
      const double far = farEnd(*step.move), near = nearEnd(*step.move);
      const double low = std::min(step.move->low, step.move->high),
                   high = std::max(step.move->low, step.move->high);
      // Solid as far as both ends of the band agree.
      out += fmt::format(
          "<g><title>{} = {}: {}</title><rect class=\"one\" x=\"{:.1f}\" "
          "y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\"/><rect "
          "class=\"onesoft\" "
          "x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\"/><path "
          "class=\"axis\" d=\"M{:.1f} {:.1f}v{}\"/><text x=\"{:.1f}\" "
          "y=\"{:.1f}\" class=\"{} small\">{}</text></g>\n",
          html::escape(bar.axis), html::escape(step.setting),
          html::withUnits(moveText(*step.move)), std::min(x(0), x(near)), y + 6,
          std::abs(x(near) - x(0)), kRow - 20, x(low), y + 6,
          std::max(x(high) - x(low), 1.0), kRow - 20, x(far), y + 6, kRow - 20,
          far > 0 ? x(far) + 3 : x(far) - 3, y + kRow / 2,
          far > 0 ? "start" : "end",
          far == least || far == most ? html::escape(step.setting) : "");
      // Steps that move it as far are named once.
      least = far == least ? -unnamed : least;
      most = far == most ? unnamed : most;
    }
    y += kRow;
  }
  return html::picture(
      bottom + 8,
      "How far " + html::escape(tornado.value) + " moves, axis by axis", out);
}

std::string tornadoTable(const StudyView &view, const Tornado &tornado) {
  const std::string title = html::withUnits(headerOf(tornado.value));
  html::Table table("tornado-" + tornado.value,
                    "One axis alone away from the baseline",
                    {{"axis", "axis", false},
                     {"setting", "setting", false},
                     {"point", "id", false},
                     {title + " low", "low"},
                     {title + " high", "high"},
                     {"moves low (%)", "move_low"},
                     {"moves high (%)", "move_high"}});
  auto end = [](bool isKnown, double value, double factor) {
    return isKnown ? html::Cell{html::escape(numberText(factor * value)),
                                html::exact(value)}
                   : html::Cell{"", ""};
  };
  for (const TornadoBar &bar : tornado.bars)
    for (const TornadoStep &step : bar.steps) {
      const Band value = step.value.value_or(Band{});
      const Move move = step.move.value_or(Move{});
      table.add({html::text(bar.axis), html::text(step.setting),
                 html::text(idOf(view.points[step.at])),
                 end(step.value.has_value(), value.low, 1),
                 end(step.value.has_value(), value.high, 1),
                 end(step.move.has_value(), move.low, 100),
                 end(step.move.has_value(), move.high, 100)});
    }
  return table.markup();
}

} // namespace dendrolith::explore
