// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of a table as people read them and as they are saved; bars beside it.

#include "simulator/report/html/Table.h"

#include "simulator/report/html/Bars.h"

#include <gmock/gmock.h>

namespace dendrolith::report::html {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Table, HasEachNumberToTheLastDigit) {
  Table table(
      "energy", "Energy",
      {{"event", "event", false}, {"low (nJ)", "low_pJ"}, {"count", "count"}});
  table.add(
      {text("a<b"), inUnit(1423426.8922000001, {"nJ", 1e3}), count(1234567u)});
  table.add({text("none"), inUnit(nullptr, {"nJ", 1e3}), count(nullptr)});
  const std::string markup = table.markup();
  EXPECT_THAT(markup, HasSubstr("<th scope=\"row\">a&lt;b</th><td class=\"n\" "
                                "data-v=\"1423426.8922000001\">1423.427</td>"
                                "<td class=\"n\" data-v=\"1234567\">1,234,567"
                                "</td>"));
  EXPECT_THAT(markup, HasSubstr("<td class=\"n\" data-v=\"\"></td>"))
      << "what is not known is empty, not 0";
  EXPECT_THAT(markup, HasSubstr("data-csv=\"energy\""));
  EXPECT_THAT(markup, HasSubstr("data-key=\"low_pJ\""));
}

TEST(Table, GivesSentencesAWideColumn) {
  Table table("t", "T", {{"n", "n"}, {"why", "why", false}});
  table.add({count(1u), text("a few words")});
  table.add(
      {count(2u), text("so many words that a narrow column breaks them")});
  EXPECT_THAT(table.markup(), HasSubstr("<td>a few words</td>"));
  EXPECT_THAT(table.markup(), HasSubstr("<td class=\"long\">so many"));
}

TEST(Table, SaysWhatItLeavesOut) {
  Table table("t", "T", {{"n", "n"}});
  table.bound(2, "tables.json has all");
  for (uint64_t i = 0; i < 3; ++i)
    table.add({count(i)});
  const std::string markup = table.markup();
  EXPECT_THAT(markup, HasSubstr("data-v=\"1\""));
  EXPECT_THAT(markup, Not(HasSubstr("data-v=\"2\"")));
  EXPECT_THAT(markup, HasSubstr("The first 2 of 3 rows; tables.json has all."));
}

TEST(Bars, AreAsLongAsTheirValues) {
  const std::string markup = bars({{"a<", 1, 4, "1 to 4"}, {"b", 2, 2, "2"}});
  EXPECT_THAT(markup, HasSubstr("a&lt;"));
  EXPECT_THAT(markup, HasSubstr("<i class=\"one\" style=\"width:25.00%\"></i>"
                                "<i class=\"one band\" "
                                "style=\"width:75.00%\"></i>"));
  EXPECT_THAT(markup, HasSubstr("<i class=\"one\" style=\"width:50.00%\"></i>"
                                "</span>"))
      << "an exact value has no band";
  EXPECT_THAT(bars({{"over", 150, 150, ""}}, 100), HasSubstr("width:100.00%"));
}

TEST(Bars, SharesAddUp) {
  EXPECT_THAT(stack({{"x", 1, "c-x"}, {"y", 3, "c-y"}, {"z", 0, "c-z"}}),
              testing::AllOf(HasSubstr("\"c-x\" style=\"width:25.000%\""),
                             HasSubstr("\"c-y\" style=\"width:75.000%\""),
                             Not(HasSubstr("\"c-z\" style")),
                             HasSubstr("z <b>0&nbsp;%</b>")));
}

} // namespace
} // namespace dendrolith::report::html
