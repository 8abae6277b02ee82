// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What validate() says of the program as a whole.

#include "tests/runtime/Mutation.h"

#include <limits>

using namespace dendrolith;
using namespace dendrolith::test;
using P = image::Program;

TEST(Validate, AcceptsTheSmallProgram) { validate(smallProgram()); }

TEST(Validate, AcceptsScalarsIntegersAndInitialStates) {
  P program = smallProgram();
  program.mutable_populations(0)->set_scale(0);
  image::Input &input = *program.mutable_inputs(0);
  input.set_kind(image::Input::INTEGER);
  input.set_low(-128);
  input.set_high(127);
  input.set_scale(2);
  image::Cuba &cuba =
      *program.mutable_cores(0)->mutable_groups(0)->mutable_cuba();
  cuba.add_initial_u(1 << 23);
  cuba.add_initial_u(1 - (1 << 23));
  cuba.add_initial_v(8388607);
  cuba.set_decay_u(0, -1);
  cuba.set_decay_v(0, 4096);
  program.mutable_outputs(1)->set_from("u");
  validate(program);
}

TEST(Validate, NumbersNameEachNeuronOnce) {
  P program = smallProgram();
  program.mutable_populations(0)->set_numbers(encodeU32({2, 0, 1}));
  validate(program);
  auto with = [](const std::vector<uint32_t> &numbers) {
    return [=](P &p) {
      p.mutable_populations(0)->set_numbers(encodeU32(numbers));
    };
  };
  expectRefused({
      {"population 'a'", "expected no or 3 numbers, found 2", with({0, 1})},
      {"population 'a'", "found 3 too large", with({0, 1, 3})},
      {"population 'a'", "found 4294967295 too large",
       with({0, 4294967295u, 1})},
      {"population 'a'", "found 1 too large or a second time", with({1, 0, 1})},
      {"population 'a', numbers", "",
       [](P &p) { p.mutable_populations(0)->set_numbers("?"); }},
  });
}

TEST(Validate, RefusesWhatIsWrongWithTheWhole) {
  expectRefused({
      {"expected format version 3", "found 0",
       [](P &p) { p.set_format_version(0); }},
      {"expected format version 3", "found 1",
       [](P &p) { p.set_format_version(1); }},
      {"target_yaml", "found nothing", [](P &p) { p.clear_target_yaml(); }},
      {"schedule", "found 0", [](P &p) { p.clear_schedule(); }},
      {"schedule", "found 65537",
       [](P &p) { p.mutable_schedule()->set_period(65537); }},
      {"schedule", "depth of 1 to 1048576 steps, found 0",
       [](P &p) { p.mutable_schedule()->set_depth(0); }},
      {"schedule", "depth of 1 to 1048576 steps, found 4294967295",
       [](P &p) { p.mutable_schedule()->set_depth(4294967295u); }},
      {"population 'b'", "below the schedule's depth 2, found 2",
       [](P &p) { p.mutable_schedule()->set_depth(2); }},
      {"quantisation[0].scale", "expected a finite number, found inf",
       [](P &p) {
         p.add_quantisation()->set_scale(
             std::numeric_limits<double>::infinity());
       }},
      {"policies[1].value", "expected UTF-8",
       [](P &p) {
         p.add_policies()->set_value("caf\xc3\xa9");
         p.add_policies()->set_value("caf\xe9");
       }},
      {"model_name", "expected UTF-8",
       [](P &p) { p.set_model_name("\xed\xa0\x80"); }},
      {"model_name", "expected UTF-8",
       [](P &p) { p.set_model_name("\xc0\x80"); }},
      {"outputs[0].kind", "7 is no Kind",
       [](P &p) {
         p.mutable_outputs(0)->set_kind(static_cast<image::Output::Kind>(7));
       }},
      {"cores[1].groups[0]", "field number 99 is not known",
       [](P &p) {
         image::Group &group = *p.mutable_cores(1)->mutable_groups(0);
         group.GetReflection()->MutableUnknownFields(&group)->AddVarint(99, 1);
       }},
  });
}

TEST(Validate, RefusesWrongPopulations) {
  expectRefused({
      {"population 0", "found an empty one",
       [](P &p) { p.mutable_populations(0)->set_name(""); }},
      {"populations[0].name", "control characters, found byte 10",
       [](P &p) { p.mutable_populations(0)->set_name("a\n"); }},
      {"populations[0].name", "control characters, found byte 0",
       [](P &p) { p.mutable_populations(0)->set_name(std::string(1, '\0')); }},
      {"population 0", "at most 4096 bytes, found 5000",
       [](P &p) {
         p.mutable_populations(0)->set_name(std::string(5000, 'a'));
       }},
      {"population 'a'", "in order of name without repetition",
       [](P &p) { p.mutable_populations(1)->set_name("a"); }},
      {"population 'a'", "without repetition, found it after 'b'",
       [](P &p) { p.mutable_populations()->SwapElements(0, 1); }},
      {"population 'a'", "product of the shape, 3, as size, found 4",
       [](P &p) { p.mutable_populations(0)->set_size(4); }},
      {"population 'a'", "found a 0",
       [](P &p) { p.mutable_populations(0)->set_shape(0, 0); }},
      {"population 'a'", "at most 268435456 elements",
       [](P &p) {
         p.mutable_populations(0)->set_shape(0, uint64_t(1) << 40);
         p.mutable_populations(0)->add_shape(uint64_t(1) << 40);
       }},
      {"population 'a'", "at most 32 axes, found 34",
       [](P &p) {
         for (int i = 0; i < 33; ++i)
           p.mutable_populations(0)->add_shape(1);
       }},
      {"population 'b'", "at most 268435456 neurons in the program",
       [](P &p) {
         for (int i = 0; i < 2; ++i) {
           p.mutable_populations(i)->set_shape(0, uint64_t(1) << 28);
           p.mutable_populations(i)->set_size(uint64_t(1) << 28);
         }
       }},
      {"population 'a'", "scale of at least 0, found -1",
       [](P &p) { p.mutable_populations(0)->set_scale(-1); }},
      {"populations[0].scale", "found nan",
       [](P &p) {
         p.mutable_populations(0)->set_scale(
             std::numeric_limits<double>::quiet_NaN());
       }},
      {"population 'c'", "neuron 0 is on no core",
       [](P &p) { addPopulation(p, "c", 1, 0); }},
  });
}

