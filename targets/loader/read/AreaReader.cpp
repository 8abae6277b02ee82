// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/read/AreaReader.h"

#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace dendrolith {

/// Areas against 7 nm: Stillmaker and Baas, Scaling equations for the accurate
/// prediction of CMOS device performance from 180 nm to 7 nm, Integration 58
/// (2017) 74-81, as transcribed by HWComponents.
static const struct {
  uint64_t node;
  double area;
} kNodes[] = {{7, 1},    {10, 1.7}, {14, 2.9}, {16, 3.2}, {20, 3.6},
              {32, 7.8}, {45, 17},  {65, 25},  {90, 48},  {130, 110}};

/// Between two nodes of the table the logarithm of the area is taken to be a
/// straight line over that of the length.
static std::optional<double> areaAt(uint64_t node) {
  for (size_t i = 0; i < std::size(kNodes); ++i) {
    if (kNodes[i].node == node)
      return kNodes[i].area;
    if (i == 0 || kNodes[i].node < node)
      continue;
    if (kNodes[i - 1].node > node)
      return std::nullopt;
    const double way =
        std::log(double(node) / double(kNodes[i - 1].node)) /
        std::log(double(kNodes[i].node) / double(kNodes[i - 1].node));
    return kNodes[i - 1].area *
           std::pow(kNodes[i].area / kNodes[i - 1].area, way);
  }
  return std::nullopt;
}

std::optional<double> areaFactor(uint64_t from, uint64_t to) {
  if (from == to)
    return 1;
  const std::optional<double> there = areaAt(to), here = areaAt(from);
  if (!there || !here)
    return std::nullopt;
  return *there / *here;
}

} // namespace dendrolith

namespace dendrolith::yaml {

/// An area of the section, at the node of the chip.
static UnitNumber areaAt(uint64_t chipNode, const Fields &fields,
                         const char *key, const char *unit,
                         RecordReader &reader) {
  std::optional<uint64_t> node;
  UnitNumber area = reader.interval(fields, key, unit, &node);
  if (!node || *node == chipNode)
    return area;
  std::optional<double> factor = areaFactor(*node, chipNode);
  if (!factor)
    fail(fields.at(key),
         fmt::format("'{}' holds at {} nm and cannot be carried to the chip's "
                     "{} nm: there are data from {} to {} nm, expected a "
                     "number that holds at {} nm",
                     key, *node, chipNode, kSmallestNode, kLargestNode,
                     chipNode));
  area.value.low *= *factor;
  area.value.high *= *factor;
  area.kind = Provenance::Scaled;
  return area;
}

static void checkPositive(const Fields &fields, const char *key,
                          const LowHigh &value) {
  if (value.low <= 0)
    fail(fields.at(key), fmt::format("'{}' is 0, expected more", key));
}

AreaData readArea(const Node &node, RecordReader reader) {
  Fields fields(node, "area",
                {"node", "cell", "efficiency", "check_bits", "other_bits",
                 "cuba", "microcode", "adder_bit", "multiplier_bit",
                 "router_bit", "buffer_bit", "fixed"},
                {"published_die", "published_core"});
  AreaData area;
  area.node = reader.number(fields, "node", "nm", 1, 1000);
  auto number = [&](const char *key, const char *unit) {
    return areaAt(area.node, fields, key, unit, reader);
  };
  area.cell = number("cell", "um2");
  checkPositive(fields, "cell", area.cell.value);
  area.efficiency = reader.interval(fields, "efficiency", "1");
  checkPositive(fields, "efficiency", area.efficiency.value);
  if (area.efficiency.value.high > 1)
    fail(fields.at("efficiency"),
         "'efficiency' is above 1, expected the share of cells in a macro");
  area.checkBits = reader.interval(fields, "check_bits", "1");
  if (area.checkBits.value.low != area.checkBits.value.high)
    fail(fields.at("check_bits"), "expected one number for 'check_bits'");
  area.otherBits = reader.number(fields, "other_bits", "bits");
  area.cuba = number("cuba", "um2");
  area.microcode = number("microcode", "um2");
  area.adderBit = number("adder_bit", "um2");
  area.multiplierBit = number("multiplier_bit", "um2");
  area.routerBit = number("router_bit", "um2");
  area.bufferBit = number("buffer_bit", "um2");
  area.fixed = number("fixed", "mm2");
  if (fields.find("published_die"))
    area.publishedDie = reader.interval(fields, "published_die", "mm2");
  if (fields.find("published_core"))
    area.publishedCore = reader.interval(fields, "published_core", "mm2");
  return area;
}

LeakageData readLeakage(const Node &node, RecordReader reader) {
  Fields fields(node, "leakage", {"bit", "logic"});
  LeakageData leakage;
  leakage.bit = reader.interval(fields, "bit", "pW");
  leakage.logic = reader.interval(fields, "logic", "uW/mm2");
  return leakage;
}

VoltageData readVoltage(const Node &node, RecordReader reader) {
  constexpr uint64_t most = 10000; // mV
  Fields fields(node, "voltage", {"supply", "nominal", "threshold", "alpha"});
  VoltageData voltage;
  voltage.supply = reader.number(fields, "supply", "mV", 1, most);
  voltage.nominal = reader.number(fields, "nominal", "mV", 1, most);
  voltage.threshold = reader.number(fields, "threshold", "mV", 0, most);
  for (const char *key : {"supply", "nominal"})
    if ((key == std::string("supply") ? voltage.supply : voltage.nominal) <=
        voltage.threshold)
      fail(fields.at(key),
           fmt::format("'{}' is not above the threshold of {} mV, at which "
                       "nothing switches",
                       key, voltage.threshold));
  const UnitNumber alpha = reader.interval(fields, "alpha", "1");
  voltage.alpha = alpha.value.low;
  if (alpha.value.low != alpha.value.high || voltage.alpha < 1 ||
      voltage.alpha > 2)
    fail(fields.at("alpha"), "expected one number from 1 to 2 for 'alpha'");
  return voltage;
}

} // namespace dendrolith::yaml
