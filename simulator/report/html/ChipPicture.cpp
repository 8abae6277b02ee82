// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/ChipPicture.h"

#include "simulator/report/html/Markup.h"
#include "simulator/report/text/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dendrolith::report::html {
namespace {

constexpr double kCell = 24, kGap = 30, kMargin = 12, kWidest = 11;
constexpr uint64_t kMostTiles = 4096, kMostCores = 16384;
/// Shades of page.css, lightest first.
constexpr int kShades = 7;

class Picture {
public:
  explicit Picture(const ChipLoad &load) : load(load), mesh(load.mesh) {
    for (const auto &[core, value] : load.cores) {
      widen(core / mesh.coresPerTile);
      mostOfCore = std::max(mostOfCore, value);
    }
    for (const auto &[link, flits] : load.links) {
      widen(link.first);
      widen(link.second);
      if (link.first != link.second)
        mostOfLink = std::max(mostOfLink, flits);
    }
    columns = uint64_t(std::ceil(std::sqrt(double(mesh.coresPerTile))));
    rows = (mesh.coresPerTile + columns - 1) / columns;
  }

  std::string text() {
    const uint64_t across = last.x - first.x + 1, down = last.y - first.y + 1;
    if (across > kMostTiles / down ||
        mesh.coresPerTile > kMostCores / (across * down))
      return fmt::format(
          "<p class=\"note\">No picture: those in use lie in {} "
          "by {} tiles of {} cores, of which at most {} tiles and "
          "{} cores are drawn. The tables below have all.</p>\n",
          grouped(across), grouped(down), grouped(mesh.coresPerTile),
          grouped(kMostTiles), grouped(kMostCores));
    std::string out;
    for (const auto &[link, flits] : load.links)
      out += linkText(link.first, link.second, flits);
    for (uint64_t y = first.y; y <= last.y; ++y)
      for (uint64_t x = first.x; x <= last.x; ++x)
        out += tileText({x, y});
    const double width = 2 * kMargin + double(across) * pitchX() - kGap,
                 height = 2 * kMargin + double(down) * pitchY() - kGap;
    return fmt::format(
               "<svg class=\"chip\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
               "style=\"--natural:{0:.0f}px\" role=\"img\" "
               "aria-label=\"Load of cores and links of the chip\">\n{2}"
               "</svg>\n",
               width, height, out) +
           legend();
  }

private:
  double tileWidth() const { return double(columns) * kCell + 6; }
  double tileHeight() const { return double(rows) * kCell + 6; }
  double pitchX() const { return tileWidth() + kGap; }
  double pitchY() const { return tileHeight() + kGap; }
  double left(TileXY tile) const {
    return kMargin + double(tile.x - first.x) * pitchX();
  }
  double top(TileXY tile) const {
    return kMargin + double(tile.y - first.y) * pitchY();
  }

  void widen(uint64_t tile) {
    const TileXY at = mesh.at(tile);
    if (isEmpty)
      first = last = at;
    isEmpty = false;
    first = {std::min(first.x, at.x), std::min(first.y, at.y)};
    last = {std::max(last.x, at.x), std::max(last.y, at.y)};
  }

  /// One of two lanes between neighbours, each for one direction.
  std::string linkText(uint64_t from, uint64_t to, uint64_t flits) const {
    if (from == to || !mostOfLink || !flits)
      return "";
    const TileXY a = mesh.at(from), b = mesh.at(to);
    const bool alongRow = a.y == b.y, rising = a.x < b.x || a.y < b.y;
    // The right-hand lane, as seen by who travels.
    const double lane = rising == alongRow ? 7 : -7;
    const TileXY near = rising ? a : b;
    const double x = alongRow ? left(near) + tileWidth()
                              : left(near) + tileWidth() / 2 + lane;
    const double y = alongRow ? top(near) + tileHeight() / 2 + lane
                              : top(near) + tileHeight();
    const double wide =
        std::max(kWidest * double(flits) / double(mostOfLink), 0.6);
    // An arrow head would hide narrow links; the title says the direction.
    return fmt::format("<path class=\"link\" d=\"M{:.1f} {:.1f}{}{:.1f}\" "
                       "stroke-width=\"{:.2f}\"><title>tile {} to tile {}: {} "
                       "flits</title></path>\n",
                       x, y, alongRow ? 'h' : 'v', kGap, wide, from, to,
                       grouped(flits));
  }

  std::string tileText(TileXY at) const {
    const uint64_t tile = mesh.tileAt(at);
    const double x = left(at), y = top(at);
    std::string out = fmt::format(
        "<rect class=\"tile\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\" rx=\"3\"/><text class=\"tiny\" x=\"{:.1f}\" "
        "y=\"{:.1f}\">{}</text>\n",
        x, y, tileWidth(), tileHeight(), x, y - 3, tile);
    for (uint64_t i = 0; i < mesh.coresPerTile; ++i)
      out += coreText(tile * mesh.coresPerTile + i,
                      x + 3 + double(i % columns) * kCell,
                      y + 3 + double(i / columns) * kCell);
    return out;
  }

  std::string coreText(uint64_t core, double x, double y) const {
    const auto found = load.cores.find(core);
    const double side = kCell - 2;
    std::string out = fmt::format(
        "<rect class=\"core{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" "
        "height=\"{}\"/>",
        found == load.cores.end() ? " idle" : "", x + 1, y + 1, side, side);
    if (found == load.cores.end())
      return out + "\n";
    const double share =
        mostOfCore > 0 ? std::clamp(found->second / mostOfCore, 0.0, 1.0) : 0;
    const int shade = std::min(int(share * kShades), kShades - 1);
    const double high = share * side;
    return fmt::format(
        "<g data-core=\"{}\"><title>core {}: {} {}</title>{}<rect "
        "class=\"fill q{}\" x=\"{:.1f}\" y=\"{:.2f}\" width=\"{}\" "
        "height=\"{:.2f}\"/><text class=\"id\" x=\"{:.1f}\" y=\"{:.1f}\">{}"
        "</text></g>\n",
        core, core, valueText(found->second), load.what, out, shade, x + 1,
        y + 1 + side - high, side, high, x + kCell / 2, y + kCell / 2 + 3.5,
        core);
  }

  static std::string valueText(double value) {
    return value < 1e4 ? fmt::format("{:.4g}", value)
                       : grouped(std::llround(value));
  }

  std::string legend() const {
    std::string out = "<ul class=\"legend ramp\"><li>0";
    for (int q = 0; q < kShades; ++q)
      out += fmt::format("<i class=\"key q{}\"></i>", q);
    out += fmt::format("{} {}</li>", valueText(mostOfCore), load.what);
    if (mostOfLink)
      out += fmt::format("<li><i class=\"key link\"></i>widest link: {} flits "
                         "in the run</li>",
                         grouped(mostOfLink));
    return out + "<li><i class=\"key idle\"></i>not in use</li></ul>\n";
  }

  const ChipLoad &load;
  const Mesh &mesh;
  TileXY first, last;
  bool isEmpty = true;
  double mostOfCore = 0;
  uint64_t mostOfLink = 0, columns = 1, rows = 1;
};

} // namespace

std::string chipPicture(const ChipLoad &load) { return Picture(load).text(); }

} // namespace dendrolith::report::html
