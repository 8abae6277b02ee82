// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report as one HTML file that asks no server for anything: styles, programs
// and data are in it, and its policy forbids the browser every request. It is
// the frame of all pages: that of a run (RunPage.h) and that of a study
// (runtime/explore/page) are sections of it.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_PAGE_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_PAGE_H

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::report::html {

/// Files of this folder that become part of a page: the build makes the source
/// that holds them (Embed.cmake).
extern const char *const kPageCss;
extern const char *const kPageJs;
extern const char *const kRunJs;

struct Library {
  std::string code, licence, notice; ///< contents of its files
};

/// The folder $DENDROLITH_ECHARTS, else share/dendrolith/echarts beside the
/// folder of this program. Nothing where a file of it is missing; Error where
/// $DENDROLITH_ECHARTS names a folder that does not hold it.
std::optional<Library> findLibrary();

/// One line for those who miss it: what, and how to get it.
std::string missingLibrary();

class Page {
public:
  /// Both are plain text.
  Page(std::string title, std::string subtitle)
      : title(std::move(title)), subtitle(std::move(subtitle)) {}

  /// What stands above all sections: warnings, headline and scope, as markup.
  void addHead(const std::string &markup) { head += markup; }
  /// A section with a heading, of which the list of contents has a link; none
  /// without markup. Wide ones take the whole width.
  enum class Shape { Usual, Wide };
  void addSection(const std::string &id, const std::string &heading,
                  const std::string &markup, Shape shape = Shape::Usual);
  /// A program that page.js starts with `data`, as its file has it.
  void addScript(const std::string &code) { scripts += code; }
  nlohmann::ordered_json data = nlohmann::ordered_json::object();

  /// The whole file. Without a library its pictures are as they are in it.
  std::string text(const std::optional<Library> &library) const;

private:
  struct Section {
    std::string id, heading, markup;
    Shape shape;
  };
  std::string title, subtitle, head, scripts;
  std::vector<Section> sections;
};

/// A picture with its caption. Where `live` is not empty, the program of that
/// name draws in its place once there is a library; on paper and without
/// scripts the picture itself is seen.
std::string figure(const std::string &caption, const std::string &picture,
                   const std::string &tables, const std::string &live = "");

/// The frame of a picture that is 960 units wide. `label` says what it shows to
/// those who cannot see it; both are markup.
std::string picture(double height, const std::string &label,
                    const std::string &content);

/// Rows of a name and its value, as markup, those without a value left out:
/// what was run or asked for, below the headline.
std::string
scopeList(const std::vector<std::pair<std::string, std::string>> &rows);

/// Cards side by side.
std::string cards(const std::string &markup);

/// A number that people quote, with its name and what belongs to it; markup but
/// for the name.
std::string card(const std::string &name, const std::string &value,
                 const std::vector<std::string> &notes,
                 const std::string &style = "");

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_PAGE_H
