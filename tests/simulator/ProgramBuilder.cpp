// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/simulator/ProgramBuilder.h"

#include "runtime/image/Tables.h"

#include <algorithm>
#include <stdexcept>

namespace dendrolith::test {

image::Cuba cuba(int32_t threshold, int32_t decayU, int32_t decayV,
                 int32_t bias) {
  image::Cuba neuron;
  neuron.add_decay_u(decayU);
  neuron.add_decay_v(decayV);
  neuron.add_threshold(threshold);
  neuron.add_bias(bias);
  neuron.set_vmin(-8388607);
  neuron.set_vmax(8388607);
  return neuron;
}

ProgramBuilder::ProgramBuilder(uint32_t period, uint32_t depth) {
  program.set_format_version(kFormatVersion);
  program.set_producer("dendrolith test");
  program.set_model_name("test");
  program.set_model_sha256(std::string(64, '0'));
  program.set_target_name("test");
  program.set_target_yaml("name: test\n");
  program.mutable_schedule()->set_period(period);
  program.mutable_schedule()->set_depth(depth);
}

ProgramBuilder &ProgramBuilder::population(const std::string &name,
                                           uint64_t size, uint32_t phase,
                                           double scale) {
  image::Population &p = *program.add_populations();
  p.set_name(name);
  p.set_size(size);
  p.add_shape(size);
  p.set_phase(phase);
  p.set_scale(scale);
  p.set_model("cuba");
  return *this;
}

ProgramBuilder &ProgramBuilder::binaryInput(const std::string &name,
                                            uint64_t size, uint32_t phase) {
  image::Input &input = *program.add_inputs();
  input.set_name(name);
  input.add_shape(size);
  input.set_kind(image::Input::BINARY);
  input.set_phase(phase);
  return *this;
}

ProgramBuilder &ProgramBuilder::integerInput(const std::string &name,
                                             uint64_t size, uint32_t phase,
                                             int64_t low, int64_t high,
                                             double scale) {
  binaryInput(name, size, phase);
  image::Input &input = *program.mutable_inputs()->rbegin();
  input.set_kind(image::Input::INTEGER);
  input.set_low(low);
  input.set_high(high);
  input.set_scale(scale);
  return *this;
}

image::Population &ProgramBuilder::find(const std::string &name) {
  for (image::Population &p : *program.mutable_populations())
    if (p.name() == name)
      return p;
  throw std::logic_error("no population " + name);
}

ProgramBuilder &ProgramBuilder::output(const std::string &name,
                                       const std::string &population,
                                       const std::string &from) {
  image::Output &output = *program.add_outputs();
  output.set_name(name);
  output.add_shape(find(population).size());
  output.set_population(population);
  output.set_kind(from == "s" ? image::Output::SPIKES : image::Output::STATE);
  output.set_from(from);
  output.set_scale(from == "s" ? 1 : find(population).scale());
  return *this;
}

ProgramBuilder &ProgramBuilder::group(uint32_t core,
                                      const std::string &population,
                                      uint64_t first, uint32_t count,
                                      image::Cuba neuron, uint32_t gap) {
  CoreTables &tables = cores[core];
  image::Group &group = *tables.image.add_groups();
  group.set_population(population);
  group.set_first_neuron(first);
  group.set_count(count);
  group.set_base(tables.used + gap);
  group.set_phase(find(population).phase());
  *group.mutable_cuba() = std::move(neuron);
  tables.used += gap + count;
  return *this;
}

uint32_t ProgramBuilder::axon(uint32_t core, uint32_t base,
                              const std::vector<int> &weights,
                              const std::vector<uint32_t> &offsets,
                              uint16_t delay, uint8_t shift, uint32_t words,
                              const std::vector<uint16_t> &delays) {
  CoreTables &tables = cores[core];
  SynapseList list;
  list.first = static_cast<uint32_t>(tables.weights.size());
  list.count = static_cast<uint32_t>(weights.size());
  list.firstOffset = static_cast<uint32_t>(tables.offsets.size());
  list.words = words;
  list.kind = offsets.empty() ? ListKind::Dense : ListKind::Sparse;
  list.shift = shift;
  list.weightBits = 8;
  list.indexBits = offsets.empty() ? 0 : 6;
  tables.weights.insert(tables.weights.end(), weights.begin(), weights.end());
  tables.delays.insert(tables.delays.end(), delays.begin(), delays.end());
  tables.delays.resize(tables.weights.size());
  tables.offsets.insert(tables.offsets.end(), offsets.begin(), offsets.end());
  tables.axons.push_back(
      {static_cast<uint32_t>(tables.lists.size()), base, 0, delay});
  tables.lists.push_back(list);
  return static_cast<uint32_t>(tables.axons.size() - 1);
}

ProgramBuilder &ProgramBuilder::connect(const std::string &source,
                                        uint64_t element, uint32_t core,
                                        uint32_t axon) {
  rows[source][element].push_back({core, axon});
  return *this;
}

ProgramBuilder &
ProgramBuilder::project(const std::string &source, const std::string &target,
                        const Matrix &weights, uint16_t delay, uint8_t shift,
                        bool sparse, const std::function<uint16_t()> &later) {
  for (auto &entry : cores)
    for (const image::Group &group : entry.second.image.groups()) {
      if (group.population() != target)
        continue;
      for (uint64_t s = 0; s < weights.front().size(); ++s) {
        std::vector<int> values;
        std::vector<uint32_t> offsets;
        for (uint32_t n = 0; n < group.count(); ++n) {
          int weight = weights[group.first_neuron() + n][s];
          if (sparse && weight == 0)
            continue;
          values.push_back(weight);
          if (sparse)
            offsets.push_back(n);
        }
        if (values.empty())
          continue;
        uint32_t words = static_cast<uint32_t>(1 + values.size() / 4);
        std::vector<uint16_t> delays;
        while (later && delays.size() < values.size())
          delays.push_back(later());
        connect(source, s, entry.first,
                axon(entry.first, group.base(), values, offsets, delay, shift,
                     words, delays));
      }
    }
  return *this;
}

uint64_t sourcesOf(const image::Input &input) {
  return input.shape(0) * (input.kind() == image::Input::SPLIT ? 2 : 1);
}

image::Program ProgramBuilder::build() {
  auto table = [&](const std::string &name, uint64_t first, uint64_t count) {
    AxonTable axons;
    for (uint64_t i = first; i < first + count; ++i) {
      std::vector<AxonRow> own = rows[name][i];
      std::sort(own.begin(), own.end(), [](AxonRow a, AxonRow b) {
        return a.core != b.core ? a.core < b.core : a.axon < b.axon;
      });
      axons.rows.insert(axons.rows.end(), own.begin(), own.end());
      axons.begin.push_back(static_cast<uint32_t>(axons.rows.size()));
    }
    return encodeAxons(axons);
  };
  image::Program result = program;
  for (image::Input &input : *result.mutable_inputs())
    *input.mutable_axons() = table(input.name(), 0, sourcesOf(input));
  for (const auto &[id, tables] : cores) {
    image::Core &core = *result.add_cores();
    core = tables.image;
    core.set_id(id);
    core.mutable_synapses()->set_weights(
        encodeWeights(tables.weights, tables.delays));
    core.mutable_synapses()->set_offsets(encodeU32(tables.offsets));
    core.mutable_synapses()->set_lists(encodeLists(tables.lists));
    core.set_in_axons(encodeInAxons(tables.axons));
    for (image::Group &group : *core.mutable_groups())
      *group.mutable_axons() =
          table(group.population(), group.first_neuron(), group.count());
  }
  validate(result);
  return result;
}

Target mesh(uint64_t tilesX, uint64_t tilesY, uint64_t coresPerTile) {
  Target target;
  target.name = "test";
  target.mesh.tilesX = tilesX;
  target.mesh.tilesY = tilesY;
  target.mesh.coresPerTile = coresPerTile;
  return target;
}

Samples samples(const std::vector<std::vector<std::vector<double>>> &values) {
  Samples result;
  result.samples = values.size();
  result.steps = values.front().size();
  result.shape = {values.front().front().size()};
  std::vector<double> all;
  for (const auto &sample : values)
    for (const auto &tick : sample)
      all.insert(all.end(), tick.begin(), tick.end());
  result.values = std::move(all);
  return result;
}

} // namespace dendrolith::test
