// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The zip of a .pt2: the graph as JSON, and raw arrays that two more JSON files
// describe, or before torch 2.8 a file of torch.save.

#include "compiler/import/torch/Program.h"
#include "compiler/import/torch/Stored.h"

#include "runtime/arrays/Zip.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dendrolith::torch {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kMaxJson = uint64_t(1) << 28;
constexpr int64_t kMaxStored = int64_t(1) << 27;

/// A member of the archive by what stands behind the archive's own folder.
class Archive {
public:
  explicit Archive(const std::string &path)
      : path(path), bytes(readFile(path, zip::kMaxUnpacked)),
        members(zip::readDirectory(bytes, path)) {}

  const zip::Member *find(const std::string &end) const {
    for (const zip::Member &member : members) {
      size_t folder = member.name.find('/');
      if (folder != std::string::npos && member.name.substr(folder + 1) == end)
        return &member;
    }
    return nullptr;
  }
  std::string content(const zip::Member &member) const {
    return zip::unpack(bytes, member,
                       path + ": " + printable(member.name, 128));
  }
  Json json(const zip::Member &member) const {
    if (member.size > kMaxJson)
      throw Error(place(member.name) + "has more than 256 MiB");
    Json value = Json::parse(content(member), nullptr, false);
    if (value.is_discarded())
      throw Error(place(member.name) + "is no JSON");
    return value;
  }
  std::string place(const std::string &name) const {
    return fmt::format("{}: {}: ", path, printable(name, 128));
  }
  /// A member of an archive before torch 2.8, which has no folder.
  const zip::Member *old(const std::string &name) const {
    for (const zip::Member &member : members)
      if (member.name == name)
        return &member;
    return nullptr;
  }
  const zip::Member &graph() const {
    if (const zip::Member *found = find("models/"
                                        "model.json"))
      return *found;
    if (const zip::Member *found = old("serialized_exported_program.json"))
      return *found;
    throw Error(path + ": expected a file of torch.export.save with "
                       "models/"
                       "model.json in it, found none; a state_dict or "
                       "a pickled module (.pth, .pt) is no exported program");
  }

  const std::string path;

private:
  std::string bytes;
  std::vector<zip::Member> members;
};

double halfToReal(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 0    ? std::ldexp(fraction, -24)
                 : exponent == 31 ? (fraction ? NAN : INFINITY)
                                  : std::ldexp(fraction + 1024, exponent - 25);
  return bits >> 15 ? -value : value;
}

template <typename T> double numberAt(const char *at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return double(value);
}
double bfloatAt(const char *at) {
  uint32_t bits = uint32_t(uint16_t(numberAt<uint16_t>(at))) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
double halfAt(const char *at) {
  return halfToReal(uint16_t(numberAt<uint16_t>(at)));
}

struct Format {
  int code; ///< ScalarType of torch's schema
  int64_t size;
  double (*read)(const char *);
  bool complex = false; ///< two of them
};
constexpr Format kFormats[] = {
    {1, 1, numberAt<uint8_t>},      {2, 1, numberAt<int8_t>},
    {3, 2, numberAt<int16_t>},      {4, 4, numberAt<int32_t>},
    {5, 8, numberAt<int64_t>},      {6, 2, halfAt},
    {7, 4, numberAt<float>},        {8, 8, numberAt<double>},
    {12, 1, numberAt<uint8_t>},     {13, 2, bfloatAt},
    {10, 8, numberAt<float>, true}, {11, 16, numberAt<double>, true}};

Shape extents(const Json &sizes) {
  Shape shape;
  for (const Json &size : sizes)
    shape.push_back(integerFrom(size.at("as_int")));
  return shape;
}

Constant readTensor(const std::string &bytes, const Json &meta,
                    const std::string &place) {
  return readRaw(bytes,
                 {int(integerFrom(meta.at("dtype"))), extents(meta.at("sizes")),
                  extents(meta.at("strides")),
                  integerFrom(meta.at("storage_offset").at("as_int"))},
                 place);
}

/// Adds the tensors that a JSON file beside them lists.
void readTensors(const Archive &archive, const std::string &folder,
                 const std::string &list,
                 std::map<std::string, Constant> &tensors) {
  const zip::Member *described = archive.find(folder + list);
  if (!described)
    return;
  const Json all = archive.json(*described);
  for (const auto &[name, entry] : all.at("config").items()) {
    const std::string place = archive.place(name);
    if (entry.at("use_pickle").get<bool>())
      throw Error(place + "is pickled, expected a raw array; a pickle is not "
                          "read, because it could execute code");
    const zip::Member *member =
        archive.find(folder + entry.at("path_name").get<std::string>());
    if (!member)
      throw Error(place + "its array is not in the file");
    Constant tensor =
        readTensor(archive.content(*member), entry.at("tensor_meta"), place);
    tensor.name = name;
    tensors[name] = std::move(tensor);
  }
}

/// Adds the tensors of archives before torch 2.8.
void readOldTensors(const Archive &archive,
                    std::map<std::string, Constant> &tensors) {
  for (const char *name :
       {"serialized_state_dict.pt", "serialized_constants.pt"})
    if (const zip::Member *member = archive.old(name))
      for (auto &[key, tensor] :
           readStored(archive.content(*member), archive.place(name)))
        tensors[key] = std::move(tensor);
}

} // namespace

