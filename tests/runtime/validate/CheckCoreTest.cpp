// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What validate() says of a core's groups and tables.

#include "tests/runtime/Mutation.h"

using namespace dendrolith;
using namespace dendrolith::test;
using P = image::Program;

static image::Core &core2(P &p) { return *p.mutable_cores(1); }
static image::Cuba &cuba(P &p) {
  return *p.mutable_cores(0)->mutable_groups(0)->mutable_cuba();
}

/// Changes list l of core 2.
static void editList(P &p, size_t l,
                     const std::function<void(SynapseList &)> &edit) {
  image::Synapses &memory = *core2(p).mutable_synapses();
  std::vector<SynapseList> lists = decodeLists(memory.lists());
  edit(lists[l]);
  memory.set_lists(encodeLists(lists));
}

/// Changes in-axon a of core 2.
static void editInAxon(P &p, size_t a,
                       const std::function<void(InAxon &)> &edit) {
  std::vector<InAxon> rows = decodeInAxons(core2(p).in_axons());
  edit(rows[a]);
  core2(p).set_in_axons(encodeInAxons(rows));
}

/// Changes the out-axons of the group of core 0.
static void editAxons(P &p, const std::function<void(AxonTable &)> &edit) {
  image::Group &group = *p.mutable_cores(0)->mutable_groups(0);
  AxonTable table = decodeAxons(group.axons());
  edit(table);
  *group.mutable_axons() = encodeAxons(table);
}

TEST(Validate, RefusesWrongCoresAndGroups) {
  expectRefused({
      {"core 0", "in order of id without repetition, found it after core 0",
       [](P &p) { core2(p).set_id(0); }},
      {"core 0", "found it after core 2",
       [](P &p) { p.mutable_cores()->SwapElements(0, 1); }},
      {"core 1048576", "id of at most 1048575",
       [](P &p) { core2(p).set_id(1 << 20); }},
      {"core 5", "unused cores are left out",
       [](P &p) { p.add_cores()->set_id(5); }},
      {"core 2, group 0", "at least one neuron, found 0",
       [](P &p) { core2(p).mutable_groups(0)->set_count(0); }},
      {"core 2, group 1", "population 'x' does not exist",
       [](P &p) { core2(p).mutable_groups(1)->set_population("x"); }},
      {"core 2, group 1", "expected neurons below 2",
       [](P &p) { core2(p).mutable_groups(1)->set_first_neuron(1); }},
      {"core 2, group 1", "found 2 from 18446744073709551615",
       [](P &p) { core2(p).mutable_groups(1)->set_first_neuron(~0ull); }},
      {"core 2, group 0", "expected phase 1, that of population 'a', found 2",
       [](P &p) { core2(p).mutable_groups(0)->set_phase(2); }},
      {"core 2, group 0", "neuron 1 of population 'a' is placed a second time",
       [](P &p) { core2(p).mutable_groups(0)->set_first_neuron(1); }},
      {"population 'a'", "neuron 2 is on no core",
       [](P &p) {
         core2(p).mutable_groups()->DeleteSubrange(0, 1);
         core2(p).mutable_groups(0)->set_base(0);
         core2(p).set_in_axons("");
         p.mutable_inputs(0)->mutable_axons()->set_rows("");
       }},
      {"population 'a'", "neuron 0 is on no core",
       [](P &p) {
         image::Population &a = *p.mutable_populations(0);
         a.set_size(4);
         a.set_shape(0, 4);
         p.mutable_cores(0)->mutable_groups(0)->set_first_neuron(1);
         core2(p).mutable_groups(0)->set_first_neuron(3);
       }},
      {"core 2", "two groups hold accumulator 2",
       [](P &p) { core2(p).mutable_groups(0)->set_base(2); }},
      {"core 2, group 1", "expected accumulators below 268435456",
       [](P &p) { core2(p).mutable_groups(1)->set_base(4294967295u); }},
      {"core 2, group 1", "neuron engine",
       [](P &p) { core2(p).mutable_groups(1)->clear_engine(); }},
      {"core 2", "buckets",
       [](P &p) {
         core2(p).mutable_groups(1)->set_base((1 << 28) - 2);
         editInAxon(p, 0, [](InAxon &row) { row.delay = 4096; });
         editInAxon(p, 2, [](InAxon &row) { row.base = (1 << 28) - 2; });
         editInAxon(p, 3, [](InAxon &row) { row.base = (1 << 28) - 1; });
         editInAxon(p, 4, [](InAxon &row) { row.base = (1 << 28) - 2; });
       }},
  });
}

