// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/Bars.h"

#include "simulator/report/html/Markup.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith::report::html {

std::string bars(const std::vector<Bar> &rows, double full) {
  if (!(full > 0))
    for (const Bar &bar : rows)
      full = std::max(full, bar.high);
  auto percent = [&](double value) {
    return full > 0 ? 100 * std::min(value / full, 1.0) : 0;
  };
  std::string out = "<ul class=\"bars\">\n";
  for (const Bar &bar : rows) {
    const double low = percent(bar.low), high = percent(bar.high);
    out += fmt::format("<li{}><span class=\"name\">{}",
                       bar.isBounded ? "" : " class=\"unbounded\"",
                       escape(bar.name));
    if (!bar.note.empty())
      out += " <small>" + bar.note + "</small>";
    out += fmt::format("</span><span class=\"track\"><i class=\"{}\" "
                       "style=\"width:{:.2f}%\"></i>",
                       bar.style, low);
    if (high > low)
      out += fmt::format("<i class=\"{} band\" style=\"width:{:.2f}%\"></i>",
                         bar.style, high - low);
    out +=
        fmt::format("</span><span class=\"value\">{}</span></li>\n", bar.value);
  }
  return out + "</ul>\n";
}

std::string stack(const std::vector<Share> &parts) {
  double all = 0;
  for (const Share &part : parts)
    all += part.value;
  std::string bar, legend;
  for (const Share &part : parts) {
    const double share = all > 0 ? 100 * part.value / all : 0;
    if (share > 0)
      bar += fmt::format("<i class=\"{}\" style=\"width:{:.3f}%\"></i>",
                         part.style, share);
    legend += fmt::format("<li><i class=\"key {}\"></i>{} <b>{:.0f}&nbsp;%</b>"
                          "</li>",
                          part.style, escape(part.name), share);
  }
  return "<div class=\"stack\" aria-hidden=\"true\">" + bar +
         "</div>\n<ul class=\"legend\">" + legend + "</ul>\n";
}

std::string bandLegend() {
  return "<ul class=\"legend\"><li><i class=\"key one\"></i>low end</li><li><i "
         "class=\"key one band\"></i>up to the high end</li></ul>\n";
}

} // namespace dendrolith::report::html
