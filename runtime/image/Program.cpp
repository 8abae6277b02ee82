// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This writes images, small ones as one message and large ones in sections.

#include "runtime/image/Program.h"

#include "runtime/arrays/Npy.h"
#include "runtime/host/Files.h"
#include "runtime/image/NeuronNumbers.h"
#include "runtime/image/ProgramFile.h"
#include "runtime/image/Sections.h"
#include "runtime/image/Tables.h"
#include "runtime/microcode/Disassemble.h"
#include "targets/support/FixedNeuron.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <vector>

using namespace dendrolith;

/// A message of so many bytes is written in sections, which can be read by
/// several threads and in part. Below it nothing is gained, and the file has
/// its message in one piece for whoever wants to look at it.
static constexpr size_t kLarge = size_t(16) << 20;

/// Writes a program that is valid. Returns the digest that stands for it.
static std::string write(const image::Program &program,
                         const sections::Sink &sink) {
  if (program.ByteSizeLong() >= kLarge)
    return sections::write(program, sink);
  return message::write(program, sink);
}

static std::string
inOneString(const std::function<std::string(const sections::Sink &)> &write) {
  std::string bytes;
  write([&](std::string_view more) { bytes += more; });
  return bytes;
}

std::string dendrolith::serialize(const image::Program &program) {
  validate(program);
  return inOneString([&](const auto &sink) { return write(program, sink); });
}

std::string dendrolith::serializeInSections(const image::Program &program) {
  validate(program);
  return inOneString(
      [&](const auto &sink) { return sections::write(program, sink); });
}

std::string dendrolith::digestOf(const image::Program &program) {
  return write(program, [](std::string_view) {});
}

void dendrolith::saveProgram(const image::Program &program,
                             const std::string &path) {
  validate(program);
  AtomicFile file(path);
  write(program, [&](std::string_view bytes) { file.write(bytes); });
  file.commit();
}

// This is the image for people. The text lists every core and group, and sums
// up tables, which may have millions of rows.

template <typename... Args>
static void line(std::string &out, fmt::format_string<Args...> format,
                 Args &&...args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
  out += '\n';
}

/// Makes text from a file harmless to a terminal.
static std::string plain(const std::string &text) {
  std::string clean = text;
  for (char &c : clean)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' ';
  return clean;
}

static std::string
shapeOf(const google::protobuf::RepeatedField<uint64_t> &shape) {
  return shapeText({shape.begin(), shape.end()});
}

/// Returns the values of a parameter as "5" or "1..9".
static std::string
rangeOf(const google::protobuf::RepeatedField<int32_t> &values) {
  if (values.empty())
    return "0";
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *low == *high ? fmt::format("{}", *low)
                       : fmt::format("{}..{}", *low, *high);
}

/// Returns "phase 3", and for a divided clock "phase 3, 4 ticks 2 steps apart".
template <typename Image> static std::string ticksOf(const Image &image) {
  std::string text = fmt::format("phase {}", image.phase());
  if (image.ticks() > 1)
    text += fmt::format(", {} ticks {} steps apart", image.ticks(),
                        std::max<uint32_t>(image.stride(), 1));
  return text;
}

static std::string describeInput(const image::Input &input) {
  std::string values =
      input.kind() == image::Input::BINARY
          ? "binary"
          : fmt::format("integer {}..{}, {} per unit{}", input.low(),
                        input.high(), input.scale(),
                        input.kind() == image::Input::UNARY   ? ", unary"
                        : input.kind() == image::Input::SPLIT ? ", split"
                                                              : "");
  std::string query;
  if (input.has_query())
    query += fmt::format(", query at flag {}", input.query());
  if (input.has_masks())
    query += fmt::format(", label {} masked there", input.masks());
  if (input.tokens())
    query += ", of token ids";
  return fmt::format("  {} {}: {}, {}, {} out-axons{}", input.name(),
                     shapeOf(input.shape()), values, ticksOf(input),
                     countRows(input.axons().rows()), query);
}

static std::string describeCuba(const image::Cuba &cuba) {
  std::string text = fmt::format(
      "decay u {}, v {}; {}; bias {}; v {}..{}", rangeOf(cuba.decay_u()),
      rangeOf(cuba.decay_v()),
      cuba.silent() ? "silent"
                    : fmt::format("threshold {}", rangeOf(cuba.threshold())),
      rangeOf(cuba.bias()), cuba.vmin(), cuba.vmax());
  if (!cuba.initial_u().empty() || !cuba.initial_v().empty())
    text += fmt::format("; initial u {}, v {}", rangeOf(cuba.initial_u()),
                        rangeOf(cuba.initial_v()));
  if (cuba.refractory())
    text += fmt::format("; refractory {}", cuba.refractory());
  if (cuba.input_wrap_bits())
    text += fmt::format("; input wraps at {} bits", cuba.input_wrap_bits());
  const unsigned bits = cubaCurrentBits(cuba.current_bits());
  if (cuba.current_bits())
    text += fmt::format("; u in {} bits", bits);
  if (cuba.wrap_open_high())
    text += fmt::format("; u below 2^{}", bits - 1);
  if (cuba.bias_wrap())
    text += "; u + bias wraps";
  return text;
}