TEST(Validate, RefusesWrongNeuronParameters) {
  expectRefused({
      {"core 0, group 0, decay_u", "expected 1 or 2 values, found 0",
       [](P &p) { cuba(p).clear_decay_u(); }},
      {"core 0, group 0, decay_v", "expected 1 or 2 values, found 3",
       [](P &p) {
         cuba(p).add_decay_v(1);
         cuba(p).add_decay_v(1);
       }},
      {"core 0, group 0, decay_u[0]", "expected -1 to 4095, found 4096",
       [](P &p) { cuba(p).set_decay_u(0, 4096); }},
      {"core 0, group 0, decay_u[1]", "expected -1 to 4095, found -2",
       [](P &p) { cuba(p).add_decay_u(-2); }},
      {"core 0, group 0, decay_v[0]", "expected 0 to 4096, found -1",
       [](P &p) { cuba(p).set_decay_v(0, -1); }},
      {"core 0, group 0, threshold[0]", "found -2147483648",
       [](P &p) { cuba(p).set_threshold(0, INT32_MIN); }},
      {"core 0, group 0, threshold", "found 0",
       [](P &p) { cuba(p).clear_threshold(); }},
      {"core 0, group 0, bias[0]", "found -2147483648",
       [](P &p) { cuba(p).set_bias(0, INT32_MIN); }},
      {"core 0, group 0, initial_u[0]", "expected -8388607 to 8388608",
       [](P &p) { cuba(p).add_initial_u(-(1 << 23)); }},
      {"core 0, group 0, initial_u[0]", "expected -8388608 to 8388607",
       [](P &p) {
         cuba(p).set_wrap_open_high(true);
         cuba(p).add_initial_u(1 << 23);
       }},
      {"core 0, group 0, initial_v[0]", "found 8388608",
       [](P &p) { cuba(p).add_initial_v(1 << 23); }},
      {"core 0, group 0, initial_v", "expected 1 or 2 values, found 3",
       [](P &p) {
         for (int i = 0; i < 3; ++i)
           cuba(p).add_initial_v(0);
       }},
      {"core 0, group 0, input_wrap_bits", "at most 32, found 33",
       [](P &p) { cuba(p).set_input_wrap_bits(33); }},
      {"core 0, group 0, current_bits", "expected 2 to 31, found 32",
       [](P &p) { cuba(p).set_current_bits(32); }},
      {"core 0, group 0, current_bits", "expected 2 to 32, found 1",
       [](P &p) {
         cuba(p).set_current_bits(1);
         cuba(p).set_wrap_open_high(true);
       }},
      {"core 0, group 0, vmin", "found 1", [](P &p) { cuba(p).set_vmin(1); }},
      {"core 0, group 0, vmin", "found -2147483649",
       [](P &p) { cuba(p).set_vmin(-2147483649ll); }},
      {"core 0, group 0, vmax", "found -1", [](P &p) { cuba(p).set_vmax(-1); }},
      {"core 0, group 0, vmax", "found 2147483648",
       [](P &p) { cuba(p).set_vmax(2147483648ll); }},
      {"core 0, group 0, refractory", "at most 1048576 steps, found 1048577",
       [](P &p) { cuba(p).set_refractory(1048577); }},
  });
}

