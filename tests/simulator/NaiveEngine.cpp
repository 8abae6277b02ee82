// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/simulator/NaiveEngine.h"

#include "runtime/image/NeuronNumbers.h"
#include "runtime/image/Tables.h"

#include <cmath>
#include <cstdlib>

namespace dendrolith::test {
namespace {

using Wide = __int128;

Wide towardZero(Wide x, int bits) {
  return x < 0 ? -((-x) >> bits) : x >> bits;
}

/// Returns x + k * span within [low, low + span).
Wide wrapFrom(Wide x, Wide low, Wide span) {
  Wide r = (x - low) % span;
  return (r < 0 ? r + span : r) + low;
}

int32_t pick(const google::protobuf::RepeatedField<int32_t> &values,
             uint32_t n) {
  return values.empty() ? 0 : values[values.size() == 1 ? 0 : n];
}

/// A neuron slot has the state of its neuron and the accumulator of its input.
struct Slot {
  Wide u = 0, v = 0;
  uint32_t r = 0;
  std::map<uint64_t, Wide> due; // by step
};

struct Core {
  const image::Core *image = nullptr;
  std::vector<InAxon> axons;
  std::vector<SynapseList> lists;
  std::vector<int16_t> weights;
  std::vector<uint16_t> delays; // by weight, or empty
  std::vector<uint32_t> offsets;
  std::map<uint32_t, Slot> slots;
};

class Simulation {
public:
  Simulation(const image::Program &program,
             const std::map<std::string, Samples> &inputs)
      : program(program), inputs(inputs), numbers(program) {
    for (const image::Core &core : program.cores()) {
      Core &c = cores[core.id()];
      c.image = &core;
      c.axons = decodeInAxons(core.in_axons());
      c.lists = decodeLists(core.synapses().lists());
      c.weights = decodeI16(core.synapses().weights());
      c.delays = decodeDelays(core.synapses().weights());
      c.offsets = decodeU32(core.synapses().offsets());
    }
    for (const image::Population &p : program.populations())
      sizes[p.name()] = p.size();
  }

  std::map<std::string, NaiveRecord> run() {
    uint64_t samples = inputs.begin()->second.samples;
    ticks = inputs.begin()->second.steps;
    for (const auto &[name, size] : sizes) {
      NaiveRecord &r = records[name];
      for (auto *values : {&r.spikes, &r.u, &r.v})
        values->resize(samples * ticks * size);
    }
    for (sample = 0; sample < samples; ++sample)
      runSample();
    return records;
  }

private:
  void runSample() {
    for (auto &entry : cores) {
      entry.second.slots.clear();
      for (const image::Group &g : entry.second.image->groups())
        for (uint32_t n = 0; n < g.count(); ++n) {
          Slot &c = entry.second.slots[g.base() + n];
          c.u = pick(g.cuba().initial_u(), n);
          c.v = pick(g.cuba().initial_v(), n);
        }
    }
    uint64_t period = program.schedule().period();
    uint64_t steps = (ticks - 1) * period + program.schedule().depth();
    for (step = 0; step < steps; ++step)
      for (uint64_t tick = 0; tick < ticks; ++tick) {
        for (const image::Input &input : program.inputs())
          if (input.phase() + period * tick == step)
            inject(input, tick);
        for (auto &entry : cores)
          for (const image::Group &group : entry.second.image->groups())
            if (group.phase() + period * tick == step)
              update(entry.second, group, tick);
      }
  }

  void inject(const image::Input &input, uint64_t tick) {
    const Samples &array = inputs.at(input.name());
    for (uint64_t e = 0; e < array.width(); ++e) {
      const int64_t value = naivePayload(input, array.at(sample, tick, e));
      if (input.kind() == image::Input::SPLIT)
        send(input.axons(), 2 * e + (value < 0), std::abs(value));
      else
        send(input.axons(), e, value);
    }
  }

  /// To the left up to 31 bits, or to the right by what is above 64.
  static Wide productOf(Wide weight, Wide payload, int shift) {
    if (shift < 64)
      return weight * payload * (Wide(1) << shift);
    Wide divisor = Wide(1) << (shift - 64), product = weight * payload;
    Wide floor = product / divisor - (product % divisor < 0);
    return ((floor + 32768) % 65536 + 65536) % 65536 - 32768;
  }

