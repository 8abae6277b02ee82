// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON of an exported graph, schema 8 of torch.export.

#include "compiler/import/torch/Pairs.h"
#include "compiler/import/torch/Program.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::torch {
namespace {

using Json = nlohmann::json;
using Kind = Argument::Kind;

constexpr size_t kMaxNodes = 100000;
constexpr int64_t kMaxElements = int64_t(1) << 22;   // of a value
constexpr uint64_t kMaxTogether = uint64_t(1) << 26; // of all values

/// Where the user wrote an operation: the last frame that is no library's.
std::string placeOf(const std::string &trace) {
  std::string found, last;
  for (size_t at = trace.find("File \""); at != std::string::npos;
       at = trace.find("File \"", at + 1)) {
    size_t end = trace.find("\", line ", at);
    if (end == std::string::npos)
      break;
    std::string file = trace.substr(at + 6, end - at - 6);
    size_t first = end + 8, stop = trace.find_first_not_of("0123456789", first);
    last = file + ":" + trace.substr(first, stop - first);
    if (file.find("-packages/") == std::string::npos &&
        file.find("dendrolith/torch") == std::string::npos)
      found = last;
  }
  return printable(found.empty() ? last : found, 512);
}

/// The path of the innermost module: of "id,path,class;id,path,class" the last.
std::string moduleOf(const std::string &stack) {
  size_t begin = stack.rfind(';');
  std::string last =
      begin == std::string::npos ? stack : stack.substr(begin + 1);
  size_t first = last.find(','), second = last.find(',', first + 1);
  if (first == std::string::npos || second == std::string::npos)
    return "";
  return last.substr(first + 1, second - first - 1);
}

double numberOf(const Json &value) {
  if (!value.is_string())
    return value.get<double>();
  const auto word = value.get<std::string>();
  return word == "Infinity" ? INFINITY : word == "-Infinity" ? -INFINITY : NAN;
}

/// An object with one entry; throws as at() does for anything else.
const Json &only(const Json &given) {
  return given.is_object() && !given.empty() ? given : given.at("kind");
}

class GraphReader {
public:
  GraphReader(const std::string &path,
              const std::map<std::string, Constant> &weights)
      : weights(weights) {
    program.path = path;
  }

  Program run(const Json &file) {
    version(file.at("schema_version"));
    const Json &module = file.at("graph_module"), &graph = module.at("graph");
    for (const auto &[name, tensor] : graph.at("tensor_values").items()) {
      program.shapes[name] = shape(name, tensor);
      const int64_t type =
          tensor.contains("dtype") ? integerFrom(tensor.at("dtype")) : 0;
      if (type >= 9 && type <= 11)
        program.complex.insert(name);
    }
    const Json &nodes = graph.at("nodes");
    if (nodes.size() > kMaxNodes)
      fail(fmt::format("has {} operations, at most {} are read", nodes.size(),
                       kMaxNodes));
    for (const Json &one : nodes)
      addNode(one);
    signature(module.at("signature"));
    dropUnread();
    return std::move(program);
  }

private:
  [[noreturn]] void fail(const std::string &text) const {
    throw Error(program.path + ": " + text);
  }

  void version(const Json &said) const {
    const int64_t major = integerFrom(said.at("major"));
    if (major != 8)
      fail(fmt::format("has schema {} of torch.export, expected 8", major));
  }

  Shape shape(const std::string &name, const Json &tensor) {
    Shape extents;
    for (const Json &size : tensor.at("sizes")) {
      if (!size.contains("as_int"))
        fail(fmt::format("the tensor {} has an extent that is not fixed; "
                         "export it without dynamic_shapes",
                         quotedName(name)));
      extents.push_back(integerFrom(size.at("as_int")));
      if (extents.back() < 0 || extents.back() > kMaxElements)
        fail("a tensor has an extent out of range");
    }
    if (product(extents) > uint64_t(kMaxElements))
      fail(fmt::format("the tensor {} has more than 2^22 elements",
                       quotedName(name)));
    together += product(extents);
    if (together > kMaxTogether)
      fail("all values together have more than 2^26 elements");
    return extents;
  }

