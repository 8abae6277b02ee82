// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/import/hdf5/Walk.h"
#include "compiler/import/hdf5/Handle.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <set>

namespace dendrolith::hdf5 {

namespace {

/// As many as a NIR graph has nodes at most.
constexpr uint64_t kMembers = uint64_t(1) << 15;

/// Visits the file and sends each object when it meets it. An object reached
/// twice is refused: NIR writers link each object once, and a hard link may
/// close a cycle.
class Walker {
public:
  Walker(const Limits &limits, FrameWriter &out) : left(limits), out(out) {}
  void object(hid_t parent, const std::string &name, const std::string &place,
              uint32_t depth);

private:
  void group(hid_t group, const std::string &place, uint32_t depth);
  void dataset(hid_t dataset, const std::string &place);
  void numbers(hid_t dataset, hid_t type, uint64_t count,
               const std::string &place);
  void strings(hid_t dataset, hid_t type, uint64_t count,
               const std::string &place);
  Limits left;
  FrameWriter &out;
  std::set<haddr_t> seen;
};

herr_t collectName(hid_t, const char *name, const H5L_info_t *, void *data) {
  try {
    static_cast<std::vector<std::string> *>(data)->push_back(name);
    return 0;
  } catch (...) {
    return -1; // exceptions must not cross the C library
  }
}

void checkFilters(hid_t properties, const std::string &place) {
  int filters = H5Pget_nfilters(properties);
  for (int i = 0; i < filters; ++i) {
    unsigned flags, config;
    size_t values = 0;
    char name[64] = {};
    H5Z_filter_t filter =
        H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values,
                       nullptr, sizeof name, name, &config);
    if (filter < 0 || H5Zfilter_avail(filter) <= 0)
      refuse("dataset '{}' is compressed with the unknown filter {}{}, "
             "expected gzip or none",
             place, static_cast<int>(filter),
             name[0] ? fmt::format(" ({})", name) : "");
  }
}

const char *className(H5T_class_t type) {
  switch (type) {
  case H5T_TIME:
    return "time";
  case H5T_BITFIELD:
    return "bit field";
  case H5T_OPAQUE:
    return "opaque";
  case H5T_COMPOUND:
    return "compound";
  case H5T_REFERENCE:
    return "reference";
  case H5T_VLEN:
    return "variable-length sequence";
  case H5T_ARRAY:
    return "array";
  default:
    return "unknown";
  }
}

} // namespace

void Walker::object(hid_t parent, const std::string &name,
                    const std::string &place, uint32_t depth) {
  H5L_info_t link;
  // Every object but the root is reached by a link, which is looked at first.
  if (name != "/") {
    check(H5Lget_info(parent, name.c_str(), &link, H5P_DEFAULT), place);
    if (link.type != H5L_TYPE_HARD)
      refuse("'{}' is {} link, expected the object itself; model files hold no "
             "such links",
             place,
             link.type == H5L_TYPE_EXTERNAL ? "an external"
             : link.type == H5L_TYPE_SOFT   ? "a soft"
                                            : "a user-defined");
  }
  Handle object(H5Oopen(parent, name.c_str(), H5P_DEFAULT), H5Oclose, place);
  H5O_info_t info;
  // All but the heads of objects and their times, which take long.
  check(H5Oget_info2(object, &info, H5O_INFO_BASIC | H5O_INFO_NUM_ATTRS),
        place);
  if (!seen.insert(info.addr).second)
    refuse("'{}' is a second hard link to an object already read; model files "
           "link each object once",
           place);
  if (left.objects-- == 0)
    refuse("the file holds too many objects at '{}'", place);
  if (info.type != H5O_TYPE_GROUP && info.type != H5O_TYPE_DATASET)
    refuse("'{}' is neither a group nor a dataset", place);
  if (depth == 0)
    refuse("groups are nested too deeply at '{}'", place);
  bool isGroup = info.type == H5O_TYPE_GROUP;
  if (isGroup) {
    out.number(Node::Content::Group);
    out.number<uint32_t>(static_cast<uint32_t>(info.num_attrs));
    group(object, place, depth);
    return;
  }
  Handle type(H5Dget_type(object), H5Tclose, place);
  out.number(H5Tget_class(type) == H5T_STRING ? Node::Content::Strings
                                              : Node::Content::Numbers);
  out.number<uint32_t>(static_cast<uint32_t>(info.num_attrs));
  dataset(object, place);
}

void Walker::group(hid_t group, const std::string &place, uint32_t depth) {
  H5G_info_t info;
  check(H5Gget_info(group, &info), place);
  // Before the first is opened, which takes most of the time.
  if (info.nlinks > kMembers)
    refuse("group '{}' has {} members, expected at most {}: a network has "
           "fewer nodes; the file is damaged or no network",
           place, uint64_t(info.nlinks), kMembers);
  std::vector<std::string> names;
  check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, collectName,
                   &names),
        place);
  std::sort(names.begin(), names.end());
  out.number<uint32_t>(names.size());
  for (const std::string &name : names) {
    out.text(name);
    object(group, name, place == "/" ? place + name : place + "/" + name,
           depth - 1);
  }
}

