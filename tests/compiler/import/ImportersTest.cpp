// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of importers (compiler/import/Import.h) and who repeats it.

#include "compiler/import/Import.h"

#include "targets/support/Error.h"

#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

using namespace dendrolith;

static std::string contentOf(const std::string &path) {
  std::stringstream text;
  text << std::ifstream(DENDROLITH_SOURCE_DIR "/" + path).rdbuf();
  return text.str();
}

TEST(Importers, ExtensionsAreDistinctAndChooseTheImporter) {
  std::set<std::string> seen;
  for (const Importer &importer : importers()) {
    EXPECT_FALSE(importer.description.empty());
    for (const std::string &extension : importer.extensions) {
      EXPECT_TRUE(seen.insert(extension).second) << extension;
      EXPECT_TRUE(importer.matches("some/model" + extension));
      EXPECT_FALSE(importer.matches("some/" + extension + "/model"));
      EXPECT_FALSE(importer.matches(extension));
      for (const Importer &other : importers())
        EXPECT_EQ(other.matches("m" + extension), &other == &importer);
    }
  }
  EXPECT_EQ(importExtensions(),
            ".nir, .npz, .pt2, .net, .lava.pb, .mlir or .mlirbc");
}

/// Who reads that a model is `.nir` or so must not be told less than there is.
TEST(Importers, ReadmesNameEveryExtension) {
  for (const char *path : {"README.md", "runtime/driver/commands/README.md"}) {
    const std::string text = contentOf(path);
    for (const Importer &importer : importers())
      for (const std::string &extension : importer.extensions)
        EXPECT_NE(text.find(extension), std::string::npos)
            << path << " says nothing of " << extension;
  }
}

TEST(Importers, OptionsAreCheckedWhenTheyAreSet) {
  ImportOptions options;
  setImportOption(options, "dt", "0.5");
  EXPECT_EQ(options, (ImportOptions{{"dt", "0.5"}}));
  auto errorOf = [&](const char *name, const char *value) -> std::string {
    try {
      setImportOption(options, name, value);
    } catch (const Error &error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(errorOf("dt", "soon"),
            "--import dt: expected a positive number of seconds, found 'soon'");
  EXPECT_EQ(errorOf("colour", "red")
                .rfind("unknown import option 'colour', "
                       "expected one of preset, from, strict, dt, ",
                       0),
            0u);
  EXPECT_EQ(options.size(), 1u);
  // Help texts of one name would hide each other on the command line.
  std::set<std::string> names;
  for (const Importer &importer : importers())
    for (const Importer::Option &option : importer.options)
      EXPECT_TRUE(names.insert(option.name).second) << option.name;
}
