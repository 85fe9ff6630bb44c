// SPDX-License-Identifier: Apache-2.0
//
// Finds a page by its name, a part of its name or the id of a finding, and prints it through markdown.cpp.
#include "tools/explain/explain.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/environment.hpp"
#include "report/catalogue/catalogue.hpp"
#include "report/columns.hpp"
#include "tools/manual/manual.hpp"

namespace warpfiber::tools::explain {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWidest = 100;  // columns that are still read with ease
constexpr std::size_t kLeastWidth = 40;
constexpr std::size_t kNames = 24;  // columns of the list's names

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// "Race_Shared" and "docs/findings/race-shared.md" are race-shared.
std::string name_in(const std::string& word) {
  std::string name = fs::path(word).filename().string();
  if (name.ends_with(".md")) name.erase(name.size() - 3);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return c == '_' ? '-' : std::tolower(c); });
  return name;
}

std::string title_of(const std::string& docs, const std::string& page) {
  const std::string text = content(fs::path(docs) / (page + ".md"));
  const std::size_t begin = std::min(text.find_first_not_of("# "), text.size());
  return without_markup(text.substr(begin, text.find('\n') - begin));
}

std::string entry(std::string_view name, std::string_view meaning, std::size_t width) {
  std::string text;
  for (const std::string& line : report::wrapped(meaning, width - kNames)) {
    text += report::padded(text.empty() ? "  " + std::string(name) : std::string(), kNames) + line + "\n";
  }
  return text;
}

std::string list(const std::string& docs, const View& view) {
  std::string text = "findings:\n";
  for (const report::CatalogueEntry& one : report::catalogue()) text += entry(one.id, one.meaning, view.width);
  text += "\npages of the documentation, in " + docs + ":\n";
  for (const std::string& page : pages_in(docs)) text += entry(page, title_of(docs, page), view.width);
  return text + "\nwarpfiber explain NAME shows one of them\n";
}

/// The pages that a page links to, as words of this command.
std::string see_also(const std::string& markdown, const std::string& docs, const View& view) {
  std::string names;
  for (const std::string& file : linked_files(markdown)) {
    const fs::path name = fs::path(file).filename();
    const bool is_page = fs::exists(fs::path(docs) / name) || fs::exists(fs::path(docs) / "findings" / name);
    if (name.extension() == ".md" && is_page && name != "README.md")
      names += (names.empty() ? "" : ", ") + name.stem().string();
  }
  if (names.empty()) return {};
  std::string text = "\n";
  for (const std::string& line : report::wrapped("See also, by warpfiber explain: " + names, view.width))
    text += line + "\n";
  return text;
}

/// The names that begin with the word, or else contain it: "race" may be one of three.
std::string names_around(const std::string& word, const std::vector<std::string>& all) {
  std::vector<std::string> near;
  for (const std::size_t latest : {std::size_t{0}, std::string::npos - 1}) {
    if (!near.empty() || word.empty()) break;
    std::ranges::copy_if(all, std::back_inserter(near),
                         [&](const std::string& name) { return name.find(word) <= latest; });
  }
  std::string text;
  for (std::size_t i = 0; i < near.size(); ++i)
    text += (i == 0 ? "; did you mean '" : i + 1 == near.size() ? "' or '" : "', '") + near[i];
  return text.empty() ? text : text + "'?";
}

Reply unknown(const std::string& word, const std::string& docs, const View& view) {
  const std::vector<std::string> ids = finding_ids();
  std::vector<std::string> all = ids;
  std::ranges::copy(pages_in(docs), std::back_inserter(all));
  const std::string name = name_in(word);
  std::string meant = names_around(name, all);
  if (meant.empty()) meant = manual::suggestion(name, all);
  std::string known;
  for (const std::string& id : ids) known += (known.empty() ? "" : ", ") + id;
  std::string text = "warpfiber explain: '" + word + "' is not a finding or a page" + meant + "\n";
  for (const std::string& line : report::wrapped("findings: " + known, view.width)) text += line + "\n";
  return {1, "", text + "warpfiber explain lists what they mean, and the pages\n"};
}

}  // namespace

View view_of_output() {
  View view;
  winsize size{};
  if (::isatty(STDOUT_FILENO) != 1) return view;
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0)
    view.width = std::clamp<std::size_t>(size.ws_col, kLeastWidth, kWidest);
  view.paint = report::Paint(base::wants_colour(STDOUT_FILENO));
  return view;
}

std::vector<std::string> pages_in(const std::string& docs) {
  std::vector<std::string> names;
  std::error_code none;  // a folder that is not there has no pages
  for (const auto& file : fs::directory_iterator(docs, none)) {
    if (file.path().extension() == ".md") names.push_back(file.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> finding_ids() {
  std::vector<std::string> ids;
  for (const report::CatalogueEntry& one : report::catalogue()) ids.emplace_back(one.id);
  return ids;
}

Reply explain(const std::string& word, const std::string& docs, const View& view) {
  if (!fs::is_directory(docs)) {
    return {1, "", "warpfiber explain: there is no documentation in '" + docs + "'; install Warpfiber again\n"};
  }
  if (word.empty()) return {0, list(docs, view), ""};
  const std::string name = name_in(word);
  for (const fs::path& folder : {fs::path(docs) / "findings", fs::path(docs)}) {
    const std::string markdown = content(folder / (name + ".md"));
    if (markdown.empty()) continue;
    return {0, plain_text(markdown, view.width, view.paint) + see_also(markdown, docs, view), ""};
  }
  return unknown(word, docs, view);
}

}  // namespace warpfiber::tools::explain
