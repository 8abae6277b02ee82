// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frame of a page, with a stand-in of the library; and the page of a run of
// which hardly anything is known (simulator/report/html/RunPage.cpp). What runs
// look like in a browser is tested by tests/e2e/page_test.py.

#include "simulator/report/html/RunPage.h"

#include "simulator/report/result/Pricing.h"
#include "simulator/report/result/Result.h"
#include "simulator/report/result/Summary.h"

#include <gmock/gmock.h>

namespace dendrolith::report::html {
namespace {

using testing::HasSubstr;
using testing::Not;

Page page() {
  Page page("net </script><b>", "on <chip>");
  page.addSection("one", "First", "<p>x</p>");
  page.addSection("two", "Second", "<p>y</p>", Page::Shape::Wide);
  page.addSection("three", "Third", ""); // none without markup
  page.data["name"] = "</script><b>";
  return page;
}

TEST(Page, ForbidsEveryRequest) {
  const std::string text = page().text(std::nullopt);
  const size_t policy = text.find("Content-Security-Policy");
  ASSERT_NE(policy, text.npos);
  EXPECT_LT(policy, text.find("<style>")) << "before all that it holds for";
  EXPECT_THAT(text,
              HasSubstr("default-src 'none'; script-src 'unsafe-inline'"));
  for (const char *word : {"src=\"", "@import", "<link"})
    EXPECT_EQ(text.find(word), text.npos) << word;
}

TEST(Page, NamesAreText) {
  const std::string text = page().text(std::nullopt);
  EXPECT_THAT(text, HasSubstr("<h1>net &lt;/script&gt;&lt;b&gt;</h1>"));
  EXPECT_THAT(text, Not(HasSubstr("</script><b>")));
  EXPECT_THAT(text, HasSubstr("{\"name\":\"\\u003c/script>\\u003cb>\"}"));
  EXPECT_THAT(text, HasSubstr("<a href=\"#two\">Second</a>"));
  EXPECT_THAT(text, HasSubstr("<section id=\"two\" aria-labelledby=\"h-two\" "
                              "class=\"wide\">"));
  EXPECT_THAT(text, Not(HasSubstr("Third")));
}

TEST(Page, HasTheLibraryWithItsLicence) {
  const Library library{"var echarts='</script>';", "Licence <text>\nmore",
                        "By"};
  const std::string text = page().text(library);
  EXPECT_THAT(text, HasSubstr("<script>var echarts='<\\/script>';</script>"));
  EXPECT_THAT(text, HasSubstr("By\n\nLicence &lt;text&gt;\nmore\n"));
  EXPECT_THAT(text, Not(HasSubstr("class=\"missing\"")));
  EXPECT_EQ(text, page().text(library)) << "the same bytes each time";
}

TEST(Page, SaysWhatIsMissing) {
  EXPECT_THAT(page().text(std::nullopt),
              testing::AllOf(HasSubstr("class=\"missing\""), HasSubstr("npm"),
                             Not(HasSubstr("Licence of ECharts"))));
}

TEST(RunPage, OfAFloatRunHasNoNumbersOfAChip) {
  Result result = emptyResult();
  result.json["engine"] = "float";
  result.json["samples"] = 2;
  result.json["ticks"] = 32;
  result.json["model"] = {
      {"name", "n"}, {"sha256", nullptr}, {"file", "folder/of-somebody/n.nir"}};
  result.json["policies"] = {{"reset", "to <zero>"}};
  result.json["warnings"] = {
      {{"code", "quiet"}, {"where", "n"}, {"text", "nothing <spikes>"}}};
  addSummary(result.json);
  const std::string text =
      runPage(result.json, result.tables, {}, "R").text(std::nullopt);
  EXPECT_THAT(text, HasSubstr("float network, float engine: 2 samples of 32 "
                              "ticks"));
  EXPECT_THAT(text, HasSubstr("not judged"));
  EXPECT_THAT(text, HasSubstr("<code>quiet</code> <b>n</b> nothing "
                              "&lt;spikes&gt;"));
  EXPECT_LT(text.find("1 warning<"), text.find("not judged"))
      << "warnings come first";
  EXPECT_THAT(text, HasSubstr("to &lt;zero&gt;"));
  EXPECT_THAT(text, Not(HasSubstr("of-somebody"))) << "no path of a machine";
  EXPECT_THAT(text, Not(HasSubstr("id=\"by-event\"")));
  EXPECT_THAT(text, Not(HasSubstr("id=\"conventions\"")));
}

} // namespace
} // namespace dendrolith::report::html