Constant readRaw(const std::string &bytes, const RawTensor &raw,
                 const std::string &place) {
  const Format *format = nullptr;
  for (const Format &one : kFormats)
    format = one.code == raw.code ? &one : format;
  if (!format)
    throw Error(fmt::format("{}has the element type {} of torch, expected real "
                            "numbers, integers or booleans",
                            place, raw.code));
  Constant constant{raw.sizes, {}};
  const int64_t there = int64_t(bytes.size()) / format->size;
  for (int64_t extent : constant.shape)
    if (extent < 0 || extent > kMaxStored)
      throw Error(place + "has an extent out of range");
  if (product(constant.shape) > uint64_t(kMaxStored) ||
      raw.strides.size() != constant.shape.size())
    throw Error(place + "has too many elements, or strides of another rank");
  Shape index(constant.shape.size(), 0);
  constant.values.resize(size_t(count(constant.shape)));
  for (double &value : constant.values) {
    int64_t at = raw.first;
    for (size_t i = 0; i < index.size(); ++i) {
      int64_t part;
      if (__builtin_mul_overflow(index[i], raw.strides[i], &part) ||
          __builtin_add_overflow(at, part, &at))
        at = -1;
    }
    if (at < 0 || at >= there)
      throw Error(place + "is shorter than its shape says");
    const char *from = bytes.data() + at * format->size;
    value = format->read(from);
    if (format->complex)
      constant.imaginary.push_back(format->read(from + format->size / 2));
    if (!std::isfinite(value) ||
        (format->complex && !std::isfinite(constant.imaginary.back())))
      throw Error(place + "has a value that is not finite");
    advance(index, constant.shape);
  }
  return constant;
}

Program readProgram(const std::string &path) {
  return withMemoryFor(path, [&] {
    Archive archive(path);
    const zip::Member &graph = archive.graph();
    if (graph.size > kMaxJson)
      throw Error(archive.place(graph.name) + "has more than 256 MiB");
    if (const zip::Member *order = archive.find("byteorder"))
      if (archive.content(*order) != "little")
        throw Error(path + ": expected numbers in little-endian order");
    std::map<std::string, Constant> tensors;
    try {
      readTensors(archive, "data/weights/", "model_weights_config.json",
                  tensors);
      readTensors(archive, "data/constants/", "model_constants_config.json",
                  tensors);
      readOldTensors(archive, tensors);
    } catch (const Json::exception &error) {
      throw Error(fmt::format("{}: the list of arrays is damaged: {}", path,
                              printable(error.what(), 200)));
    }
    return parseProgram(path, archive.content(graph), tensors);
  });
}

} // namespace dendrolith::torch