  void send(const image::Axons &axons, uint64_t source, int64_t payload) {
    if (payload == 0)
      return;
    AxonTable table = decodeAxons(axons);
    for (uint32_t r = table.begin[source]; r < table.begin[source + 1]; ++r) {
      Core &core = cores.at(table.rows[r].core);
      const InAxon &axon = core.axons[table.rows[r].axon];
      const SynapseList &list = core.lists[axon.list];
      for (uint32_t k = 0; k < list.count; ++k) {
        uint32_t at = list.kind == ListKind::Dense
                          ? k
                          : core.offsets[list.firstOffset + k];
        const uint64_t later =
            core.delays.empty() ? 0 : core.delays[list.first + k];
        core.slots[axon.base + at].due[step + 1 + axon.delay + later] +=
            productOf(core.weights[list.first + k], payload, list.shift);
      }
    }
  }

  void update(Core &core, const image::Group &group, uint64_t tick) {
    NaiveRecord &record = records[group.population()];
    for (uint32_t n = 0; n < group.count(); ++n) {
      Slot &c = core.slots[group.base() + n];
      Wide input = 0;
      while (!c.due.empty() && c.due.begin()->first <= step) {
        input += c.due.begin()->second;
        c.due.erase(c.due.begin());
      }
      bool spike = updateNeuron(group.cuba(), n, c, input);
      uint64_t at = (sample * ticks + tick) * sizes[group.population()] +
                    numbers.of(group, n);
      record.spikes[at] = spike;
      record.u[at] = static_cast<int64_t>(c.u);
      record.v[at] = static_cast<int64_t>(c.v);
      send(group.axons(), n, spike);
    }
  }

  static bool updateNeuron(const image::Cuba &p, uint32_t n, Slot &c,
                           Wide input) {
    const Wide M = Wide(1) << ((p.current_bits() ? p.current_bits() : 24) - 1);
    const Wide low = p.wrap_open_high() ? -M : -M + 1;
    if (p.input_wrap_bits()) {
      Wide half = Wide(1) << p.input_wrap_bits();
      input = wrapFrom(input, p.wrap_open_high() ? -half : -half + 1, 2 * half);
    }
    c.u = wrapFrom(towardZero(c.u * (4095 - pick(p.decay_u(), n)), 12) + input,
                   low, 2 * M);
    Wide d = c.u + pick(p.bias(), n);
    if (p.bias_wrap())
      d = wrapFrom(d, low, 2 * M);
    Wide v = towardZero(c.v * (4096 - pick(p.decay_v(), n)), 12) + d;
    v = v < p.vmin() ? Wide(p.vmin()) : v > p.vmax() ? Wide(p.vmax()) : v;
    if (c.r > 0)
      v = 0;
    bool spike = !p.silent() && v > pick(p.threshold(), n);
    if (spike) {
      v = 0;
      c.r = p.refractory() > 0 ? p.refractory() - 1 : 0;
    } else if (c.r > 0) {
      --c.r;
    }
    c.v = v;
    return spike;
  }

  const image::Program &program;
  const std::map<std::string, Samples> &inputs;
  const NeuronNumbers numbers;
  std::map<uint32_t, Core> cores;
  std::map<std::string, uint64_t> sizes;
  std::map<std::string, NaiveRecord> records;
  uint64_t sample = 0, step = 0, ticks = 0;
};

} // namespace

int64_t naivePayload(const image::Input &input, double value) {
  if (input.kind() == image::Input::BINARY)
    return value != 0;
  double scaled = std::rint(value * input.scale());
  if (scaled > static_cast<double>(input.high()))
    return input.high();
  if (scaled < static_cast<double>(input.low()))
    return input.low();
  return static_cast<int64_t>(scaled);
}

std::map<std::string, NaiveRecord>
runNaively(const image::Program &program,
           const std::map<std::string, Samples> &inputs) {
  return Simulation(program, inputs).run();
}

} // namespace dendrolith::test
