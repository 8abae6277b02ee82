// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/SampleBill.h"

#include "simulator/energy/Pricer.h"
#include "simulator/record/Json.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;

Json sampleCounts(const std::vector<sim::CoreCounts> &samples) {
  Json columns = Json::object();
  for (Counter event : energyEvents()) {
    std::vector<uint64_t> column;
    for (const sim::CoreCounts &sample : samples)
      column.push_back(sample[event]);
    if (std::any_of(column.begin(), column.end(),
                    [](uint64_t count) { return count > 0; }))
      columns[counterName(event)] = column;
  }
  return columns;
}

Json priceSamples(const Json &counts, uint64_t samples,
                  const std::vector<CostTable> &tables,
                  const std::string &where) {
  std::vector<sim::CoreCounts> all(samples);
  for (const auto &item : counts.items()) {
    const std::string place = where + "." + printable(item.key());
    const std::optional<Counter> event = counterOf(item.key());
    if (!event || rowOf(*event).order == 0)
      throw Error(place + ": expected an energy event");
    if (!item.value().is_array() || item.value().size() != samples)
      throw Error(
          fmt::format("{}: expected an array of {} counts", place, samples));
    for (uint64_t s = 0; s < samples; ++s)
      all[s][*event] = sim::readCount(nlohmann::json(item.value()[s]),
                                      fmt::format("{}[{}]", place, s));
  }
  Json energies;
  const char *ends[] = {"low", "high"};
  for (const char *end : ends) {
    const sim::Pricer pricer(end == ends[0] ? tables.front() : tables.back());
    Json &column = energies[end] = Json::array();
    for (const sim::CoreCounts &sample : all) {
      const std::optional<double> energy = pricer.energy(sample);
      column.push_back(energy ? Json(*energy) : Json());
    }
  }
  return energies;
}

} // namespace dendrolith::report
