// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/bench/NocReference.h"

#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "tests/targets/mesh/NocExperiment.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <sstream>

namespace dendrolith::test {
namespace {

/// All seeds of one point.
struct Row {
  TrafficCase traffic;
  bool overload = false; // a run for throughput, or one that did not settle
  std::vector<double> latency, accepted, routers;
};

double mean(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += value;
  return values.empty() ? 0 : sum / double(values.size());
}

double deviation(const std::vector<double> &values) {
  double sum = 0, middle = mean(values);
  for (double value : values)
    sum += (value - middle) * (value - middle);
  return values.empty() ? 0 : std::sqrt(sum / double(values.size()));
}

/// The rows of configuration S, seeds gathered, in the file's order.
std::vector<Row> readRows(const std::string &path) {
  std::istringstream file(readFile(path, 1 << 24));
  std::string line;
  auto nextLine = [&] {
    bool is = bool(std::getline(file, line));
    if (!line.empty() && line.back() == '\r')
      line.pop_back();
    return is;
  };
  if (!nextLine() ||
      line != "pipe,buf,topo,traffic,rate,seed,sim,status,plat,nlat,accepted,"
              "hops,maxlat")
    throw Error(path + ":1: not a table of mesh measurements");
  std::vector<Row> rows;
  std::map<std::string, size_t> index;
  for (size_t number = 2; nextLine(); ++number) {
    std::vector<std::string> cells(1);
    for (char c : line)
      if (c == ',')
        cells.emplace_back();
      else
        cells.back() += c;
    if (cells.size() != 13)
      throw Error(fmt::format("{}:{}: expected 13 cells, found {}", path,
                              number, cells.size()));
    if (cells[0] != "S")
      continue;
    auto number64 = [&](size_t cell) {
      return std::strtod(cells[cell].c_str(), nullptr);
    };
    bool overload = cells[6] == "throughput" || cells[7] != "ok";
    std::string key = fmt::format("{} {} {} {} {}", cells[1], cells[2],
                                  cells[3], cells[4], cells[6]);
    auto [found, isNew] = index.try_emplace(key, rows.size());
    if (isNew) {
      rows.emplace_back();
      TrafficCase &traffic = rows.back().traffic;
      std::sscanf(cells[2].c_str(), "%ux%u", &traffic.width, &traffic.height);
      traffic.pattern = cells[3] == "mtranspose" ? "transpose" : cells[3];
      traffic.buffer = static_cast<uint64_t>(number64(1));
      traffic.offered = number64(4);
    }
    Row &row = rows[found->second];
    row.overload |= overload;
    row.accepted.push_back(number64(10));
    if (cells[7] == "ok") {
      row.latency.push_back(number64(8));
      row.routers.push_back(number64(11));
    }
  }
  return rows;
}

bool sameNetwork(const Row &a, const Row &b) {
  return a.traffic.width == b.traffic.width &&
         a.traffic.height == b.traffic.height &&
         a.traffic.pattern == b.traffic.pattern &&
         a.traffic.buffer == b.traffic.buffer;
}

double saturation(const std::vector<Row> &rows, const Row &of) {
  double ideal = idealSaturation(of.traffic);
  for (const Row &row : rows)
    if (sameNetwork(row, of) && row.overload && row.traffic.offered < 0.9)
      return std::min(ideal, mean(row.accepted));
  return ideal;
}

struct Comparison {
  const char *quantity;
  double ours, reference;
  std::optional<double> limit; // relative
  double difference() const { return ours / reference - 1; }
  bool missed() const { return limit && std::abs(difference()) > *limit; }
};

Comparison compare(const std::vector<Row> &rows, const Row &row,
                   const ReferenceOptions &options) {
  TrafficCase traffic = row.traffic;
  traffic.measured = options.measured;
  if (row.overload)
    traffic.patience = 0;
  std::vector<double> latency, accepted, routers;
  for (unsigned seed = 1; seed <= options.seeds; ++seed) {
    traffic.seed = seed;
    TrafficResult result = measure(traffic);
    latency.push_back(result.latency);
    accepted.push_back(result.accepted);
    routers.push_back(result.routers);
  }
  if (row.overload) {
    Comparison c{"accepted", mean(accepted), mean(row.accepted), {}};
    if (traffic.buffer >= 2 && traffic.pattern != "transpose")
      c.limit = 0.03;
    return c;
  }
  // The share of the routers, known exactly, would hide what is left.
  if (traffic.offered < 0.05)
    return {"latency-3R", mean(latency) - 3 * mean(routers),
            mean(row.latency) - 3 * mean(row.routers), 0.01};
  double load = traffic.offered / saturation(rows, row);
  Comparison c{"latency", mean(latency), mean(row.latency), {}};
  if (load <= 0.75)
    c.limit = 0.01;
  else if (load <= 0.9)
    c.limit = std::max(0.05, 3 * deviation(row.latency) / c.reference);
  return c;
}

} // namespace

bool compareWithReference(const std::string &path,
                          const ReferenceOptions &options) {
  std::vector<Row> rows = readRows(path);
  std::printf("mesh,pattern,buffer,offered,load,quantity,ours,reference,"
              "difference,limit,verdict\n");
  unsigned limited = 0, missed = 0;
  for (size_t i = 0; i < rows.size(); i += options.every) {
    const Row &row = rows[i];
    Comparison c = compare(rows, row, options);
    limited += c.limit.has_value();
    missed += c.missed();
    std::printf(
        "%ux%u,%s,%lu,%g,%.2f,%s,%.4f,%.4f,%+.2f%%,%s,%s\n", row.traffic.width,
        row.traffic.height, row.traffic.pattern.c_str(), row.traffic.buffer,
        row.traffic.offered, row.traffic.offered / saturation(rows, row),
        c.quantity, c.ours, c.reference, 100 * c.difference(),
        c.limit ? fmt::format("{:.1f}%", 100 * *c.limit).c_str() : "-",
        c.missed() ? "MISSED"
        : c.limit  ? "ok"
                   : "-");
    std::fflush(stdout);
  }
  std::fprintf(stderr, "%u rows with a limit, %u missed\n", limited, missed);
  return missed == 0;
}

} // namespace dendrolith::test