TEST(Validate, RefusesWrongInputsAndOutputs) {
  auto integer = [](P &p, int64_t low, int64_t high, double scale) {
    image::Input &input = *p.mutable_inputs(0);
    input.set_kind(image::Input::INTEGER);
    input.set_low(low);
    input.set_high(high);
    input.set_scale(scale);
  };
  expectRefused({
      {"input 0", "found an empty one",
       [](P &p) { p.mutable_inputs(0)->set_name(""); }},
      {"input 'a'", "has this name",
       [](P &p) { p.mutable_inputs(0)->set_name("a"); }},
      {"input 'in'", "has this name",
       [](P &p) { *p.add_inputs() = p.inputs(0); }},
      {"input 'in'", "expected 4 row bounds",
       [](P &p) { p.mutable_inputs(0)->set_shape(0, 3); }},
      {"input 'in'", "found a 0",
       [](P &p) { p.mutable_inputs(0)->set_shape(0, 0); }},
      {"input 'in'", "depth 3, found 3",
       [](P &p) { p.mutable_inputs(0)->set_phase(3); }},
      {"inputs[0].kind", "9 is no Kind",
       [](P &p) {
         p.mutable_inputs(0)->set_kind(static_cast<image::Input::Kind>(9));
       }},
      {"input 'in'", "32-bit integers, found 5 to 4",
       [=](P &p) { integer(p, 5, 4, 1); }},
      {"input 'in'", "32-bit integers, found 0 to 2147483648",
       [=](P &p) { integer(p, 0, int64_t(1) << 31, 1); }},
      {"input 'in'", "32-bit integers, found -9223372036854775808",
       [=](P &p) { integer(p, std::numeric_limits<int64_t>::min(), 0, 1); }},
      {"input 'in'", "scale above 0, found 0",
       [=](P &p) { integer(p, 0, 1, 0); }},
      {"input 'in'", "a masked label among its",
       [](P &p) { p.mutable_inputs(0)->set_query(1000); }},
      {"input 'in'", "a masked label among its",
       [](P &p) { p.mutable_inputs(0)->set_masks(0); }},
      {"input 'in'", "as it takes token ids",
       [](P &p) {
         image::Input &input = *p.mutable_inputs(0);
         input.set_tokens(true);
         input.set_kind(image::Input::INTEGER);
         input.set_low(0);
         input.set_high(1);
         input.set_scale(1);
       }},
      {"output 0", "found an empty one",
       [](P &p) { p.mutable_outputs(0)->set_name(""); }},
      {"output 'out'", "another output has this name",
       [](P &p) { p.mutable_outputs(1)->set_name("out"); }},
      {"output 'out'", "population 'c' does not exist",
       [](P &p) { p.mutable_outputs(0)->set_population("c"); }},
      {"outputs[0].population", "control characters, found byte 27",
       [](P &p) { p.mutable_outputs(0)->set_population("c\x1b\n"); }},
      {"output 'out'", "above 0, or by 'each', found 'last=0'",
       [](P &p) { p.mutable_outputs(0)->set_decode("last=0"); }},
      {"layer 'a'", "expected branches of neurons 0 to 2, found [1, 3)",
       [](P &p) {
         image::Layer &layer = *p.add_layers();
         layer.set_population("a");
         layer.set_neurons(2);
         layer.add_branches()->set_first(1);
         layer.mutable_branches(0)->set_end(3);
       }},
      {"output 'out'", "expected a shape of 2 elements",
       [](P &p) { p.mutable_outputs(0)->set_shape(0, 3); }},
  });
}

TEST(Validate, RefusesSumsBeyond64Bits) {
  expectRefused({{"core 2", "may exceed 64 bits", [](P &p) {
                    image::Input &input = *p.mutable_inputs(0);
                    input.set_kind(image::Input::INTEGER);
                    input.set_low(-(int64_t(1) << 31));
                    input.set_scale(1);
                    image::Synapses &memory =
                        *p.mutable_cores(1)->mutable_synapses();
                    std::vector<SynapseList> lists =
                        decodeLists(memory.lists());
                    for (SynapseList &list : lists)
                      list.shift = 31;
                    memory.set_lists(encodeLists(lists));
                    memory.set_weights(encodeI16({-32768, 50, 60, 70}));
                  }}});
}
