// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/validate/CheckCode.cpp, runtime/validate/CheckMicrocode.cpp.
// Groups of one population that run different programs: what may differ, and
// what validate() says where it may not.

#include "tests/runtime/MicrocodeFixture.h"
#include "tests/runtime/Mutation.h"

using namespace dendrolith;
using namespace dendrolith::test;
using P = image::Program;

static image::Microprogram &micro1(P &p) {
  return *p.mutable_cores(1)->mutable_programs(0);
}
static image::Microcode &data1(P &p) {
  return *p.mutable_cores(1)->mutable_groups(0)->mutable_microcode();
}

/// The neuron on core 1 lacks state w and what computes it.
static P variants() {
  P program = microProgram();
  std::vector<Instruction> code = smallCode();
  code.pop_back();
  micro1(program).set_code(micro::encodeCode(code));
  micro1(program).mutable_states()->RemoveLast();
  data1(program).mutable_initial()->RemoveLast();
  return program;
}

TEST(ValidateVariants, ProgramsMayDifferInStatesParametersAndCode) {
  P program = variants();
  validate(program);
  // A state of some of the neurons can be shown.
  addOutput(program, "w", "p", 3, image::Output::STATE);
  program.mutable_outputs(2)->set_from("w");
  validate(program);
  micro1(program).set_model("another");
  validate(program);
  micro1(program).mutable_params(0)->set_name("other");
  validate(program);
}

TEST(ValidateVariants, RefusesProgramsThatTheNetworkSeesDiffer) {
  const char *group = "core 1, group 0",
             *what = "expected a program with the ports and outputs of the "
                     "other groups of population 'p', found others";
  expectRefused(
      {
          {group, what,
           [](P &p) { micro1(p).mutable_ports(0)->set_name("K"); }},
          {group, what, [](P &p) { micro1(p).mutable_ports(0)->set_width(8); }},
          {group, what, [](P &p) { micro1(p).mutable_ports(0)->set_hold(1); }},
          {group, what,
           [](P &p) {
             auto &port = *micro1(p).add_ports();
             port = micro1(p).ports(1);
             port.set_name("K");
           }},
          {group, what,
           [](P &p) { micro1(p).mutable_outputs(1)->set_name("h"); }},
          {group, what,
           [](P &p) { micro1(p).mutable_outputs(1)->set_high(6); }},
          {group, what,
           [](P &p) {
             using Emission = image::Microprogram::Emission;
             micro1(p).mutable_outputs(2)->set_kind(Emission::GRADED);
             micro1(p).mutable_outputs(2)->set_steps(1);
           }},
          {"population 'p'",
           "state 'w' to have as many elements in each of its programs, found "
           "1 and 2",
           [](P &p) {
             auto &state = *micro1(p).add_states();
             state.set_name("w");
             state.set_elements(2);
             state.set_width(16);
             data1(p).add_initial("");
           }},
          {"output 'v'", "a state of population 'p', 'v', 'w', found 'u'",
           [](P &p) { p.mutable_outputs(1)->set_from("u"); }},
          {"output 'v'", "a shape of 3 elements",
           [](P &p) { p.mutable_outputs(1)->set_from("w"); }},
          // The words of a group are those of its own program.
          {group, "initial words of 1 states, found 2",
           [](P &p) { data1(p).add_initial(""); }},
      },
      variants());
}
