// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/point/Point.h"

#include "runtime/host/Wire.h"
#include "targets/support/Error.h"
#include "targets/support/JsonText.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace dendrolith::explore {
namespace {

using Json = nlohmann::ordered_json;

// The version of what the keys mean; a store of another one is not read.
constexpr int kPointVersion = 2;

const std::pair<PointState, const char *> kStates[] = {
    {PointState::Done, "done"},     {PointState::Excluded, "excluded"},
    {PointState::Unfit, "unfit"},   {PointState::Invalid, "invalid"},
    {PointState::Failed, "failed"}, {PointState::Timeout, "timeout"},
};

bool endsWith(const std::string &text, const std::string &ending) {
  return text.size() > ending.size() &&
         text.compare(text.size() - ending.size(), ending.npos, ending) == 0;
}

Band bandFrom(const Json &json) {
  return {json.at(0).get<double>(), json.at(1).get<double>()};
}

Json shortageJson(const Shortage &shortage) {
  return {{"resource", shortage.resource},
          {"used", shortage.used},
          {"limit", shortage.limit}};
}

Shortage shortageFrom(const Json &json) {
  return {json.at("resource"), json.at("used"), json.at("limit")};
}

Json bandsJson(const std::vector<std::pair<std::string, Band>> &bands) {
  Json json = Json::object();
  for (const auto &[name, band] : bands)
    json[name] = bandJson(band);
  return json;
}

std::vector<std::pair<std::string, Band>> bandsFrom(const Json &json) {
  std::vector<std::pair<std::string, Band>> bands;
  for (const auto &[name, band] : json.items())
    bands.emplace_back(name, bandFrom(band));
  return bands;
}

Point pointOfJson(const Json &json) {
  Point point;
  const Json &design = json.at("design");
  point.design.model = design.at("model");
  point.design.target = design.at("target");
  for (const auto &[name, value] : design.at("values").items())
    point.design.values.emplace_back(name, value.get<std::string>());
  point.design.repeat = wholeFrom(design.at("repeat"));
  point.state = stateOf(json.at("state")).value();
  point.reason = json.at("reason");
  if (!json.at("shortage").is_null())
    point.shortage = shortageFrom(json.at("shortage"));
  for (const auto &[name, band] : json.at("values").items())
    point.values[name] = bandFrom(band);
  const Json &samples = json.at("samples");
  for (const Json &latency : samples.at("latency_ps"))
    point.latencyPs.push_back(wholeFrom(latency));
  point.right = samples.at("right").get<std::vector<bool>>();
  for (const Json &band : samples.at("energy"))
    point.sampleEnergy.push_back(bandFrom(band));
  point.energyByEvent = bandsFrom(json.at("energy_by_event"));
  point.energyByLayer = bandsFrom(json.at("energy_by_layer"));
  point.areaByPart = bandsFrom(json.at("area_by_part"));
  for (const Json &each : json.at("closed_by"))
    point.closedBy.emplace_back(each.at(0), wholeFrom(each.at(1)));
  for (const Json &each : json.at("fit"))
    point.fit.push_back(shortageFrom(each));
  return point;
}

using NamedBands = std::vector<std::pair<std::string, Band>>;

template <typename Stream> void visit(Stream &s, NamedBands &bands) {
  s.size(bands);
  for (auto &[name, band] : bands) {
    s.block(name);
    s.plain(band);
  }
}

template <typename Stream> void visit(Stream &s, Shortage &shortage) {
  s.block(shortage.resource);
  s.plain(shortage.used);
  s.plain(shortage.limit);
}

template <typename Stream> void visit(Stream &s, Design &design) {
  s.block(design.model);
  s.block(design.target);
  s.size(design.values);
  for (auto &[axis, value] : design.values) {
    s.block(axis);
    s.block(value);
  }
  s.plain(design.repeat);
}

template <typename Stream> void visit(Stream &s, Point &point) {
  visit(s, point.design);
  s.plain(point.state);
  s.block(point.reason);
  std::vector<Shortage> shortage;
  if (point.shortage)
    shortage.push_back(*point.shortage);
  s.size(shortage);
  for (Shortage &each : shortage)
    point.shortage = (visit(s, each), each);
  NamedBands values(point.values.begin(), point.values.end());
  visit(s, values);
  if (Stream::reads)
    for (auto &[name, band] : values) // they are sorted
      point.values.emplace_hint(point.values.end(), std::move(name), band);
  s.block(point.latencyPs);
  std::vector<uint8_t> right(point.right.begin(), point.right.end());
  s.block(right);
  point.right.assign(right.begin(), right.end());
  s.block(point.sampleEnergy);
  for (NamedBands *bands :
       {&point.energyByEvent, &point.energyByLayer, &point.areaByPart})
    visit(s, *bands);
  s.size(point.closedBy);
  for (auto &[who, steps] : point.closedBy) {
    s.block(who);
    s.plain(steps);
  }
  s.size(point.fit);
  for (Shortage &each : point.fit)
    visit(s, each);
}

} // namespace