/// In-axons of a core, and how many of them are those of a kernel, whose rows
/// are what it makes of each source (InAxon::port).
struct InAxonCount {
  size_t all = 0, ofKernels = 0;
};
static InAxonCount countInAxons(const image::Core &core) {
  std::set<uint16_t> ports;
  InAxonCount count;
  for (const InAxon &axon : decodeInAxons(core.in_axons()))
    axon.port ? void(ports.insert(axon.port)) : void(++count.all);
  count.ofKernels = ports.size();
  count.all += ports.size();
  return count;
}

static void describeCore(const image::Core &core, const NeuronNumbers &numbers,
                         std::string &out) {
  std::vector<SynapseList> lists = decodeLists(core.synapses().lists());
  uint64_t words = 0, sparse = 0;
  for (const SynapseList &list : lists) {
    words += list.words;
    sparse += list.kind == ListKind::Sparse;
  }
  const InAxonCount axons = countInAxons(core);
  line(out,
       "core {}: {} in-axons, {} lists ({} sparse), {} weights, {} words{}",
       core.id(), axons.all, lists.size(), sparse,
       countRows(core.synapses().weights()), words,
       axons.ofKernels
           ? fmt::format(" that are read; {} in-axons are those of kernels, "
                         "which are stored once",
                         axons.ofKernels)
           : "");
  for (const image::Group &group : core.groups()) {
    line(out, "  {} from accumulator {}, {}, {} out-axons",
         numbers.textOf(group), group.base(), ticksOf(group),
         countRows(group.axons().rows()));
    if (group.has_cuba())
      line(out, "    cuba: {}", describeCuba(group.cuba()));
    else
      line(out, "    program {}", group.microcode().program());
  }
  for (int p = 0; p < core.programs_size(); ++p)
    out += micro::disassemble(core.programs(p), fmt::format("  program {}", p));
}

std::string dendrolith::describeProgram(const image::Program &program) {
  std::string out;
  line(out, "program {} (format {}, by {})", plain(program.model_name()),
       program.format_version(), plain(program.producer()));
  line(out, "model sha256 {}", plain(program.model_sha256()));
  line(out, "target {}", plain(program.target_name()));
  for (const image::OverriddenLimit &limit : program.overridden_limits())
    line(out, "overridden limit {}: {} used, {} there", plain(limit.name()),
         limit.used(), limit.limit());
  const image::Schedule &schedule = program.schedule();
  line(out, "schedule: period {} steps, depth {} steps{}", schedule.period(),
       schedule.depth(),
       schedule.critical().empty()
           ? ""
           : fmt::format(", bound by {}", plain(schedule.critical())));
  for (const image::Note &note : program.policies())
    line(out, "policy {}: {}", plain(note.key()), plain(note.value()));
  for (const image::RewriteRow &row : program.rewrites())
    line(out, "rewrite {}: {}", plain(row.rewrite()), plain(row.detail()));

  line(out, "{} populations", program.populations_size());
  for (const image::Population &population : program.populations())
    line(out, "  {} {}: {}, {}, {} integer units per unit", population.name(),
         shapeOf(population.shape()), plain(population.model()),
         ticksOf(population), population.scale() == 0 ? 1 : population.scale());
  line(out, "{} inputs", program.inputs_size());
  for (const image::Input &input : program.inputs())
    line(out, "{}", describeInput(input));
  line(out, "{} outputs", program.outputs_size());
  for (const image::Output &output : program.outputs())
    line(out, "  {} {}: {} of {}{}", output.name(), shapeOf(output.shape()),
         output.kind() == image::Output::STATE ? "state " + output.from()
                                               : "spikes",
         output.population(),
         output.decode().empty() ? "" : ", decoded by " + output.decode());
  line(out, "{} cores", program.cores_size());
  const NeuronNumbers numbers(program);
  for (const image::Core &core : program.cores())
    describeCore(core, numbers, out);
  return out;
}

namespace dendrolith {

std::string listPrograms(const image::Program &program) {
  struct Use {
    std::string cores, neurons;
  };
  const NeuronNumbers numbers(program);
  std::vector<const image::Microprogram *> order;
  std::map<std::string, Use> uses; // under the program's bytes
  auto append = [](std::string &list, const std::string &more) {
    list += (list.empty() ? "" : ", ") + more;
  };
  for (const image::Core &core : program.cores()) {
    std::vector<Use *> here;
    for (const image::Microprogram &each : core.programs()) {
      here.push_back(&uses[each.SerializeAsString()]);
      if (here.back()->cores.empty())
        order.push_back(&each);
      append(here.back()->cores, std::to_string(core.id()));
    }
    for (const image::Group &group : core.groups())
      if (group.has_microcode())
        append(here[group.microcode().program()]->neurons,
               numbers.textOf(group));
  }
  std::string text;
  for (const image::Microprogram *each : order) {
    const Use &use = uses.at(each->SerializeAsString());
    text += micro::disassemble(*each, "program") + "    run by " + use.neurons +
            "\n    on cores " + use.cores + "\n";
  }
  return text.empty() ? "no programs: every neuron is fixed-function\n" : text;
}

} // namespace dendrolith
