// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/NetworkPicture.h"

#include "simulator/report/html/Markup.h"
#include "simulator/report/html/NetworkLayout.h"
#include "simulator/report/html/Page.h"
#include "simulator/report/html/Table.h"

#include "simulator/report/text/TextTable.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace dendrolith::report::html {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostNodes = 200, kMostEdges = 1000;

/// Colours of a file, which has no page around it.
constexpr const char *kFileStyle =
    "text{fill:#59646d;font:11.5px system-ui,'Liberation Sans',Helvetica,"
    "Arial,sans-serif}.name{fill:#1d2328;font-weight:600}.middle{text-anchor:"
    "middle}.box{fill:#fff;stroke:#8d969d}.box.input{fill:#eef1f3;"
    "stroke-dasharray:4 3}.edge{fill:none;stroke:#0072b2}.edge.back{stroke:"
    "#d55e00}.tip{fill:#0072b2}.tip.back{fill:#d55e00}.dendrite{fill:none;"
    "stroke:#009e73}.dot{fill:#009e73}"
    ".soma{fill:#d55e00}.ground{fill:#fff}.behind{stroke:#fff;stroke-width:6px;"
    "paint-order:stroke}";

std::string shortened(const std::string &name, size_t most) {
  return escape(name.size() > most ? name.substr(0, most - 2) + ".." : name);
}

std::string energyText(double low, double high) {
  const std::string text = energyRange(low, high);
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) // an SVG file has no such names
    if (text.compare(i, 6, "&nbsp;") == 0)
      out += " ", i += 5;
    else if (text.compare(i, 7, "&micro;") == 0)
      out += "&#181;", i += 6;
    else
      out += text[i];
  return out;
}

/// What a run adds: how often, and at which price.
std::string withEnergy(std::string text, const std::optional<double> &low,
                       const std::optional<double> &high) {
  if (low && *high > 0)
    text += (text.empty() ? "" : ", ") + energyText(*low, *high);
  return text;
}

std::string synapsesText(const NetworkFacts::Edge &edge) {
  std::string text = edge.kind.empty() ? "" : edge.kind + ", ";
  text += counted(edge.synapses, "synapse");
  if (edge.delay && *edge.delay)
    text += ", delay " + std::to_string(*edge.delay);
  return text;
}

std::string flowText(const NetworkFacts::Edge &edge) {
  return edge.messages
             ? withEnergy((*edge.messages < 1000
                               ? fmt::format("{:.4g}", *edge.messages)
                               : grouped(std::llround(*edge.messages))) +
                              " messages",
                          edge.low, edge.high)
             : "";
}

std::vector<std::string> linesOf(const NetworkFacts::Node &node) {
  std::vector<std::string> lines;
  std::string size =
      node.neurons ? counted(node.neurons, node.isInput ? "element" : "neuron")
                   : "";
  if (node.shape.size() > 1)
    size += fmt::format(" ({})", fmt::join(node.shape, " x "));
  lines.push_back(node.isInput ? "input" + (size.empty() ? "" : ", " + size)
                               : size);
  if (!node.model.empty())
    lines.push_back("model " + shortened(node.model, 26));
  if (node.rate)
    lines.push_back(fmt::format("{:.3g} % of updates emit", 100 * *node.rate));
  if (const std::string energy = withEnergy("", node.low, node.high);
      !energy.empty())
    lines.push_back(energy + " a sample");
  if (!node.cores.empty())
    lines.push_back(node.cores.size() == 1
                        ? fmt::format("core {}", node.cores.front())
                        : fmt::format("{} cores", node.cores.size()));
  if (!node.outputs.empty())
    lines.push_back("read as " + shortened(node.outputs, 26));
  return lines;
}

class NetworkDrawing {
public:
  explicit NetworkDrawing(const NetworkFacts &facts) : nodes(facts.nodes) {
    for (const NetworkFacts::Node &node : nodes)
      lines.push_back(linesOf(node));
    for (const NetworkFacts::Edge &edge : facts.edges)
      if (edge.from == edge.to && !edge.kind.empty()) { // beside the tree
        const std::string text = "to itself: " + synapsesText(edge);
        const size_t half = text.find(' ', text.find(", "));
        lines[edge.to].push_back(escape(text.substr(0, half)));
        lines[edge.to].push_back(escape(text.substr(half + 1)));
      }
    for (const std::vector<std::string> &each : lines)
      counts.push_back(each.size());
    layout.emplace(facts, counts);
    for (const NetworkFacts::Edge &edge : facts.edges)
      most = std::max(most, edge.messages.value_or(0));
  }

