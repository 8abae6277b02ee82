// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A body before and after --dend-expand-structure in the reference
// interpreter: the same bits for random values, in real and in fixed point, at
// the top and inside dend.when.

#include "tests/compiler/transforms/Expanded.h"

#include <cstring>

namespace dendrolith::test {
namespace {

constexpr int64_t kNeurons = 500;

/// Values with many ties and signed zeros among random ones.
std::string draw(std::mt19937 &random, const std::string &element,
                 int64_t count) {
  std::string text = "[";
  for (int64_t i = 0; i < count; ++i) {
    text += i ? ", " : "";
    if (element == "i1") {
      text += random() % 2 ? "true" : "false";
    } else if (element == "f64" || element == "f32") {
      char number[40];
      double x = double(int(random() % 9) - 4) / 2;
      if (random() % 3 == 0)
        x = (double(random()) / 4294967296.0 - 0.5) * 10;
      if (x == 0 && random() % 2)
        x = -x;
      std::snprintf(number, sizeof number, "%.17e",
                    element == "f32" ? double(float(x)) : x);
      text += number;
    } else if (element == "i32") {
      text += std::to_string(random() % 2 ? int32_t(random())
                                          : int32_t(random() % 5) - 2);
    } else { // !dend.fx<8, ..>
      text += std::to_string(random() % 2 ? int(random() % 256) - 128
                                          : int(random() % 5) - 2);
    }
  }
  return text + "]";
}

/// "tensor<4x2xE>": its elements per neuron and E.
std::pair<int64_t, std::string> partsOf(const std::string &type) {
  if (type.rfind("tensor<", 0) != 0)
    return {1, type};
  std::string rest = type.substr(7, type.size() - 8);
  int64_t count = 1;
  for (; rest[0] >= '0' && rest[0] <= '9';
       rest = rest.substr(rest.find('x') + 1))
    count *= std::stoll(rest);
  return {count, rest};
}

/// [a, b, c, d] as [[a, b], [c, d]] by the type's shape.
std::string nested(const std::string &flat, const std::string &type) {
  if (type.rfind("tensor<", 0) != 0)
    return flat;
  std::vector<int64_t> extents;
  std::string rest = type.substr(7);
  for (; rest[0] >= '0' && rest[0] <= '9';
       rest = rest.substr(rest.find('x') + 1))
    extents.push_back(std::stoll(rest));
  std::string text = "[";
  int64_t index = 0;
  auto edge = [&](bool open) {
    int64_t size = 1;
    for (size_t k = extents.size(); k-- > 0;) {
      size *= extents[k];
      if (open && index % size == 0)
        text += "[";
      if (!open && index % size == size - 1)
        text += "]";
    }
  };
  edge(true);
  for (char c : flat.substr(1, flat.size() - 2)) {
    if (c == ',')
      edge(false);
    text += c;
    if (c == ',') {
      ++index;
      edge(true);
    }
  }
  edge(false);
  return text + "]";
}

/// Names and types of parameters, one random value per neuron each.
using Types = std::vector<std::pair<std::string, std::string>>;

/// `body` gives %out of type `type`; compares both forms, bare and in a
/// dend.when that keeps zero under a random condition. `gone` is the
/// op that must be gone.
void expectSame(const std::string &type, const Types &types,
                const std::string &body, const std::string &gone) {
  SCOPED_TRACE(body);
  static std::mt19937 random(7);
  std::vector<Argument> arguments;
  for (auto &[name, of] : types) {
    auto [count, element] = partsOf(of);
    arguments.push_back({name, of,
                         nested(draw(random, element, kNeurons * count), of),
                         kNeurons});
  }
  arguments.push_back({"go", "i1", draw(random, "i1", kNeurons), kNeurons});
  // %result is the old state, zero in the first tick.
  std::string inner = body;
  inner.replace(inner.find("%out"), 4, "%inner");
  std::string when = "%out = dend.when %go keep(%result : " + type + ") -> (" +
                     type + ") {\n" + inner + "\ndend.give %inner : " + type +
                     "\n}";
  for (const std::string &form : {body, when}) {
    std::string text = bodyNetwork(type, arguments, form, kNeurons);
    dend::test::Loaded before(text);
    ASSERT_TRUE(before) << before.errors;
    Expanded after(text);
    ASSERT_TRUE(after);
    EXPECT_EQ(after.text().find(gone), std::string::npos) << after.text();
    before->tick({});
    after->tick({});
    const dend::Signal &a = before->state("P", "result"),
                       &b = after->state("P", "result");
    EXPECT_EQ(a.raw, b.raw);
    ASSERT_EQ(a.real.size(), b.real.size());
    if (!a.real.empty()) {
      EXPECT_EQ(0, std::memcmp(a.real.data(), b.real.data(),
                               a.real.size() * sizeof(double)));
    }
    EXPECT_GT(a.real.size() + a.raw.size(), 0u);
  }
}

const std::vector<std::string> kElements = {"f64", "f32", "!dend.fx<8, -3>",
                                            "i32"};
std::string vectorOf(const std::string &element) {
  return "tensor<3x" + element + ">";
}

TEST(ExpandStructure, FireKeepsBits) {
  for (const std::string &element : kElements)
    for (const std::string &v : {element, vectorOf(element)})
      for (const std::string &theta : {element, v})
        for (std::string reset : {"none", "subtract", "value", "value to"})
          for (std::string inclusive : {"", " inclusive"}) {
            bool to = reset == "value to";
            std::string signature =
                " : (" + v + ", " + theta + (to ? ", " + element : "") + ") ";
            std::string spike = v == element ? "i1" : vectorOf("i1");
            std::string op = "dend.fire %v, %theta reset " + reset +
                             (to ? " %to" : "") + inclusive + signature +
                             "-> (" + spike + ", " + v + ")";
            Types types = {{"v", v}, {"theta", theta}, {"to", element}};
            expectSame(v, types, "%s, %out = " + op, "dend.fire");
            expectSame(spike, types, "%out, %n = " + op, "dend.fire");
          }
}

TEST(ExpandStructure, JoinKeepsBits) {
  std::vector<std::string> elements = kElements;
  elements.push_back("i1");
  for (const std::string &element : elements)
    for (std::string kind :
         {"sum", "max", "min", "or", "and", "pass", "absmax"})
      for (int branches = 1; branches <= 3; ++branches)
        for (bool tensor : {false, true}) {
          if (element == "i1" && (kind == "sum" || kind == "absmax"))
            continue;
          // Branches of mixed shapes: the first is a scalar.
          Types types;
          std::string names, signature;
          for (int j = 0; j < branches; ++j) {
            std::string type =
                tensor && j + 1 == branches ? vectorOf(element) : element;
            types.push_back({"x" + std::to_string(j), type});
            names += (j ? ", %x" : "%x") + std::to_string(j);
            signature += (j ? ", " : "") + type;
          }
          std::string out = tensor ? vectorOf(element) : element;
          expectSame(out, types,
                     "%out = dend.join " + kind + "(" + names + ") : (" +
                         signature + ") -> " + out,
                     "dend.join");
        }
}

// One unit of a type that holds -1 and 0 is -1.
TEST(ExpandStructure, JoinOfOneBitKeepsBits) {
  std::string t = "!dend.fx<1, 0>";
  auto choose = [&](std::string x) {
    return "%" + x + "v = dend.select %" + x + ", %one, %zero : (i1, " + t +
           ", " + t + ") -> " + t + "\n";
  };
  std::string text = bodyNetwork(t,
                                 {{"x", "i1", "[false, false, true, true]", 4},
                                  {"y", "i1", "[false, true, false, true]", 4}},
                                 "%one = dend.literal -1 : i64 as " + t +
                                     "\n%zero = dend.literal 0 : i64 as " + t +
                                     "\n" + choose("x") + choose("y") +
                                     "%out = dend.join or(%xv, %yv) : (" + t +
                                     ", " + t + ") -> " + t,
                                 4);
  dend::test::Loaded before(text);
  Expanded after(text);
  ASSERT_TRUE(before && after);
  before->tick({});
  after->tick({});
  EXPECT_EQ(before->state("P", "result").raw,
            (std::vector<int64_t>{0, -1, -1, -1}));
  EXPECT_EQ(after->state("P", "result").raw, before->state("P", "result").raw);
}

TEST(ExpandStructure, WeightedJoinKeepsBits) {
  for (const std::string &y : {std::string("f64"), vectorOf("f64")})
    expectSame(y, {{"x", "f64"}, {"y", y}, {"w", "tensor<2xf64>"}},
               "%out = dend.join sum(%x, %y) weights %w : (f64, " + y +
                   ", tensor<2xf64>) -> " + y,
               "dend.join");
}

TEST(ExpandStructure, CompartmentAndSomaKeepBits) {
  for (const std::string &v : {std::string("f64"), vectorOf("f64")}) {
    Types types = {{"v", v},     {"d", "f64"}, {"i", "f64"},
                   {"k", "f64"}, {"g", "f64"}, {"f", v}};
    expectSame(v, types,
               "%out = dend.compartment %v drive %i keep %k gain %g offset %f "
               ": (" +
                   v + ", f64, f64, f64, " + v + ") -> " + v,
               "dend.compartment");
    expectSame(v, types,
               "%out = dend.compartment %v drive %i keep %k : (" + v +
                   ", f64, f64) -> " + v,
               "dend.compartment");
    expectSame(v, types,
               "%out = dend.soma %v, %d, %i keep %k gain %g feed %f : (" + v +
                   ", f64, f64, f64, f64, " + v + ") -> " + v,
               "dend.soma");
  }
}

TEST(ExpandStructure, DeltaRuleKeepsBits) {
  std::string vector = "tensor<4xf64>", matrix = "tensor<4x2xf64>",
              value = "tensor<2xf64>";
  for (bool isMatrix : {false, true}) {
    std::string state = isMatrix ? matrix : vector,
                target = isMatrix ? value : "f64";
    expectSame(state,
               {{"u", state},
                {"a", vector},
                {"y", target},
                {"p", target},
                {"k", "f64"},
                {"r", "f64"}},
               "%out = dend.delta_rule %u key %a target %y prediction %p keep "
               "%k rate %r : (" +
                   state + ", " + vector + ", " + target + ", " + target +
                   ", f64, f64) -> " + state,
               "dend.delta_rule");
  }
}

// New ops stand where the old one stood.
TEST(ExpandStructure, KeepsLocations) {
  Expanded net(bodyNetwork(
      "f64", {{"v", "f64", "1.0"}},
      "%s, %out = dend.fire %v, %v reset value : (f64, f64) -> (i1, f64)", 1));
  ASSERT_TRUE(net);
  int seen = 0;
  net.network().walk([&](mlir::Operation *op) {
    if (!mlir::isa<dend::CmpOp, dend::SelectOp, dend::LiteralOp>(op))
      return;
    ++seen;
    auto loc = mlir::dyn_cast<mlir::FileLineColLoc>(op->getLoc());
    ASSERT_TRUE(loc);
    EXPECT_EQ(loc.getLine(), 5u);
  });
  EXPECT_EQ(seen, 3);
}

} // namespace
} // namespace dendrolith::test