void Walker::dataset(hid_t dataset, const std::string &place) {
  Handle properties(H5Dget_create_plist(dataset), H5Pclose, place);
  if (H5Pget_layout(properties) == H5D_VIRTUAL ||
      H5Pget_external_count(properties) > 0)
    refuse("the data of '{}' lies in another file, expected it in this one",
           place);
  checkFilters(properties, place);
  Handle space(H5Dget_space(dataset), H5Sclose, place);
  H5S_class_t kind = H5Sget_simple_extent_type(space);
  if (kind != H5S_SCALAR && kind != H5S_SIMPLE)
    refuse("dataset '{}' is empty (null), expected a value", place);
  hsize_t dims[H5S_MAX_RANK] = {};
  int rank = H5Sget_simple_extent_dims(space, dims, nullptr);
  check(rank, place);
  uint64_t count = 1;
  for (int i = 0; i < rank; ++i) {
    if (dims[i] && count > left.elements / dims[i])
      refuse("dataset '{}' has a dimension of {}, beyond {} elements in the "
             "whole file",
             place, static_cast<uint64_t>(dims[i]), left.elements);
    count *= dims[i];
  }
  if (count > left.elements)
    refuse("the file holds too many numbers at '{}'", place);
  left.elements -= count;
  // A dataset that was declared but never written would read as fill values.
  if (count && H5Dget_storage_size(dataset) == 0)
    refuse("dataset '{}' declares {} elements and stores none", place, count);
  out.number<uint8_t>(static_cast<uint8_t>(rank));
  for (int i = 0; i < rank; ++i)
    out.number<uint64_t>(dims[i]);
  Handle type(H5Dget_type(dataset), H5Tclose, place);
  if (H5Tget_class(type) == H5T_STRING)
    strings(dataset, type, count, place);
  else
    numbers(dataset, type, count, place);
}

void Walker::numbers(hid_t dataset, hid_t type, uint64_t count,
                     const std::string &place) {
  H5T_class_t kind = H5Tget_class(type);
  size_t size = H5Tget_size(type);
  if (kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM)
    refuse("dataset '{}' has elements of type {}, expected numbers or strings",
           place, className(kind));
  if (size > 8)
    refuse("dataset '{}' has numbers of {} bytes, expected at most 8", place,
           size);
  bool isSigned = kind == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_2;
  out.number(kind == H5T_FLOAT ? NumberClass::Float
             : isSigned        ? NumberClass::Signed
                               : NumberClass::Unsigned);
  out.number<uint8_t>(static_cast<uint8_t>(size));
  std::vector<double> values(count);
  if (count)
    check(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                  values.data()),
          place);
  if (kind == H5T_INTEGER && size == 8)
    for (double value : values)
      if (std::fabs(value) >= 9007199254740992.0)
        refuse("dataset '{}' holds an integer of 2^53 or more, which no "
               "double holds for certain",
               place);
  out.bytes(values.data(), count * sizeof(double));
}

void Walker::strings(hid_t dataset, hid_t type, uint64_t count,
                     const std::string &place) {
  auto send = [&](const char *text, size_t size) {
    if (size > left.stringBytes)
      refuse("the strings of the file are too long at '{}'", place);
    left.stringBytes -= size;
    out.text(std::string(text, size));
  };
  Handle memory(H5Tcopy(H5T_C_S1), H5Tclose, place);
  check(H5Tset_cset(memory, H5Tget_cset(type)), place);
  if (H5Tis_variable_str(type) > 0) {
    check(H5Tset_size(memory, H5T_VARIABLE), place);
    std::vector<char *> texts(count, nullptr);
    if (count)
      check(
          H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()),
          place);
    // The texts are not freed: the process ends with the file.
    for (const char *text : texts)
      send(text ? text : "", text ? std::strlen(text) : 0);
    return;
  }
  size_t size = H5Tget_size(type);
  if (size == 0 || count > left.stringBytes / size)
    refuse("the strings of the file are too long at '{}'", place);
  std::string block(count * size, '\0');
  if (count)
    check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, block.data()),
          place);
  bool spaces = H5Tget_strpad(type) == H5T_STR_SPACEPAD;
  for (uint64_t i = 0; i < count; ++i) {
    const char *text = block.data() + i * size;
    size_t length = strnlen(text, size);
    while (spaces && length && text[length - 1] == ' ')
      --length;
    send(text, length);
  }
}

void sendFile(const std::string &path, const Limits &limits, FrameWriter &out) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  // A filter may be a plug-in: it would run code that the environment names.
  H5PLset_loading_state(0);
  // File locks fail on some read-only file systems, and here they protect
  // nothing.
  ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
  hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0)
    refuse("damaged HDF5 file: {}; write it again", innermostError());
  Handle file(id, H5Fclose, "/");
  Walker(limits, out).object(file, "/", "/", limits.depth);
}

} // namespace dendrolith::hdf5