  /// `style` is that of a file, empty for a page.
  std::string text(const std::string &style) const {
    std::string out = fmt::format(
        "<svg{} class=\"network\" viewBox=\"0 0 {:.0f} {:.0f}\" "
        "style=\"--natural:{:.0f}px\" role=\"img\" aria-label=\"The layers of "
        "the network and the synapses between them\">\n",
        style.empty()
            ? ""
            : fmt::format(
                  " xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\""
                  " height=\"{:.0f}\"",
                  layout->wide, layout->high),
        layout->wide, layout->high, layout->wide);
    if (!style.empty())
      out += "<style>" + style +
             "</style>\n<rect class=\"ground\" width=\"100%\" "
             "height=\"100%\"/>\n";
    out += "<defs>";
    for (const char *back : {"", " back"})
      out += fmt::format("<marker id=\"tip{}\" viewBox=\"0 0 6 6\" refX=\"5\" "
                         "refY=\"3\" markerWidth=\"7\" markerHeight=\"7\" "
                         "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path "
                         "class=\"tip{}\" d=\"M0 0L6 3L0 6z\"/></marker>",
                         *back ? "-back" : "", back);
    out += "</defs>\n";
    for (size_t e = 0; e < layout->edges.size(); ++e)
      out += edgeText(e);
    for (size_t n = 0; n < nodes.size(); ++n)
      out += nodeText(n);
    return out + "</svg>\n";
  }

private:
  std::string edgeText(size_t e) const {
    const NetworkFacts::Edge &edge = layout->edges[e];
    const NetworkLayout::Box &from = layout->boxes[edge.from],
                             &to = layout->boxes[edge.to];
    const bool isBack = layout->isBack[e];
    const double stroke =
        most > 0 ? 1 + 4 * edge.messages.value_or(0) / most : 1.4;
    std::string path;
    double x = 0, y = 0;
    const bool isLoop = edge.from == edge.to;
    if (isLoop) {
      path = fmt::format("M{0:.1f} {1:.1f}h-16V{2:.1f}h16", from.x,
                         from.y + from.high * .7, from.y + from.high * .3);
    } else if (!layout->lane[e]) {
      const double start = layout->portOf(e, true),
                   end = layout->portOf(e, false),
                   middle = (from.bottom() + to.y) / 2;
      path = fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} "
                         "{:.1f}",
                         start, from.bottom(), start, middle, end, middle, end,
                         to.y);
      y = layout->labelY[e];
      const double t = (y - from.bottom()) / (to.y - from.bottom());
      x = start + (end - start) * t * t * (3 - 2 * t);
    } else {
      const double side = 14.0 * double(layout->lane[e]);
      x = isBack ? layout->left - side : layout->right + side;
      const double a = isBack ? from.x : from.x + from.wide,
                   b = isBack ? to.x : to.x + to.wide,
                   ya = from.y + from.high * (isBack ? .7 : .8),
                   yb = to.y + to.high * (isBack ? .3 : .2);
      path =
          fmt::format("M{:.1f} {:.1f}H{:.1f}V{:.1f}H{:.1f}", a, ya, x, yb, b);
      x += isBack ? -4 : 4;
      y = (ya + yb) / 2;
    }
    const std::string what = synapsesText(edge), ran = flowText(edge);
    std::string out = fmt::format(
        "<path class=\"edge{}\" d=\"{}\" stroke-width=\"{:.1f}\" "
        "marker-end=\"url(#tip{})\"><title>{} to {}: {}{}{}</title></path>\n",
        isBack ? " back" : "", path, stroke, isBack ? "-back" : "",
        escape(nodes[edge.from].name), escape(nodes[edge.to].name),
        escape(what), ran.empty() ? "" : "; ", ran);
    if (isLoop || layout->edges.size() > NetworkLayout::kMostLabels)
      return out;
    const char *anchor = !layout->lane[e] ? "middle" : isBack ? "end" : "start";
    const bool isTwo = !ran.empty();
    out += labelText(x, y + (isTwo ? -2 : 4), anchor, escape(what));
    return isTwo ? out + labelText(x, y + 11, anchor, ran) : out;
  }

  static std::string labelText(double x, double y, const char *anchor,
                               const std::string &text) {
    return fmt::format("<text class=\"behind\" x=\"{:.1f}\" y=\"{:.1f}\" "
                       "text-anchor=\"{}\">{}</text>\n",
                       x, y, anchor, text);
  }

  std::string nodeText(size_t n) const {
    const NetworkFacts::Node &node = nodes[n];
    const NetworkLayout::Box &box = layout->boxes[n];
    std::string out = fmt::format(
        "<g><title>{}{}</title><rect class=\"box{}\" x=\"{:.1f}\" y=\"{:.1f}\" "
        "width=\"{:.1f}\" height=\"{:.1f}\" rx=\"4\"/>\n",
        escape(node.name),
        node.cores.empty()
            ? ""
            : fmt::format(" on core {}", fmt::join(node.cores, ", ")),
        node.isInput ? " input" : "", box.x, box.y, box.wide, box.high);
    double y = box.y + 19;
    out += fmt::format("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\">{}"
                       "</text>\n",
                       box.x + 10, y, shortened(node.name, 24));
    for (const std::string &line : lines[n])
      out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                         box.x + 10, y += NetworkLayout::kLine, line);
    return out + stateTree(node, box) + "</g>\n";
  }

  const std::vector<NetworkFacts::Node> &nodes;
  std::vector<std::vector<std::string>> lines; ///< by node
  std::vector<size_t> counts;
  std::optional<NetworkLayout> layout;
  double most = 0; ///< messages of an edge
};