  static Argument argument(const Json &given) {
    Argument made;
    const auto entry = only(given).begin();
    const std::string &key = entry.key();
    const Json &value = entry.value();
    if (key == "as_tensor") {
      made.kind = Kind::Tensor;
      made.names.push_back(value.at("name"));
    } else if (key == "as_tensors" || key == "as_optional_tensors") {
      made.kind = Kind::Tensors;
      for (const Json &one : value)
        tensorOf(one, made.names);
    } else if (key == "as_int" || key == "as_bool" || key == "as_scalar_type") {
      made.kind = key == "as_bool" ? Kind::Bool : Kind::Integer;
      made.integers = {key == "as_bool" ? int64_t(value.get<bool>())
                                        : integerFrom(value)};
      made.real = double(made.integers[0]);
    } else if (key == "as_ints") {
      made.kind = Kind::Integers;
      for (const Json &one : value)
        made.integers.push_back(integerFrom(one));
    } else if (key == "as_float") {
      made.kind = Kind::Real;
      made.real = numberOf(value);
    } else if (key == "as_complex") {
      made.kind = Kind::Complex;
      made.real = numberOf(value.at("real"));
      made.imaginary = numberOf(value.at("imag"));
    } else if (key == "as_string") {
      made.kind = Kind::Text;
      made.text = value;
    }
    return made;
  }
  static void tensorOf(const Json &one, std::vector<std::string> &names) {
    const Json &tensor = one.contains("as_tensor") ? one.at("as_tensor") : one;
    names.push_back(tensor.contains("name") ? tensor.at("name") : "");
  }

  void addNode(const Json &given) {
    Node node;
    const auto target = given.at("target").get<std::string>();
    const Json metadata = given.value("metadata", Json::object());
    node.place = placeOf(metadata.value("stack_trace", ""));
    node.module = moduleOf(metadata.value("nn_module_stack", ""));
    const std::string core = "torch.ops.aten.";
    node.op = startsWith(target, core)
                  ? target.substr(core.size(), target.rfind('.') - core.size())
                  : target;
    if (node.op == "_neg_view") // what conj() leaves of an imaginary part
      node.op = "neg";
    for (const Json &input : given.at("inputs"))
      node.inputs.emplace_back(input.at("name"), argument(input.at("arg")));
    for (const Json &output : given.at("outputs")) {
      Argument made = argument(output);
      node.outputs.insert(node.outputs.end(), made.names.begin(),
                          made.names.end());
    }
    for (const std::string &name : node.outputs)
      if (!program.shapes.count(name))
        fail(fmt::format("the tensor {} has no shape", quotedName(name)));
    program.nodes.push_back(std::move(node));
  }

  const Constant &weight(const std::string &name) const {
    auto found = weights.find(name);
    if (found == weights.end())
      fail(fmt::format("the array {} is not in the file", quotedName(name)));
    return found->second;
  }
  void check(const std::string &tensor, const Constant &found) const {
    auto said = program.shapes.find(tensor);
    if (said == program.shapes.end() || said->second != found.shape)
      fail(fmt::format("the array {} has shape {}, which is not what the graph "
                       "says",
                       quotedName(found.name), textOf(found.shape)));
    if (!found.imaginary.empty() && !program.complex.count(tensor))
      fail(fmt::format("the array {} is complex, which is not what the graph "
                       "says",
                       quotedName(found.name)));
  }