std::string packed(const Point &point) {
  return bytesOf([&](const ByteSink &sink) {
    Writer writer(sink);
    Point copy = point;
    visit(writer, copy);
  });
}

Point unpacked(std::string_view bytes) {
  size_t at = 0;
  const ByteSource source = [&](char *into, size_t room) {
    const size_t count = std::min(room, bytes.size() - at);
    bytes.copy(into, count, at);
    at += count;
    return count;
  };
  Reader reader(source, bytes.size());
  Point point;
  visit(reader, point);
  if (!reader.atEnd())
    Reader::fail();
  return point;
}

Json bandJson(const Band &band) { return Json::array({band.low, band.high}); }

const char *nameOf(PointState state) {
  for (const auto &[each, name] : kStates)
    if (each == state)
      return name;
  return "";
}

std::optional<PointState> stateOf(const std::string &text) {
  for (const auto &[state, name] : kStates)
    if (text == name)
      return state;
  return std::nullopt;
}

std::optional<Band> valueOf(const Point &point, const std::string &name) {
  const bool low = endsWith(name, ".low"), high = endsWith(name, ".high");
  const std::string of = low || high ? name.substr(0, name.rfind('.')) : name;
  const auto found = point.values.find(of);
  if (found == point.values.end())
    return std::nullopt;
  const Band &band = found->second;
  if (low)
    return Band{band.low, band.low};
  if (high)
    return Band{band.high, band.high};
  return band;
}

Json toJson(const Point &point) {
  Json values = Json::object(), chosen = Json::object();
  for (const auto &[name, band] : point.values)
    values[name] = bandJson(band);
  for (const auto &[name, value] : point.design.values)
    chosen[name] = value;
  Json energy = Json::array(), closed = Json::array(), fit = Json::array();
  for (const Band &band : point.sampleEnergy)
    energy.push_back(bandJson(band));
  for (const auto &[who, steps] : point.closedBy)
    closed.push_back({who, steps});
  for (const Shortage &each : point.fit)
    fit.push_back(shortageJson(each));
  return {{"version", kPointVersion},
          {"design",
           {{"model", point.design.model},
            {"target", point.design.target},
            {"values", chosen},
            {"repeat", point.design.repeat}}},
          {"state", nameOf(point.state)},
          {"reason", point.reason},
          {"shortage", point.shortage ? shortageJson(*point.shortage) : Json()},
          {"values", values},
          {"samples",
           {{"latency_ps", point.latencyPs},
            {"right", point.right},
            {"energy", energy}}},
          {"energy_by_event", bandsJson(point.energyByEvent)},
          {"energy_by_layer", bandsJson(point.energyByLayer)},
          {"area_by_part", bandsJson(point.areaByPart)},
          {"closed_by", closed},
          {"fit", fit}};
}

Point pointFrom(const Json &json, const std::string &place) {
  try {
    if (json.at("version") != kPointVersion)
      throw Error(place + ": is a point of version " +
                  printable(json.at("version").dump()) + ", not " +
                  std::to_string(kPointVersion) + "; measure it again");
    return pointOfJson(json);
  } catch (const nlohmann::json::exception &error) {
    throw Error(place + ": is no point of a study: " + jsonReason(error));
  } catch (const std::bad_optional_access &) {
    throw Error(place + ": has a state of an unknown name");
  }
}

} // namespace dendrolith::explore