/// What a picture would be too large for.
std::string tooMany(const NetworkFacts &facts) {
  if (facts.nodes.size() <= kMostNodes && facts.edges.size() <= kMostEdges)
    return "";
  return fmt::format("{} and {} between them, of which at most {} and {} are "
                     "drawn",
                     counted(facts.nodes.size(), "layer"),
                     counted(facts.edges.size(), "bundle") + " of synapses",
                     grouped(kMostNodes), grouped(kMostEdges));
}

Cell real(const std::optional<double> &value) {
  return value ? number(*value, "{:.4g}") : Cell{"", ""};
}

std::string networkTables(const NetworkFacts &facts) {
  Table layers("network-layers", "Layers",
               {{"layer", "layer", false},
                {"neurons", "neurons"},
                {"shape", "shape", false},
                {"model", "model", false},
                {"states", "states", false},
                {"updates that emit (%)", "rate_percent"},
                {"cores", "cores"}});
  for (const NetworkFacts::Node &node : facts.nodes) {
    std::string states;
    for (const NetworkFacts::Branch &state : node.branches)
      states += (states.empty() ? "" : ", ") + state.name +
                (state.elements > 1 ? fmt::format("[{}]", state.elements) : "");
    layers.add({text(node.name), count(node.neurons),
                text(fmt::format("{}", fmt::join(node.shape, " x "))),
                text(node.isInput ? "input" : node.model), text(states),
                node.rate ? number(100 * *node.rate, "{:.3g}") : Cell{"", ""},
                node.cores.empty() ? Cell{"", ""} : count(node.cores.size())});
  }
  Table edges("network-synapses",
              "Synapses; messages and energy are those of all synapses between "
              "the two layers, in a sample",
              {{"from", "from", false},
               {"to", "to", false},
               {"kind", "kind", false},
               {"synapses", "synapses"},
               {"delay (ticks)", "delay_ticks"},
               {"messages", "messages_per_sample"},
               {"energy low (pJ)", "energy_low_pJ"},
               {"energy high (pJ)", "energy_high_pJ"}});
  for (const NetworkFacts::Edge &edge : facts.edges)
    edges.add({text(facts.nodes[edge.from].name),
               text(facts.nodes[edge.to].name), text(edge.kind),
               count(edge.synapses),
               edge.delay ? count(*edge.delay) : Cell{"", ""},
               real(edge.messages), real(edge.low), real(edge.high)});
  return folded("Tables of layers and synapses",
                layers.markup() + edges.markup());
}

} // namespace

std::string networkSection(const NetworkView &view) {
  const NetworkFacts facts(view);
  if (facts.nodes.empty())
    return "";
  const std::string more = networkTables(facts), many = tooMany(facts);
  if (!many.empty())
    return "<p class=\"note\">No picture: " + many +
           ". The tables have the first of all.</p>\n" + more;
  return figure(
      "Layers and their synapses; what closes a cycle runs on the left. In a "
      "layer stand the states of a neuron as a tree: the soma below, above it "
      "what feeds it, a dot for each compartment. Messages and energies are of "
      "a sample.",
      NetworkDrawing(facts).text(""), more);
}

std::string networkSvg(const NetworkView &view) {
  const NetworkFacts facts(view);
  if (facts.nodes.empty())
    throw Error("no picture: neither layers nor synapses are known");
  if (const std::string many = tooMany(facts); !many.empty())
    throw Error("no picture: there are " + many);
  return NetworkDrawing(facts).text(kFileStyle);
}

} // namespace dendrolith::report::html