TEST(Validate, RefusesWrongSynapseMemory) {
  expectRefused({
      {"core 2, lists", "a table of 5 rows to end after",
       [](P &p) { core2(p).mutable_synapses()->mutable_lists()->resize(99); }},
      {"core 2, weights", "whole table, found one of 7 bytes",
       [](P &p) { core2(p).mutable_synapses()->mutable_weights()->resize(7); }},
      {"core 2, offsets", "a table of 2 rows to end after",
       [](P &p) { core2(p).mutable_synapses()->mutable_offsets()->resize(9); }},
      {"core 2, list 3", "entries among 4 weights, found 4 to 4",
       [](P &p) { editList(p, 3, [](SynapseList &l) { l.first = 4; }); }},
      {"core 2, list 0", "found 0 to 4294967294",
       [](P &p) { editList(p, 0, [](SynapseList &l) { l.count = ~0u; }); }},
      {"core 2, list 0", "at least one entry, found 0",
       [](P &p) { editList(p, 0, [](SynapseList &l) { l.count = 0; }); }},
      {"core 2, list 1", "found 200",
       [](P &p) {
         editList(p, 1, [](SynapseList &l) { l.kind = ListKind(200); });
       }},
      {"core 2, list 1", "1 to 31 to the right, found 32",
       [](P &p) { editList(p, 1, [](SynapseList &l) { l.shift = 32; }); }},
      {"core 2, list 1", "1 to 31 to the right, found 96",
       [](P &p) { editList(p, 1, [](SynapseList &l) { l.shift = 96; }); }},
      {"core 2, list 1", "at least one word",
       [](P &p) { editList(p, 1, [](SynapseList &l) { l.words = 0; }); }},
      {"core 2, list 1", "16 weight bits and 32 index bits, found 17 and 0",
       [](P &p) { editList(p, 1, [](SynapseList &l) { l.weightBits = 17; }); }},
      {"core 2, list 4", "expected offsets among 2, found 1 to 2",
       [](P &p) { editList(p, 4, [](SynapseList &l) { l.firstOffset = 1; }); }},
      {"core 2, list 4", "strictly increasing",
       [](P &p) {
         core2(p).mutable_synapses()->set_offsets(encodeU32({1, 1}));
       }},
      {"core 2, list 4", "strictly increasing",
       [](P &p) {
         core2(p).mutable_synapses()->set_offsets(encodeU32({1, 0}));
       }},
  });
}

TEST(Validate, RefusesWrongInAxons) {
  expectRefused({
      {"core 2, in-axons", "found",
       [](P &p) { core2(p).set_in_axons(std::string(13, '\0')); }},
      {"core 2, in-axon 1", "list 5 does not exist, the core has 5 lists",
       [](P &p) { editInAxon(p, 1, [](InAxon &row) { row.list = 5; }); }},
      {"core 2, in-axon 3", "reaches accumulators 3 to 3",
       [](P &p) { editInAxon(p, 3, [](InAxon &row) { row.base = 3; }); }},
      {"core 2, in-axon 4", "reaches accumulators 2 to 3",
       [](P &p) { editInAxon(p, 4, [](InAxon &row) { row.base = 2; }); }},
      {"core 2, in-axon 4", "reaches accumulators 4294967295 to 4294967296",
       [](P &p) { editInAxon(p, 4, [](InAxon &row) { row.base = ~0u; }); }},
      // A gap between the groups belongs to nobody.
      {"core 2, in-axon 2", "reaches accumulators 1 to 1",
       [](P &p) { core2(p).mutable_groups(1)->set_base(2); }},
      {"core 2, in-axon 4", "expected port 0, found 1",
       [](P &p) { editInAxon(p, 4, [](InAxon &row) { row.port = 1; }); }},
      {"core 2, in-axon 4", "at most 4096 steps, found 4097",
       [](P &p) { editInAxon(p, 4, [](InAxon &row) { row.delay = 4097; }); }},
  });
}