  void signature(const Json &given) {
    std::vector<std::string> inputs, results;
    std::map<std::string, std::string> buffers, changed;
    for (const Json &one : given.at("input_specs"))
      addInput(one, inputs, buffers);
    for (const Json &one : given.at("output_specs"))
      addOutput(one, results, changed);
    for (const auto &[buffer, after] : changed)
      changeBuffer(buffer, after, buffers);
    if (inputs.empty() || results.empty())
      fail("takes no input, or gives no output; expected a step function "
           "(x, *states) -> (output, *states)");
    if (inputs.size() != results.size())
      fail(fmt::format(
          "the step takes {} tensors behind its input and returns {} behind "
          "its output, expected (x, *states) -> (output, *states) with the "
          "same states in the same order",
          inputs.size() - 1, results.size() - 1));
    for (const std::string &name : inputs)
      if (count(program.shapes.at(name)) == 0)
        fail(fmt::format("the input {} has no element", quotedName(name)));
    program.input = inputs[0];
    program.output = results[0];
    for (size_t i = 1; i < inputs.size(); ++i)
      addState(inputs[i], results[i]);
  }
  /// What nothing follows from is not computed: the conditions of assertions.
  void dropUnread() {
    std::set<std::string> read{program.output};
    for (const State &state : program.states)
      read.insert(state.after);
    std::vector<Node> kept;
    for (size_t i = program.nodes.size(); i-- > 0;) {
      Node &node = program.nodes[i];
      if (std::none_of(node.outputs.begin(), node.outputs.end(),
                       [&](const std::string &one) { return read.count(one); }))
        continue;
      for (const auto &[name, argument] : node.inputs)
        read.insert(argument.names.begin(), argument.names.end());
      kept.push_back(std::move(node));
    }
    program.nodes.assign(std::make_move_iterator(kept.rbegin()),
                         std::make_move_iterator(kept.rend()));
  }
  void addState(const std::string &before, const std::string &after) {
    State state{before, after, before, {}};
    state.start.shape = program.shapes.at(before);
    state.start.values.assign(size_t(count(state.start.shape)), 0.0);
    program.states.push_back(std::move(state));
    program.startsUnsaid = true;
  }
  void addInput(const Json &given, std::vector<std::string> &inputs,
                std::map<std::string, std::string> &buffers) {
    const auto entry = only(given).begin();
    const std::string &kind = entry.key();
    const Json &spec = *entry;
    const Json &arg = spec.at("arg");
    if (kind == "user_input") {
      if (!arg.contains("as_tensor"))
        fail("an input is no tensor; give numbers to the module instead");
      inputs.push_back(arg.at("as_tensor").at("name"));
      if (!program.shapes.count(inputs.back()))
        fail("an input has no shape");
      return;
    }
    const std::string key = kind + "_name";
    if (kind != "parameter" && kind != "buffer" && kind != "tensor_constant")
      fail(fmt::format("an input of kind {} is not read", quotedName(kind)));
    const auto tensor = arg.at("name").get<std::string>();
    const Constant &found = weight(spec.at(key));
    check(tensor, found);
    program.constants[tensor] = found;
    if (kind == "buffer")
      buffers[spec.at(key)] = tensor;
  }
  void addOutput(const Json &given, std::vector<std::string> &results,
                 std::map<std::string, std::string> &changed) const {
    const auto entry = only(given).begin();
    const std::string &kind = entry.key();
    const Json &spec = *entry;
    if (kind == "user_output") {
      if (!spec.at("arg").contains("as_tensor"))
        fail("an output is no tensor, expected (output, *states)");
      results.push_back(spec.at("arg").at("as_tensor").at("name"));
      return;
    }
    if (kind != "buffer_mutation")
      fail(fmt::format("the step writes in place into what it is given ({}); "
                       "return the new value instead",
                       printable(kind)));
    changed[spec.at("buffer_name")] = spec.at("arg").at("name");
  }
  /// A buffer that the step changes is a state, which begins as it is stored.
  void changeBuffer(const std::string &buffer, const std::string &after,
                    const std::map<std::string, std::string> &buffers) {
    auto before = buffers.find(buffer);
    if (before == buffers.end())
      fail(fmt::format("the buffer {} is changed but not in the file",
                       quotedName(buffer)));
    auto constant = program.constants.extract(before->second);
    if (!constant)
      fail(fmt::format("the buffer {} is changed twice", quotedName(buffer)));
    if (count(constant.mapped().shape) == 0)
      fail(fmt::format("the state {} has shape {}, which has no element",
                       quotedName(buffer), textOf(constant.mapped().shape)));
    program.states.push_back(
        {before->second, after, buffer, std::move(constant.mapped())});
  }

  const std::map<std::string, Constant> &weights;
  Program program;
  uint64_t together = 0;
};

} // namespace

const Argument &Node::input(const std::string &name) const {
  static const Argument none;
  for (const auto &[key, value] : inputs)
    if (key == name)
      return value;
  return none;
}

int64_t Node::integer(const std::string &name, int64_t otherwise) const {
  const Argument &found = input(name);
  return found.integers.size() == 1 ? found.integers[0] : otherwise;
}

double Node::real(const std::string &name, double otherwise) const {
  const Argument &found = input(name);
  bool given = found.kind == Kind::Real || found.kind == Kind::Integer ||
               found.kind == Kind::Bool;
  return given ? found.real : otherwise;
}

Shape Node::integers(const std::string &name) const {
  return input(name).integers;
}

int64_t integerFrom(const Json &value) {
  const bool isBeyond =
      value.is_number_unsigned() && value.get<uint64_t>() > uint64_t(INT64_MAX);
  if (value.is_number_integer() && !isBeyond)
    return value.get<int64_t>();
  throw Json::type_error::create(
      302,
      "expected a whole number, found " +
          (value.is_number() ? value.dump() : std::string(value.type_name())),
      &value);
}

Program parseProgram(const std::string &path, const std::string &graph,
                     const std::map<std::string, Constant> &weights) {
  Json file = Json::parse(graph, nullptr, false);
  if (file.is_discarded())
    throw Error(path + ": model.json is no JSON");
  try {
    return simpler(inPairs(GraphReader(path, weights).run(file)));
  } catch (const Json::exception &error) {
    throw Error(fmt::format("{}: model.json is not as torch.export "
                            "writes it: {}",
                            path, printable(error.what(), 200)));
  }
}

} // namespace dendrolith::torch
