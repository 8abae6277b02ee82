// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/fast/CompiledBody.cpp: how memories of bodies as
// machine code are laid out, and which bodies are worth it.

#include "tests/dialects/dend/reference/Support.h"

namespace dendrolith::dend::test {
namespace {

constexpr int64_t kLanes = 4;

/// The body below by hand, for four neurons side by side.
void update(const double *ports, double *states, const double *shared,
            const double *own, double *emitted, double *scratch,
            int64_t neurons) {
  for (int64_t n = 0; n < neurons; n += kLanes)
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      scratch[lane] = 0;
      for (int64_t w = 0; w < 2; ++w) {
        double &sum = states[(n / kLanes * 3 + w) * kLanes + lane];
        sum += ports[(n / kLanes * 2 + w) * kLanes + lane] * shared[w] *
               own[(n / kLanes * 2 + w) * kLanes + lane];
        emitted[(n / kLanes * 2 + w) * kLanes + lane] = sum;
      }
      states[(n / kLanes * 3 + 2) * kLanes + lane] += 1;
    }
}

class ByHand : public BodyCompiler {
public:
  std::shared_ptr<const CompiledBody> compile(NeuronOp model,
                                              int64_t) override {
    auto body = std::make_shared<CompiledBody>();
    body->function = update;
    body->lanes = kLanes;
    body->scratch = kLanes;
    // Ports, parameters and states are the first values.
    EXPECT_EQ(bodyValues(model)[1], Value(model.getParamArgs()[0]));
    body->shared = {{1}};
    body->own = {{2}};
    ++asked;
    return body;
  }
  int asked = 0;

private:
  using Value = mlir::Value;
};

/// Six neurons of two elements, with a state that a clock resets.
Loaded network() {
  return Loaded(R"(
  dend.clock @slow
  dend.clock @fast divides @slow by 2
  dend.input @x on @fast : tensor<12xf64> as !dend.spike<graded>
  dend.constant @q : tensor<2xf64> = dense<[2.0, -1.0]> : tensor<2xf64>
  dend.constant @o : tensor<6x2xf64> = dense<[[1.0, 2.0], [3.0, 4.0],
      [5.0, 6.0], [7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]> : tensor<6x2xf64>
  dend.neuron @m ports(%I : tensor<2xf64>)
      params(%q : tensor<2xf64>, %o : tensor<2xf64> per_neuron)
      states(%sum : tensor<2xf64> reset sample, %age : f64 reset @slow)
      outputs(y[2] : !dend.spike<graded>) {
    %a = dend.mul %I, %q
    %b = dend.mul %a, %o
    %c = dend.add %sum, %b
    %one = dend.literal 1.0 : f64 as f64
    %d = dend.add %age, %one
    dend.yield states(%c, %d) emit(%c)
  }
  dend.population @P : @m[6] on @fast bind {q = @q, o = @o}
  dend.project @x -> @P["I"] #dend.diagonal delay 0
  dend.output @out = @P["y"]
)");
}

Reals ticksOf(int first) {
  Reals values;
  for (int i = 0; i < 24; ++i)
    values.push_back((first + i * 5) % 7 - 2.5);
  return values;
}

TEST(CompiledBody, MemoriesAreThoseOfTheInterpreter) {
  Loaded loaded = network();
  ASSERT_TRUE(loaded) << loaded.errors;
  Interpreter &plain = *loaded->plain;
  fast::Interpreter &fast = *loaded->fast;
  ByHand compiler;
  fast.compile({&compiler, /*always=*/true, 0});
  EXPECT_EQ(compiler.asked, 1);
  auto copy = fast.copy();
  for (int sample = 0; sample < 2; ++sample) {
    for (Interpreter *each :
         std::initializer_list<Interpreter *>{&plain, &fast, copy.get()})
      each->reset();
    for (int tick = 0; tick < 3; ++tick) {
      const Reals values = ticksOf(sample + tick);
      plain.tick({{"x", values}});
      for (Interpreter *each : {&fast, copy.get()}) {
        each->tick({{"x", values}});
        for (const char *state : {"sum", "age"})
          EXPECT_EQ(each->state("P", state).real, plain.state("P", state).real);
        EXPECT_EQ(each->output("out"), plain.output("out"));
      }
    }
  }
}

TEST(CompiledBody, ShortRunsAreNotWorthIt) {
  Loaded loaded = network();
  ASSERT_TRUE(loaded) << loaded.errors;
  ByHand compiler;
  loaded->fast->compile({&compiler, /*always=*/false, 100});
  loaded->fast->compile({nullptr, /*always=*/true, 100});
  EXPECT_EQ(compiler.asked, 0);
  loaded->fast->compile({&compiler, /*always=*/false, 1000000});
  EXPECT_EQ(compiler.asked, 1);
}

TEST(CompiledBody, DependenciesGoThroughOps) {
  Loaded loaded = network();
  ASSERT_TRUE(loaded) << loaded.errors;
  NeuronOp model = *loaded.network.getOps<NeuronOp>().begin();
  const auto state = Depends::OnState;
  // I, q, o, sum, age; a, b, c, one, d
  EXPECT_EQ(dependenciesOf(model),
            (std::vector<Depends>{state, Depends::OnShared, Depends::OnOwn,
                                  state, state, state, state, state,
                                  Depends::OnShared, state}));
}

TEST(CompiledBody, OnlyStatesThatAreAskedForAreRecorded) {
  Loaded loaded = network();
  ASSERT_TRUE(loaded) << loaded.errors;
  loaded->fast->recordStates({{"P", "age"}});
  loaded->fast->tick({{"x", ticksOf(0)}});
  EXPECT_EQ(loaded->fast->state("P", "sum").ticks, 0);
  EXPECT_EQ(loaded->fast->state("P", "age").ticks, 2);
}

} // namespace
} // namespace dendrolith::dend::test
