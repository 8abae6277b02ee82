// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/simulator/RandomProgram.h"

#include "tests/simulator/ProgramBuilder.h"

#include <algorithm>
#include <optional>
#include <random>

namespace dendrolith::test {
namespace {

class Maker {
public:
  explicit Maker(uint32_t seed) : random(seed), delays(seed) {
    if (seed % 3 == 0) // entries have delays of their own
      later = [this] { return uint16_t(delays() % 3 ? 0 : delays() % 7); };
  }

  RandomProgram make() {
    uint32_t period = below(3) ? 1 : 1 + below(4);
    uint32_t depth = 1 + below(6);
    if (below(2))
      commonShift = uint8_t(below(5));
    ProgramBuilder builder(period, depth);
    uint32_t populations = 1 + below(4), cores = 1 + below(4);
    for (uint32_t p = 0; p < populations; ++p) {
      // Long lists are served another way than short ones.
      sizes.push_back(below(6) ? 1 + below(9) : 40 + below(30));
      builder.population(name(p), sizes[p], below(depth), below(3) * 0.5);
    }
    builder.binaryInput("in", 1 + below(6), below(depth));
    if (below(2)) {
      builder.integerInput("levels", 1 + below(4), below(depth), -9, 20, 2.5);
      image::Input &levels = *builder.program.mutable_inputs()->rbegin();
      if (below(2)) { // a host without payloads
        const bool isSigned = below(2);
        levels.set_kind(isSigned ? image::Input::SPLIT : image::Input::UNARY);
        levels.set_low(isSigned ? -9 : 0);
      }
    }
    for (uint32_t p = 0; p < populations; ++p)
      place(builder, p, cores);
    for (const image::Input &input : builder.program.inputs())
      for (uint32_t p = 0; p < populations; ++p)
        join(builder, input.name(), sourcesOf(input), p);
    for (uint32_t s = 0; s < populations; ++s)
      for (uint32_t p = 0; p < populations; ++p)
        if (below(2))
          join(builder, name(s), sizes[s], p);
    static const char *const shown[] = {"s", "v", "u"};
    for (uint32_t o = below(4); o-- > 0;)
      builder.output("out" + std::to_string(o), name(below(populations)),
                     shown[below(3)]);
    for (image::Population &p : *builder.program.mutable_populations())
      for (const char *state : {"u", "v"})
        p.add_calibrated()->set_state(state);
    RandomProgram result;
    result.program = builder.build();
    result.target = mesh(2, 2 + below(2), 1 + below(2));
    result.target.mesh.flitBits = below(2) ? 32 : 4;
    uint64_t samples = 1 + below(3), ticks = 1 + below(12);
    for (const image::Input &input : result.program.inputs())
      result.inputs[input.name()] = values(input, samples, ticks);
    return result;
  }

private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random() % n); }
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<uint32_t>(high - low + 1)));
  }
  static std::string name(uint32_t p) { return "p" + std::to_string(p); }

  /// Cuts a population into ranges on random cores.
  void place(ProgramBuilder &builder, uint32_t p, uint32_t cores) {
    for (uint64_t first = 0; first < sizes[p];) {
      uint32_t count = 1 + below(static_cast<uint32_t>(sizes[p] - first));
      builder.group(below(cores), name(p), first, count, neuron(count),
                    below(2));
      first += count;
    }
  }

  template <typename Field>
  void parameter(Field *field, uint32_t count, int low, int high) {
    for (uint32_t n = below(2) ? 1 : count; n-- > 0;)
      field->Add(between(low, high));
  }

  image::Cuba neuron(uint32_t count) {
    image::Cuba c;
    parameter(c.mutable_decay_u(), count, below(4) ? 0 : -1, 4095);
    parameter(c.mutable_decay_v(), count, 0, 4096);
    parameter(c.mutable_threshold(), count, below(8) ? 0 : -200, 4000);
    parameter(c.mutable_bias(), count, 0, 0);
    if (below(3) == 0) {
      c.clear_bias();
      parameter(c.mutable_bias(), count, -600, 900);
    }
    if (below(4) == 0)
      parameter(c.mutable_initial_u(), count, -3000, 3000);
    c.set_input_wrap_bits(below(4) ? 0 : 8 + below(14));
    c.set_vmin(below(3) ? -8388607 : -between(0, 500));
    c.set_vmax(below(3) ? 8388607 : between(1000, 9000));
    if (below(4) == 0)
      parameter(c.mutable_initial_v(), count,
                static_cast<int>(std::max<int64_t>(c.vmin(), -1000)), 1000);
    c.set_refractory(below(2) ? 0 : below(5));
    c.set_wrap_open_high(below(2));
    // From 13 bits on they hold the initial currents.
    if (below(2))
      c.set_current_bits(13 + below(20 - (c.wrap_open_high() ? 0 : 1)));
    c.set_bias_wrap(below(2));
    c.set_silent(below(6) == 0);
    return c;
  }

  void join(ProgramBuilder &builder, const std::string &source, uint64_t from,
            uint32_t to) {
    Matrix weights(sizes[to], std::vector<int>(from));
    for (auto &row : weights)
      for (int &weight : row)
        weight = below(3) ? between(-255, 255) : 0;
    // Now and then so large that u leaves its 24 bits.
    builder.project(source, name(to), weights, below(3) ? 0 : below(6),
                    commonShift ? *commonShift
                    : below(6)  ? uint8_t(below(5))
                                : uint8_t(17),
                    below(2), later);
  }

  Samples values(const image::Input &input, uint64_t samples, uint64_t ticks) {
    Samples result;
    result.samples = samples;
    result.steps = ticks;
    result.shape = {input.shape(0)};
    bool binary = input.kind() == image::Input::BINARY;
    std::vector<double> values(samples * ticks * input.shape(0));
    for (double &value : values)
      value = binary ? double(below(3) == 0)
                     : between(-4, 10) * (below(2) ? 0 : 1.1);
    result.values = std::move(values);
    return result;
  }

  std::mt19937 random, delays;
  std::function<uint16_t()> later;
  std::optional<uint8_t> commonShift; // without it, sums are kept in 64 bits
  std::vector<uint64_t> sizes;
};

} // namespace

RandomProgram randomProgram(uint32_t seed, bool multicast) {
  RandomProgram result = Maker(seed).make();
  if (!multicast)
    return result;
  Mesh &grid = result.target.mesh;
  grid.multicast = true;
  if (seed % 3) {
    grid.tilesX = seed % 3 == 1 ? 4 : 1;
    grid.tilesY = seed % 3 == 2 ? 4 : 1;
  }
  return result;
}

RandomProgram randomBoard(uint32_t seed, bool multicast) {
  RandomProgram result = randomProgram(seed, multicast);
  Mesh &grid = result.target.mesh;
  // Rows and columns of chips of one tile and more, and both.
  if (seed % 3 != 1)
    grid.chipsX = grid.tilesX > 1 && grid.tilesX % 2 == 0 ? 2 : grid.tilesX;
  if (seed % 3 != 2 || grid.chipsX == 1)
    grid.chipsY = grid.tilesY;
  return result;
}

} // namespace dendrolith::test
