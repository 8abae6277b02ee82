// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of files are text on a page, whatever they hold.

#include "simulator/report/html/Markup.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace dendrolith::report::html {
namespace {

TEST(Markup, TextNeverBecomesMarkup) {
  EXPECT_EQ(escape("</script><b> \"a\" & 'b'"),
            "&lt;/script&gt;&lt;b&gt; &quot;a&quot; &amp; &#39;b&#39;");
  EXPECT_EQ(escape("&lt;"), "&amp;lt;") << "what is escaped is shown as it was";
  EXPECT_EQ(escape(std::string("a\0b\x1b", 4)), "a?b?");
  EXPECT_EQ(escape(std::string(10000, 'x')).size(), 4099u) << "and dots";
  EXPECT_EQ(escapeLines("a<\nb\n"), "a&lt;\nb\n");
}

TEST(Markup, DataCannotEndItsScript) {
  const nlohmann::ordered_json data = {{"</ScRipt>", "<!--<script>"}};
  const std::string text = scriptData(data);
  EXPECT_EQ(text.find('<'), text.npos) << text;
  EXPECT_EQ(nlohmann::ordered_json::parse(text), data);
}

TEST(Markup, CodeCannotEndItsScript) {
  EXPECT_EQ(scriptCode("a='</script>';b='</SCRIPT ';c='</style>'"),
            "a='<\\/script>';b='<\\/SCRIPT ';c='</style>'");
  EXPECT_EQ(scriptCode("d='<!--'"), "d='\\x3c!--'");
  EXPECT_EQ(scriptCode("if(a<b){}"), "if(a<b){}");
}

TEST(Markup, QuantitiesHaveUnits) {
  EXPECT_EQ(energyRange(2e6, 2e6), "2&nbsp;&micro;J");
  EXPECT_EQ(energyRange(1500, 2e6), "1.5&nbsp;nJ to 2&nbsp;&micro;J");
  EXPECT_EQ(latencyText(13942.6), "13.94&nbsp;&micro;s");
  EXPECT_EQ(energyUnit(5e7).name, "&micro;J");
  EXPECT_EQ(energyUnit(5e7).number(1234567), "1.235");
  EXPECT_EQ(withUnits("area (mm2)"), "area (mm&sup2;)");
  EXPECT_EQ(withUnits("2 us, mean 3 uJ"), "2 &micro;s, mean 3 &micro;J");
  EXPECT_EQ(withUnits("bus < us_total us2"), "bus &lt; us_total us2");
}

TEST(Markup, TicksAreRoundAndCoverAll) {
  EXPECT_EQ(ticksTo(207), (std::vector<double>{0, 100, 200, 300}));
  EXPECT_EQ(ticksTo(1), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(ticksTo(0), (std::vector<double>{0, 1}));
  EXPECT_EQ(ticksTo(5e-324), (std::vector<double>{0, 5e-324}));
  EXPECT_EQ(tickText(0.25), "0.25");
}

} // namespace
} // namespace dendrolith::report::html
