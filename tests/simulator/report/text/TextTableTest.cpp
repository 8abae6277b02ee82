// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/TextTable.h"

#include <gtest/gtest.h>

using namespace dendrolith::report;

TEST(CsvText, QuotesWhatWouldEndACell) {
  EXPECT_EQ(csvCell("a b"), "a b");
  EXPECT_EQ(csvCell(""), "");
  EXPECT_EQ(csvCell("a,\"b\""), "\"a,\"\"b\"\"\"");
  EXPECT_EQ(csvCell("a\r"), "\"a\r\"");
}

TEST(CsvText, NoCellBeginsAFormula) {
  for (const char *text : {"=cmd|x", "+a1", "-a1", "@sum", "\tb", "--1", "-"})
    EXPECT_EQ(csvCell(text), std::string("'") + text);
  EXPECT_EQ(csvCell("=a,b"), "\"'=a,b\"");
  for (const char *number : {"-5", "+1.5", "-1e-3", "-inf"})
    EXPECT_EQ(csvCell(number), number);
}
