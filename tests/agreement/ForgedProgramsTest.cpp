// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/validate/CheckCode.cpp,
// simulator/functional/neuron/MicrocodeDecode.cpp.
// What validate() accepts an engine can run: compiled images whose programs are
// changed at random are refused or run to the end. Says most in a build with
// sanitizers. DENDROLITH_FUZZ_SECONDS (default 8) sets how long.

#include "runtime/microcode/Isa.h"
#include "runtime/session/Recording.h"
#include "targets/support/Error.h"
#include "tests/agreement/FuzzSettings.h"
#include "tests/agreement/RandomBodies.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <unistd.h>

namespace dendrolith::test {
namespace {

using micro::Instruction;
using micro::Operand;
using micro::Space;

class Forger {
public:
  explicit Forger(uint32_t seed) : random(seed) {}

  /// Changes a program in one to three places.
  void forge(image::Microprogram &program) {
    for (uint64_t i = below(3) + 1; i > 0; --i)
      below(4) ? forgeCode(program) : forgeMemory(program);
  }

private:
  uint64_t below(uint64_t n) { return random() % n; }

  /// A small number, a power of two or anything.
  uint32_t number() {
    switch (below(4)) {
    case 0:
      return static_cast<uint32_t>(uint64_t(1) << below(32));
    case 1:
      return random();
    default:
      return static_cast<uint32_t>(below(12));
    }
  }

  void forgeOperand(Operand &operand) {
    switch (below(4)) {
    case 0:
      operand.space = static_cast<Space>(below(6));
      break;
    case 1:
      operand.scalar = !operand.scalar;
      break;
    default:
      operand.index = below(2)
                          ? number()
                          : operand.index + static_cast<uint32_t>(below(3)) - 1;
    }
  }

  void forgeCode(image::Microprogram &program) {
    std::vector<Instruction> code = micro::decodeCode(program.code());
    if (code.empty())
      return;
    Instruction &i = code[below(code.size())];
    Operand *operands[] = {&i.d, &i.a, &i.b, &i.c};
    switch (below(12)) {
    case 0:
      i.op = static_cast<MicroOp>(below(kMicroOps));
      break;
    case 1:
      i.width = static_cast<uint8_t>(1 + below(64));
      break;
    case 2:
      i.rounding = static_cast<micro::Rounding>(below(4));
      i.saturate = below(2);
      break;
    case 3:
      i.shift = static_cast<int16_t>(below(2) ? below(300) - 150 : random());
      break;
    case 4:
      i.n = number();
      break;
    case 5:
      i.m = number();
      break;
    case 6:
      i.imm = static_cast<int64_t>(uint64_t(random()) << 32 | random());
      break;
    case 7:
      std::swap(code[below(code.size())], code[below(code.size())]);
      break;
    default:
      forgeOperand(*operands[below(4)]);
    }
    program.set_code(micro::encodeCode(code));
  }

  void forgeMemory(image::Microprogram &program) {
    auto any = [&](auto *entries) {
      return entries->Mutable(static_cast<int>(below(entries->size())));
    };
    switch (below(5)) {
    case 0:
      program.set_registers(number());
      break;
    case 1:
      if (program.states_size())
        any(program.mutable_states())->set_width(number());
      break;
    case 2:
      if (program.ports_size())
        any(program.mutable_ports())->set_width(number());
      break;
    case 3:
      if (program.outputs_size()) {
        auto *output = any(program.mutable_outputs());
        output->set_low(-int64_t(number()));
        output->set_high(int64_t(number()));
      }
      break;
    default: {
      std::vector<int64_t> words = micro::decodeI64(program.constants());
      if (words.empty())
        return;
      words[below(words.size())] =
          static_cast<int64_t>(uint64_t(random()) << 32 | random());
      program.set_constants(micro::encodeI64(words));
    }
    }
  }

  std::mt19937 random;
};

/// The same change in every copy of a program: a population has one.
void forgeAll(image::Program &image, uint32_t seed) {
  std::string chosen;
  for (const image::Core &core : image.cores())
    if (chosen.empty() && core.programs_size())
      chosen = core.programs(int(seed % uint32_t(core.programs_size())))
                   .SerializeAsString();
  for (image::Core &core : *image.mutable_cores())
    for (image::Microprogram &program : *core.mutable_programs())
      if (program.SerializeAsString() == chosen)
        Forger(seed).forge(program);
}

TEST(ForgedPrograms, AreRefusedOrRun) {
  const double seconds = fuzzSetting("DENDROLITH_FUZZ_SECONDS", 8);
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               (std::to_string(getpid()) + "-forged.mlir");
  uint64_t refused = 0, run = 0;
  auto left = [&] {
    return std::chrono::duration<double>(Clock::now() - start).count() <
           seconds;
  };
  for (uint32_t seed = 1; left(); ++seed) {
    RandomBodies network = randomBodies(seed);
    std::ofstream(path) << network.text;
    CompileOptions options;
    options.target = seed % 2 ? "ideal" : "loihi2";
    Compilation compilation(path.string());
    compilation.quantise(options);
    compilation.lower(options);
    const image::Program good = compilation.emit();
    Target chip = Target::parse(good.target_yaml(),
                                Target::load(options.target).filename);
    for (uint32_t change = 0; change < 60 && left(); ++change) {
      image::Program image = good;
      forgeAll(image, seed * 1000 + change);
      SCOPED_TRACE("seed " + std::to_string(seed) + ", change " +
                   std::to_string(change));
      try {
        validate(image);
      } catch (const Error &) {
        ++refused;
        continue;
      }
      ASSERT_NO_THROW(sim::runFunctional(image, chip, network.inputs, {}));
      ++run;
    }
  }
  std::filesystem::remove(path);
  std::printf("%llu refused, %llu run\n", (unsigned long long)refused,
              (unsigned long long)run);
  EXPECT_GT(refused, 0u);
  EXPECT_GT(run, 0u);
}

} // namespace
} // namespace dendrolith::test
