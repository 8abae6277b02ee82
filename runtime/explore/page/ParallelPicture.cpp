// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/page/ParallelPicture.h"

#include "runtime/explore/page/Scale.h"
#include "simulator/report/html/Markup.h"
#include "simulator/report/html/Page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <unordered_set>

namespace dendrolith::explore {
namespace {

namespace html = report::html;

constexpr double kAxesTop = 34, kAxesHeight = 260, kAxesLeft = 70,
                 kAxesWidth = 820;
constexpr size_t kMostLines = 1500;

bool isNumber(const std::string &text, double &value) {
  char *end = nullptr;
  value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == 0;
}

} // namespace

std::vector<std::string> settingsOf(const StudyView &view,
                                    const std::string &column) {
  std::vector<std::string> all;
  std::unordered_set<std::string> known;
  for (const StoredPoint &stored : view.points)
    if (const auto added = known.insert(settingOf(stored.point.design, column));
        added.second)
      all.push_back(*added.first);
  double ignored = 0;
  if (std::all_of(all.begin(), all.end(), [&](const std::string &setting) {
        return isNumber(setting, ignored);
      }))
    std::stable_sort(all.begin(), all.end(),
                     [](const std::string &a, const std::string &b) {
                       return std::strtod(a.c_str(), nullptr) <
                              std::strtod(b.c_str(), nullptr);
                     });
  return all;
}

std::string parallelPicture(const StudyView &view) {
  const size_t axes = view.columns.size() + view.goals.size();
  if (axes < 2)
    return "";
  auto left = [&](size_t axis) {
    return kAxesLeft + kAxesWidth * double(axis) / double(axes - 1);
  };
  auto top = [](double share) { return kAxesTop + kAxesHeight * (1 - share); };
  std::vector<size_t> order;
  for (size_t p = 0; p < view.points.size(); ++p)
    if (view.statuses[p])
      order.push_back(p);
  if (order.empty())
    return "";
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return *view.statuses[a] > *view.statuses[b];
  });
  if (order.size() > kMostLines)
    order.erase(order.begin(), order.end() - kMostLines);
  std::vector<std::vector<double>> shares(order.size());
  std::string out;
  auto axisText = [&](size_t axis, const std::string &name) {
    // Every other name stands higher, so that neighbours do not touch.
    out += fmt::format("<path class=\"axis\" d=\"M{0:.1f} {1}v{2}\"/><text "
                       "x=\"{0:.1f}\" y=\"{3}\" class=\"middle\">{4}</text>\n",
                       left(axis), kAxesTop, kAxesHeight, axis % 2 ? 26 : 12,
                       html::withUnits(name));
  };
  auto tickAt = [&](size_t axis, double share, const std::string &text) {
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"end small\">{}"
                       "</text>\n",
                       left(axis) - 5, top(share) + 3, html::escape(text));
  };
  size_t axis = 0;
  for (const std::string &column : view.columns) {
    const std::vector<std::string> all = settingsOf(view, column);
    auto place = [&](size_t index) {
      return all.size() > 1 ? double(index) / double(all.size() - 1) : 0.5;
    };
    axisText(axis, column);
    const size_t every = (all.size() + 11) / 12;
    for (size_t i = 0; i < all.size(); i += every)
      tickAt(axis, place(i), all[i]);
    std::unordered_map<std::string, size_t> indexOf;
    for (size_t i = 0; i < all.size(); ++i)
      indexOf[all[i]] = i;
    for (size_t i = 0; i < order.size(); ++i)
      shares[i].push_back(place(
          indexOf.at(settingOf(view.points[order[i]].point.design, column))));
    ++axis;
  }
  for (const Goal &goal : view.goals) {
    std::vector<Band> bands;
    for (size_t p : order)
      bands.push_back(*valueOf(view.points[p].point, goal.name));
    const Scale scale(bands);
    axisText(axis, headerOf(goal.name));
    for (double tick : scale.ticks())
      tickAt(axis, scale.at(tick), html::tickText(tick));
    for (size_t i = 0; i < order.size(); ++i)
      shares[i].push_back(scale.middle(bands[i]));
    ++axis;
  }
  for (size_t i = 0; i < order.size(); ++i) {
    std::string path;
    for (size_t a = 0; a < axes; ++a)
      path += fmt::format("{}{:.1f} {:.1f}", a ? "L" : "M", left(a),
                          top(shares[i][a]));
    out += fmt::format("<path class=\"line {}\" d=\"{}\"><title>{}</title>"
                       "</path>\n",
                       styleOf(*view.statuses[order[i]]), path,
                       html::escape(labelOf(view, order[i])));
  }
  return html::picture(kAxesTop + kAxesHeight + 20,
                       "Settings and objectives of all points", out);
}

} // namespace dendrolith::explore
