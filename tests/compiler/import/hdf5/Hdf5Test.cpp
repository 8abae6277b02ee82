// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/import/hdf5/Tree.h, compiler/import/hdf5/Tree.cpp.
// HDF5 files as trees, and the ways in which a file can be bad.

#include "compiler/import/hdf5/Tree.h"
#include "targets/support/Error.h"
#include "tests/compiler/import/NirWriter.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace dendrolith;
using namespace dendrolith::testing;
using hdf5::readFile;

static std::string errorOf(const std::string &path,
                           const hdf5::Limits &limits = {}) {
  try {
    readFile(path, limits);
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

static std::string readBytes(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

static std::string writeBytes(const std::string &name,
                              const std::string &bytes) {
  std::string path = temporary(name);
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

TEST(Hdf5, ReadsNumbersAsStored) {
  NirWriter file("numbers.h5", true);
  file.group("/g");
  file.numbers("/g/plain", {2, 3}, {1, 2, 3, 4, 5, 6.5});
  file.gzip(true).numbers("/g/zipped", {4}, {0, -1, 2, 0.1});
  file.gzip(false).stored(H5T_IEEE_F32LE).numbers("/g/float", {1}, {0.1});
  file.stored(H5T_STD_I64LE).numbers("/g/whole", {2}, {-7, 1e15});
  file.stored(H5T_STD_U8LE).numbers("/g/byte", {}, {200});
  file.stored(H5T_IEEE_F64BE).numbers("/g/empty", {0}, {});
  hdf5::Node root = readFile(file.close());
  const hdf5::Node &g = *root.find("g");
  EXPECT_EQ(g.kind, hdf5::Node::Content::Group);
  ASSERT_EQ(g.members.size(), 6u);
  EXPECT_EQ(g.members[0].name, "byte"); // name order
  EXPECT_EQ(g.find("plain")->shape, (std::vector<uint64_t>{2, 3}));
  EXPECT_EQ(g.find("plain")->values, (std::vector<double>{1, 2, 3, 4, 5, 6.5}));
  EXPECT_EQ(g.find("plain")->bytes, 8);
  EXPECT_EQ(g.find("zipped")->values, (std::vector<double>{0, -1, 2, 0.1}));
  EXPECT_TRUE(g.find("float")->isFloat32());
  EXPECT_EQ(g.find("float")->values[0], static_cast<double>(0.1f));
  EXPECT_EQ(g.find("whole")->number, hdf5::NumberClass::Signed);
  EXPECT_EQ(g.find("whole")->values, (std::vector<double>{-7, 1e15}));
  EXPECT_EQ(g.find("byte")->number, hdf5::NumberClass::Unsigned);
  EXPECT_TRUE(g.find("byte")->shape.empty());
  EXPECT_EQ(g.find("byte")->values, std::vector<double>{200});
  EXPECT_EQ(g.find("empty")->shape, std::vector<uint64_t>{0});
  EXPECT_EQ(g.find("nothing"), nullptr);
}

TEST(Hdf5, ReadsStrings) {
  NirWriter file("strings.h5", true);
  file.text("/variable", "gr\xc3\xbc\xc3\x9f");
  file.fixedTexts("/fixed", 6, {"a", "sixsix", ""});
  hdf5::Node root = readFile(file.close());
  EXPECT_EQ(root.find("variable")->strings,
            std::vector<std::string>{"gr\xc3\xbc\xc3\x9f"});
  EXPECT_EQ(root.find("fixed")->strings,
            (std::vector<std::string>{"a", "sixsix", ""}));
}

TEST(Hdf5, NamesWhatIsNoHdf5File) {
  std::string found = ": expected an HDF5 file, found ";
  std::string todo = "; write the network with nir.write (.nir) or "
                     "lava-dl's export_hdf5 (.net)";
  std::string path = writeBytes("pickle.nir", "\200\002}q\1.");
  EXPECT_EQ(errorOf(path), path + found + "a python pickle" + todo);
  path = writeBytes("zip.nir", "PK\3\4 and more");
  EXPECT_EQ(errorOf(path), path + found +
                               "a zip archive (torch.save and numpy .npz "
                               "write these)" +
                               todo);
  path = writeBytes("empty.nir", "");
  EXPECT_EQ(errorOf(path), path + found + "an empty file" + todo);
  path = writeBytes("text.nir", "hello, this is a text");
  EXPECT_EQ(errorOf(path), path + found + "another kind of file" + todo);
  path = temporary("folder.nir");
  std::filesystem::create_directories(path);
  EXPECT_EQ(errorOf(path),
            path + ": not a regular file, expected an HDF5 file");
  path = temporary("absent.nir");
  EXPECT_EQ(errorOf(path),
            path + ": cannot be read: No such file or directory");
}

TEST(Hdf5, RefusesTruncatedFile) {
  NirWriter file("whole.h5", true);
  file.numbers("/data", {100}, std::vector<double>(100, 1.5));
  std::string bytes = readBytes(file.close());
  std::string path =
      writeBytes("truncated.h5", bytes.substr(0, bytes.size() / 2));
  EXPECT_EQ(
      errorOf(path).rfind(path + ": damaged HDF5 file: truncated file", 0), 0u)
      << errorOf(path);
}

TEST(Hdf5, RefusesLinks) {
  std::string todo = " link, expected the object itself; model files hold no "
                     "such links";
  NirWriter outer("external.h5", true);
  H5Lcreate_external("other.h5", "/x", outer.file(), "/away", H5P_DEFAULT,
                     H5P_DEFAULT);
  EXPECT_EQ(errorOf(outer.close()),
            outer.path() + ": '/away' is an external" + todo);
  NirWriter soft("soft.h5", true);
  soft.group("/g");
  H5Lcreate_soft("/g", soft.file(), "/g/self", H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_EQ(errorOf(soft.close()),
            soft.path() + ": '/g/self' is a soft" + todo);
  NirWriter cycle("cycle.h5", true);
  cycle.group("/g");
  cycle.group("/g/h");
  H5Lcreate_hard(cycle.file(), "/g", cycle.file(), "/g/h/up", H5P_DEFAULT,
                 H5P_DEFAULT);
  EXPECT_EQ(errorOf(cycle.close()),
            cycle.path() + ": '/g/h/up' is a second hard link to an object "
                           "already read; model files link each object once");
}

/// Creates a dataset with some properties and never writes it.
static void declare(NirWriter &file, const char *path, hid_t type,
                    std::vector<hsize_t> shape, hid_t properties) {
  hid_t space =
      H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  hid_t data = H5Dcreate2(file.file(), path, type, space, H5P_DEFAULT,
                          properties, H5P_DEFAULT);
  EXPECT_GE(data, 0);
  H5Dclose(data);
  H5Sclose(space);
}

TEST(Hdf5, RefusesHugeAndHollowDatasets) {
  NirWriter huge("huge.h5", true);
  declare(huge, "/data", H5T_IEEE_F64LE, {1u << 20, 1u << 20}, H5P_DEFAULT);
  EXPECT_EQ(errorOf(huge.close()),
            huge.path() + ": dataset '/data' has a dimension of 1048576, "
                          "beyond 268435456 elements in the whole file");
  NirWriter hollow("hollow.h5", true);
  declare(hollow, "/data", H5T_IEEE_F64LE, {1000, 1000}, H5P_DEFAULT);
  EXPECT_EQ(errorOf(hollow.close()),
            hollow.path() +
                ": dataset '/data' declares 1000000 elements and stores none");
}

TEST(Hdf5, RefusesOtherTypesAndFilters) {
  NirWriter file("compound.h5", true);
  hid_t pair = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(pair, "a", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(pair, "b", 8, H5T_NATIVE_DOUBLE);
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t data = H5Dcreate2(file.file(), "/pair", pair, space, H5P_DEFAULT,
                          H5P_DEFAULT, H5P_DEFAULT);
  double both[2] = {1, 2};
  H5Dwrite(data, pair, H5S_ALL, H5S_ALL, H5P_DEFAULT, both);
  H5Dclose(data);
  H5Sclose(space);
  H5Tclose(pair);
  EXPECT_EQ(errorOf(file.close()),
            file.path() + ": dataset '/pair' has elements of type compound, "
                          "expected numbers or strings");

  NirWriter packed("filter.h5", true);
  hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  hsize_t chunk = 8;
  H5Pset_chunk(properties, 1, &chunk);
  // An optional filter may be named without being there.
  H5Pset_filter(properties, 32000, H5Z_FLAG_OPTIONAL, 0, nullptr);
  declare(packed, "/data", H5T_IEEE_F64LE, {8}, properties);
  H5Pclose(properties);
  EXPECT_EQ(errorOf(packed.close()),
            packed.path() + ": dataset '/data' is compressed with the unknown "
                            "filter 32000, expected gzip or none");
}

TEST(Hdf5, KeepsItsLimits) {
  NirWriter file("limits.h5", true);
  file.numbers("/data", {1u << 20}, std::vector<double>(1u << 20, 1.5));
  const std::string &path = file.close();
  hdf5::Limits elements;
  elements.elements = 1000;
  EXPECT_EQ(errorOf(path, elements),
            path + ": dataset '/data' has a dimension of 1048576, beyond 1000 "
                   "elements in the whole file");
#ifndef __SANITIZE_ADDRESS__ // which ends the process where it has no memory
  hdf5::Limits memory;
  memory.memoryBytes = 4 << 20;
  EXPECT_EQ(errorOf(path, memory),
            path + ": needs more memory than a network file may");
#endif
  hdf5::Limits wall;
  wall.wallSeconds = 0;
  EXPECT_EQ(errorOf(path, wall),
            path + ": reading it took longer than 0 s; the file is damaged or "
                   "too large");
  hdf5::Limits objects;
  objects.objects = 2;
  EXPECT_EQ(errorOf(path, objects),
            path + ": the file holds too many objects at '/version'");
  EXPECT_EQ(readFile(path).find("data")->values.size(), 1u << 20);
}

/// Opening each of 100,000 groups takes seconds.
TEST(Hdf5, CountsMembersBeforeItOpensThem) {
  NirWriter many("many.h5", true);
  many.group("/g");
  for (int i = 0; i <= 1 << 15; ++i)
    H5Lcreate_soft("/g", many.file(), ("/g/" + std::to_string(i)).c_str(),
                   H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_EQ(errorOf(many.close()),
            many.path() + ": group '/g' has 32769 members, expected at most "
                          "32768: a network has fewer nodes; the file is "
                          "damaged or no network");
}

/// Damage anywhere gives a tree or an error, never a crash or a hang.
TEST(Hdf5, SurvivesDamage) {
  NirWriter file("sound.h5");
  file.node("a", "Affine")
      .set("weight", {3, 4}, std::vector<double>(12, 0.5))
      .gzip(true)
      .set("bias", {3}, {1, 2, 3});
  file.edges({{"a", "a"}});
  std::string bytes = readBytes(file.close());
  unsigned refused = 0;
  for (size_t i = 0; i < 150; ++i) {
    std::string bad = bytes;
    size_t at = i * 15823 % bad.size();
    bad[at] = static_cast<char>(bad[at] ^ (i % 2 ? 0xff : 1 << i % 8));
    std::string path = writeBytes("damaged.h5", bad);
    refused += errorOf(path) != "no error";
  }
  EXPECT_GT(refused, 0u);
}