TEST(Validate, RefusesWrongOutAxons) {
  expectRefused({
      {"core 0, group 0", "expected 3 row bounds",
       [](P &p) { p.mutable_cores(0)->mutable_groups(0)->clear_axons(); }},
      {"core 0, group 0", "expected 3 row bounds",
       [](P &p) { editAxons(p, [](AxonTable &t) { t.begin.push_back(2); }); }},
      {"core 0, group 0, rows", "found one of 15 bytes",
       [](P &p) {
         p.mutable_cores(0)
             ->mutable_groups(0)
             ->mutable_axons()
             ->mutable_rows()
             ->resize(15);
       }},
      {"core 0, group 0", "row bounds from 0 to 2, found 1 to 2",
       [](P &p) { editAxons(p, [](AxonTable &t) { t.begin[0] = 1; }); }},
      {"core 0, group 0", "row bounds from 0 to 2, found 0 to 1",
       [](P &p) { editAxons(p, [](AxonTable &t) { t.begin[2] = 1; }); }},
      {"core 0, group 0, source 0", "rising row bounds, found 0 before 9",
       [](P &p) { editAxons(p, [](AxonTable &t) { t.begin[1] = 9; }); }},
      {"core 0, group 0, source 1, row 1", "core 1 is not a core",
       [](P &p) { editAxons(p, [](AxonTable &t) { t.rows[1].core = 1; }); }},
      {"core 0, group 0, source 1, row 1", "core 4294967295 is not a core",
       [](P &p) { editAxons(p, [](AxonTable &t) { t.rows[1].core = ~0u; }); }},
      {"core 0, group 0, source 0, row 0",
       "in-axon 5 does not exist, core 2 has 5 in-axons",
       [](P &p) { editAxons(p, [](AxonTable &t) { t.rows[0].axon = 5; }); }},
      {"core 0, group 0, source 0, row 1", "found (2, 3) after (2, 3)",
       [](P &p) {
         editAxons(p, [](AxonTable &t) {
           t.begin[1] = 2;
           t.rows[0].axon = 3;
         });
       }},
      {"core 0, group 0, source 0, row 1", "found (0, 1) after (2, 2)",
       [](P &p) {
         editAxons(p, [](AxonTable &t) {
           t.begin[1] = 2;
           t.rows[1] = {0, 1};
         });
       }},
      {"input 'in', source 0, row 1", "core 3 is not a core",
       [](P &p) {
         *p.mutable_inputs(0)->mutable_axons() =
             encodeAxons({{0, 2, 2}, {{0, 0}, {3, 0}}});
       }},
  });
}

TEST(Validate, TakesLinearTimeOnSharedLists) {
  // A hundred thousand lists over the same hundred thousand entries.
  image::Program program = smallProgram();
  constexpr uint32_t many = 100000;
  image::Population &b = *program.mutable_populations(1);
  b.set_size(many);
  b.set_shape(0, many);
  for (image::Output &output : *program.mutable_outputs())
    output.set_shape(0, many);
  image::Group &group = *core2(program).mutable_groups(1);
  group.set_count(many);
  *group.mutable_axons() =
      encodeAxons({std::vector<uint32_t>(many + 1, 0), {}});
  std::vector<uint32_t> offsets(many);
  for (uint32_t i = 0; i < many; ++i)
    offsets[i] = i;
  image::Synapses &memory = *core2(program).mutable_synapses();
  memory.set_weights(encodeI16(std::vector<int16_t>(many, 1)));
  memory.set_offsets(encodeU32(offsets));
  memory.set_lists(encodeLists(std::vector<SynapseList>(
      many, SynapseList{0, many, 0, 1, ListKind::Sparse, 0, 8, 6})));
  std::vector<InAxon> rows(many);
  for (uint32_t i = 0; i < many; ++i)
    rows[i] = InAxon{i, 1, 0, 0};
  core2(program).set_in_axons(encodeInAxons(rows));
  // Ten thousand million entries if each list were walked.
  validate(program);
}
