// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/analysis/Tornado.h"

#include "runtime/explore/analysis/Values.h"
#include "runtime/explore/stages/DesignSetup.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dendrolith::explore {
namespace {

/// Axes that move in step are one.
std::vector<std::vector<std::string>> movingOf(const Study &study) {
  std::vector<std::vector<std::string>> all = study.together;
  for (const Axis &axis : study.axes)
    if (std::none_of(all.begin(), all.end(), [&](const auto &group) {
          return std::find(group.begin(), group.end(), axis.name) !=
                 group.end();
        }))
      all.push_back({axis.name});
  return all;
}

/// Which axes leave the baseline.
std::vector<std::string> changedIn(const Design &design,
                                   const Changes &baseline) {
  std::vector<std::string> changed;
  for (const auto &[axis, value] : baseline)
    if (settingOf(design, axis) != value)
      changed.push_back(axis);
  return changed;
}

TornadoBar barOf(const std::vector<std::string> &axes,
                 const std::vector<StoredPoint> &points,
                 const std::vector<size_t> &among, const Changes &baseline,
                 const std::string &value, const std::optional<Band> &base) {
  TornadoBar bar{fmt::format("{}", fmt::join(axes, " + ")), {}, 0};
  for (size_t at : among) {
    const Point &point = points[at].point;
    const std::vector<std::string> changed = changedIn(point.design, baseline);
    if (changed.empty() ||
        !std::all_of(changed.begin(), changed.end(), [&](const auto &axis) {
          return std::find(axes.begin(), axes.end(), axis) != axes.end();
        }))
      continue;
    TornadoStep step{"", at, valueOf(point, value), std::nullopt};
    for (const std::string &axis : axes)
      step.setting +=
          (step.setting.empty() ? "" : ", ") + settingOf(point.design, axis);
    if (point.state != PointState::Done)
      step.value.reset();
    if (step.value && base)
      step.move = moveOf(*step.value, *base);
    if (step.move)
      bar.reach = std::max(
          {bar.reach, std::abs(step.move->low), std::abs(step.move->high)});
    bar.steps.push_back(step);
  }
  return bar;
}

Tornado tornadoOf(const Study &study, const std::vector<StoredPoint> &points,
                  const std::vector<size_t> &among, const std::string &value) {
  Tornado tornado;
  tornado.value = value;
  const Changes baseline = baselineOf(study);
  for (size_t at : among)
    if (!tornado.baseline &&
        changedIn(points[at].point.design, baseline).empty())
      tornado.baseline = at;
  if (!tornado.baseline) {
    tornado.why = "no point has the study's baseline";
    return tornado;
  }
  const Point &base = points[*tornado.baseline].point;
  if (base.state == PointState::Done)
    tornado.at = valueOf(base, value);
  if (!tornado.at) {
    tornado.why =
        idOf(points[*tornado.baseline]) + ", the baseline, has no " + value +
        (base.state == PointState::Done
             ? std::string()
             : std::string(": ") + nameOf(base.state) + ", " + base.reason);
    return tornado;
  }
  for (const std::vector<std::string> &axes : movingOf(study))
    tornado.bars.push_back(
        barOf(axes, points, among, baseline, value, tornado.at));
  std::sort(tornado.bars.begin(), tornado.bars.end(),
            [](const TornadoBar &a, const TornadoBar &b) {
              return a.reach != b.reach ? a.reach > b.reach : a.axis < b.axis;
            });
  return tornado;
}

} // namespace

std::optional<Move> moveOf(const Band &value, const Band &base) {
  if (!(base.low > 0 && base.high > 0))
    return std::nullopt;
  return Move{value.low / base.low - 1, value.high / base.high - 1};
}

std::string moveText(const Move &move) {
  const std::string low = fmt::format("{:+.1f}", 100 * move.low),
                    high = fmt::format("{:+.1f}", 100 * move.high);
  return low == high ? low + " %" : low + " to " + high + " %";
}

std::vector<Tornado> tornadosOf(const Study &study,
                                const std::vector<StoredPoint> &points,
                                const std::string &value) {
  // What is not compared, in the order in which it is met first.
  std::vector<std::pair<std::string, std::vector<size_t>>> apart;
  for (size_t at = 0; at < points.size(); ++at) {
    const Design &design = points[at].point.design;
    if (design.repeat != points.front().point.design.repeat)
      continue;
    std::string name;
    if (study.models.size() > 1)
      name = design.model;
    if (study.targets.size() > 1)
      name += (name.empty() ? "" : " on ") + design.target;
    auto found =
        std::find_if(apart.begin(), apart.end(),
                     [&](const auto &each) { return each.first == name; });
    if (found == apart.end())
      found = apart.insert(apart.end(), {name, {}});
    found->second.push_back(at);
  }
  std::vector<Tornado> tornados;
  for (const auto &[name, among] : apart) {
    tornados.push_back(tornadoOf(study, points, among, value));
    tornados.back().model = name;
  }
  return tornados;
}

std::string textOf(const std::vector<StoredPoint> &points,
                   const std::vector<Tornado> &tornados) {
  std::string text;
  for (const Tornado &tornado : tornados) {
    text += (text.empty() ? "" : "\n") +
            (tornado.model.empty() ? "" : tornado.model + ": ");
    if (!tornado.at) {
      text += tornado.why + "\n";
      continue;
    }
    const bool isAlone =
        std::all_of(tornado.bars.begin(), tornado.bars.end(),
                    [](const TornadoBar &bar) { return bar.steps.empty(); });
    text += fmt::format(
        "{} around {}, which has {}{}\n", tornado.value,
        idOf(points[*tornado.baseline]), bandText(*tornado.at, tornado.value),
        isAlone ? "; no other point leaves it on one axis alone" : "");
    if (isAlone)
      continue;
    report::TextTable table(
        {"axis", "at", "id", headerOf(tornado.value), "change"});
    for (const TornadoBar &bar : tornado.bars)
      for (const TornadoStep &step : bar.steps)
        table.add({bar.axis, step.setting, idOf(points[step.at]),
                   step.value ? bandText(*step.value)
                              : nameOf(points[step.at].point.state),
                   step.move ? moveText(*step.move) : "-"});
    text += table.text();
  }
  return text;
}

} // namespace dendrolith::explore
