// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/html/Page.h"

#include "simulator/report/html/Markup.h"
#include "targets/support/Error.h"
#include "targets/support/InputFile.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

namespace dendrolith::report::html {
namespace {

/// What the browser may do: run what is in the file, and ask no server.
constexpr const char *kPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:";

std::string script(const std::string &code) {
  return "<script>" + scriptCode(code) + "</script>\n";
}

std::string foot(const std::optional<Library> &library) {
  std::string out = "<footer>\n<p>Written by Dendrolith " DENDROLITH_VERSION
                    ", from stored results alone. This file asks no server for "
                    "anything.</p>\n";
  if (!library)
    return out + "<p class=\"missing\">In this page " +
           escape(missingLibrary()) + ".</p>\n</footer>\n";
  return out +
         "<details><summary>Licence of ECharts, which draws what zooms"
         "</summary>\n<pre>" +
         escapeLines(library->notice) + "\n" + escapeLines(library->licence) +
         "</pre></details>\n</footer>\n";
}

} // namespace

void Page::addSection(const std::string &id, const std::string &heading,
                      const std::string &markup, Shape shape) {
  if (!markup.empty())
    sections.push_back({id, heading, markup, shape});
}

std::string Page::text(const std::optional<Library> &library) const {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light "
      "dark\">\n"
      "<meta name=\"generator\" content=\"Dendrolith {}\">\n<title>{}</title>\n"
      "<style>\n",
      kPolicy, DENDROLITH_VERSION, escape(title));
  out += kPageCss;
  out += "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the "
         "results</a>\n<header>\n";
  out += fmt::format("<h1>{}</h1>\n<p class=\"subtitle\">{}</p>\n",
                     escape(title), escape(subtitle));
  out += head;
  out += "<nav aria-label=\"Sections\"><ul>\n";
  for (const Section &section : sections)
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id,
                       escape(section.heading));
  out += "</ul></nav>\n</header>\n<main id=\"main\">\n";
  for (const Section &section : sections)
    out += fmt::format("<section id=\"{0}\" aria-labelledby=\"h-{0}\"{1}>\n"
                       "<h2 id=\"h-{0}\">{2}</h2>\n",
                       section.id,
                       section.shape == Shape::Wide ? " class=\"wide\"" : "",
                       escape(section.heading)) +
           section.markup + "</section>\n";
  out += "</main>\n" + foot(library);
  out += "<script type=\"application/json\" id=\"data\">" + scriptData(data) +
         "</script>\n";
  if (library)
    out += script(library->code);
  return out + script(kPageJs) + script(scripts) + "</body>\n</html>\n";
}

std::string figure(const std::string &caption, const std::string &picture,
                   const std::string &tables, const std::string &live) {
  std::string out = "<figure>\n";
  if (!caption.empty())
    out += "<figcaption>" + caption + "</figcaption>\n";
  // Wide pictures scroll in their place on narrow screens.
  std::string place =
      picture.empty() ? "" : "<div class=\"picture\">\n" + picture + "</div>\n";
  out += live.empty() ? place
                      : fmt::format("<div class=\"live\" data-live=\"{}\">{}"
                                    "</div>\n",
                                    live, place);
  return out + tables + "</figure>\n";
}

std::string picture(double height, const std::string &label,
                    const std::string &content) {
  return fmt::format("<svg class=\"wide\" viewBox=\"0 0 960 {:.0f}\" "
                     "role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
                     height, label, content);
}

std::string
scopeList(const std::vector<std::pair<std::string, std::string>> &rows) {
  std::string out = "<dl class=\"scope\">\n";
  for (const auto &[name, value] : rows)
    if (!value.empty())
      out += "<div><dt>" + name + "</dt><dd>" + value + "</dd></div>\n";
  return out + "</dl>\n";
}

std::string cards(const std::string &markup) {
  return "<div class=\"cards\">\n" + markup + "</div>\n";
}

std::string card(const std::string &name, const std::string &value,
                 const std::vector<std::string> &notes,
                 const std::string &style) {
  std::string out =
      fmt::format("<div class=\"card {}\"><h3>{}</h3><p class=\"quoted\">{}"
                  "</p>",
                  style, escape(name), value);
  for (const std::string &note : notes)
    if (!note.empty())
      out += "<p>" + note + "</p>";
  return out + "</div>\n";
}

// ECharts, which draws what a reader may zoom into. It is no part of this
// repository: npm fetches it when Dendrolith is configured (README.md), and a
// page without it has the same pictures and tables, but no zoom.
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLibraryBytes = uint64_t(1) << 24;

std::optional<Library> libraryIn(const fs::path &folder) {
  std::error_code ignored;
  for (const char *name : {"echarts.min.js", "LICENSE", "NOTICE"})
    if (!fs::is_regular_file(folder / name, ignored))
      return std::nullopt;
  auto read = [&](const char *name) {
    return readFile((folder / name).string(), kLibraryBytes);
  };
  return Library{read("echarts.min.js"), read("LICENSE"), read("NOTICE")};
}

} // namespace

std::optional<Library> findLibrary() {
  if (const char *given = std::getenv("DENDROLITH_ECHARTS"); given && *given) {
    std::optional<Library> library = libraryIn(given);
    if (!library)
      throw Error(std::string("DENDROLITH_ECHARTS: expected a folder with "
                              "echarts.min.js, LICENSE and NOTICE, found '") +
                  given + "'");
    return library;
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error)
    return std::nullopt;
  return libraryIn(program.parent_path().parent_path() / "share" /
                   "dendrolith" / "echarts");
}

std::string missingLibrary() {
  return "pictures do not zoom, as ECharts is not installed: install npm and "
         "configure Dendrolith again (cmake), or set DENDROLITH_ECHARTS to a "
         "folder with echarts.min.js, LICENSE and NOTICE";
}

} // namespace dendrolith::report::html
