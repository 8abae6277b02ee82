// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/image/PackedAxons.h"

#include <map>

using namespace dendrolith;
using columns::Column;

PackedAxons::PackedAxons(const image::Axons &image) : bounds(image.begin()) {
  if (image.rows().empty())
    return;
  columns::TableReader reader(image.rows());
  for (uint32_t cores = reader.number(); cores > 0; --cores) {
    uint32_t id = reader.number();
    starts.emplace_back(id, reader.number());
  }
  core = reader.eachView();
  axon = reader.columnView();
  reader.end();
  size = reader.rows();
}

AxonTable dendrolith::decodeAxons(const image::Axons &axons) {
  const PackedAxons packed(axons);
  AxonTable table;
  table.begin.resize(packed.sources() + 1);
  for (size_t i = 0; i < table.begin.size(); ++i)
    table.begin[i] = packed.begin(i);
  table.rows.resize(packed.size);
  AxonWalk walk(packed);
  for (AxonRow &row : table.rows)
    row = walk.next();
  return table;
}

image::Axons dendrolith::encodeAxons(const AxonTable &table) {
  image::Axons axons;
  axons.set_begin(encodeU32(table.begin));
  if (table.rows.empty())
    return axons;
  std::map<uint32_t, uint32_t> starts;
  NextAxon next;
  Column core, axon;
  for (Column *column : {&core, &axon})
    column->reserve(table.rows.size());
  for (const AxonRow &row : table.rows) {
    size_t before = next.size();
    uint32_t &expected = next.of(row.core, row.axon);
    if (next.size() != before)
      starts.emplace(row.core, row.axon);
    core.push_back(row.core);
    axon.push_back(row.axon - expected);
    expected = row.axon + 1;
  }
  columns::TableWriter writer(table.rows.size());
  writer.number(static_cast<uint32_t>(starts.size()));
  for (auto [id, start] : starts) {
    writer.number(id);
    writer.number(start);
  }
  writer.each(core);
  writer.column(axon);
  axons.set_rows(std::move(writer).end());
  return axons;
}
