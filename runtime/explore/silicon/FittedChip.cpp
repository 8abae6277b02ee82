// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/silicon/FittedChip.h"

#include "runtime/host/OutputDirectory.h"
#include "simulator/report/result/Pricing.h"
#include "targets/loader/files/Discovery.h"
#include "targets/loader/files/Override.h"
#include "targets/loader/yaml/Yaml.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

namespace dendrolith::silicon {
namespace {

namespace fs = std::filesystem;

/// Which rows numbers of one kind were fitted to.
std::string sourceOf(const Calibration &fitted, bool isPrice) {
  std::string ids, files;
  std::map<std::string, bool> known;
  for (const FittedRow &row : fitted.rows)
    if ((row.row.row->quantity != Quantity::TimeStep) == isPrice) {
      ids += (ids.empty() ? "" : ", ") + row.row.row->id;
      const std::string file =
          fs::path(row.row.file->filename).filename().string();
      if (!known[file])
        files += (files.empty() ? "" : ", ") + file;
      known[file] = true;
    }
  return "fitted by dendrolith calibrate to rows " + ids + " of " + files;
}

/// Lines of a map of maps for "barrier.formula.base" and the like, which all
/// lie below one map.
std::string nested(const std::map<std::string, std::string> &records,
                   size_t indent) {
  std::map<std::string, std::map<std::string, std::string>> parts;
  std::string text;
  const std::string space(indent, ' ');
  for (const auto &[key, record] : records) {
    const size_t dot = key.find('.');
    if (dot == std::string::npos)
      text += space + key + ": " + record + "\n";
    else
      parts[key.substr(0, dot)][key.substr(dot + 1)] = record;
  }
  for (const auto &[key, inner] : parts)
    text += space + key + ":\n" + nested(inner, indent + 2);
  return text;
}

std::string chipText(const Calibration &fitted, const std::string &name) {
  std::map<std::string, std::string> times;
  for (size_t i = 0; i < fitted.parameters.size(); ++i)
    if (const Parameter &each = fitted.parameters[i]; !each.isPrice)
      times[each.key] =
          fmt::format("{{value: {:.0f}, unit: {}, kind: fitted, source: rows}}",
                      fitted.values[i], yaml::inQuotes(each.unit));
  std::string text = fmt::format("base: {0}\nname: {1}\ndescription: {0}, "
                                 "fitted to measurements\n",
                                 fitted.chip.name, name);
  if (!times.empty())
    text += fmt::format("sources:\n  rows: {}\ntiming:\n  {}:\n{}",
                        yaml::inQuotes(sourceOf(fitted, false)),
                        fitted.chip.timing().name, nested(times, 4));
  return text;
}

/// A whole table, with the fitted prices in it.
std::string tableText(const Calibration &fitted, const CostTable &table) {
  yaml::Node root = yaml::parse(table.yamlText, table.filename);
  const auto scalar = [&](const std::string &text) {
    yaml::Node node = root;
    node.type = yaml::Node::Type::Scalar;
    node.keys.clear();
    node.items.clear();
    node.text = text;
    return node;
  };
  yaml::put(*yaml::find(root, "sources"), scalar("rows"),
            scalar(sourceOf(fitted, true)));
  for (size_t i = 0; i < fitted.parameters.size(); ++i) {
    const Parameter &each = fitted.parameters[i];
    if (!each.isPrice)
      continue;
    yaml::replacePrice(root, each.key, fmt::format("{:.6g}", fitted.values[i]));
    yaml::Node *place =
        each.key == "static" ? &root : yaml::find(root, "events");
    if (yaml::Node *whole = yaml::find(*place, each.key))
      place = whole;
    else
      place = yaml::find(
          *yaml::find(*place, each.key.substr(0, each.key.find('.'))),
          each.key.substr(each.key.find('.') + 1));
    yaml::put(*place, scalar("kind"), scalar("fitted"));
    yaml::put(*place, scalar("source"), scalar("rows"));
  }
  return yaml::write(root);
}

} // namespace

void writeChip(const Calibration &fitted, const std::string &folder) {
  const Target &chip = fitted.chip;
  const std::string name =
      fs::path(folder + "/").parent_path().filename().string();
  if (!isName(name))
    throw Error(
        fmt::format("--out {}: expected a folder whose name can be that "
                    "of a chip, of letters, digits, '-' and '_'",
                    printable(folder)));
  if (measuredChip(chip) != chip.name || !chip.overrides.empty())
    throw Error(fmt::format("--out: '{}' is a variation of '{}', and a chip "
                            "file has one base; calibrate '{}' itself",
                            chip.name, measuredChip(chip), measuredChip(chip)));
  std::map<std::string, std::string> files;
  bool prices = false;
  for (const Parameter &each : fitted.parameters)
    prices |= each.isPrice;
  if (prices)
    for (const CostTable &table : report::chooseCosts("", chip))
      files["costs-" + table.name + ".yaml"] = tableText(fitted, table);
  std::vector<std::string> names;
  for (const auto &[file, text] : files)
    names.push_back(file);
  names.push_back("chip.yaml"); // last: it makes the folder a chip
  files["chip.yaml"] = chipText(fitted, name);
  OutputDirectory out(folder, names);
  for (const std::string &file : names)
    out.write(file, std::string_view(files.at(file)));
  out.commit();
}

} // namespace dendrolith::silicon
