// SPDX-License-Identifier: Apache-2.0
//
// The wrong programs of the gallery: what their headers state is what happens, and their twins are right whatever the
// schedule. Programs that hang are found out by name, with the lines they hang at, and leave the library usable.
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "registry.hpp"
#include "support/catch.hpp"

using Catch::Matchers::ContainsSubstring;
using gallery::Defect;
using gallery::Record;
using gallery::Setting;

namespace {

/// The lines of a header of the gallery.
std::vector<std::string> lines_of(const std::string& header) {
  std::ifstream file(WARPFIBER_GALLERY_SOURCES "/" + header);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  INFO(header);
  REQUIRE(!lines.empty());
  return lines;
}

/// The words after `key` at the beginning of some line, commas counting as spaces.
std::vector<std::string> words_after(const std::vector<std::string>& lines, const std::string& key) {
  std::vector<std::string> words;
  for (std::string line : lines) {
    if (line.rfind(key, 0) != 0) continue;
    for (char& c : line) c = c == ',' ? ' ' : c;
    std::istringstream rest(line.substr(key.size()));
    for (std::string word; rest >> word;) words.push_back(word);
  }
  return words;
}

std::string verdict_of(const std::string& header) {
  return words_after({lines_of(header).front()}, "// expect: ").front();
}

bool is_acceptable(const std::string& finding, const std::string& header) {
  if (finding == verdict_of(header)) return true;
  for (const std::string& other : words_after(lines_of(header), "// also-ok: ")) {
    if (finding == other) return true;
  }
  return false;
}

/// "lock_order.hpp:19" for every line marked @A or @B.
std::vector<std::string> marked_places(const std::string& header) {
  std::vector<std::string> places;
  const auto lines = lines_of(header);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.find(" // @A") == std::string::npos && line.find(" // @B") == std::string::npos) continue;
    places.push_back(header.substr(header.find('/') + 1) + ":" + std::to_string(i + 1));
  }
  return places;
}

std::string corrected_header(const Defect& defect) {
  return std::string("defects/") + defect.name + "_corrected.hpp";
}

template <class Table>
std::vector<Defect> copy(const Table& table) {
  return {table.begin(), table.end()};
}

std::vector<Defect> all_defects() {
  auto all = copy(gallery::lockstep_defects());
  for (const Defect& defect : gallery::hangs()) all.push_back(defect);
  return all;
}

void check_passed(const Record& record) {
  INFO("result " << record.result << ", reference " << record.reference << "\n" << record.message);
  CHECK(record.passed);
}

}  // namespace

TEST_CASE("a defect states its verdict in its first line and its twin is clean") {
  const Defect defect = GENERATE(from_range(all_defects()));
  INFO(defect.name);
  CHECK(verdict_of(defect.header) != "clean");
  CHECK(!marked_places(defect.header).empty());
  CHECK(verdict_of(corrected_header(defect)) == "clean");
}

TEST_CASE("programs that assume lock step go wrong when every lane is on its own") {
  const Defect defect = GENERATE(from_range(copy(gallery::lockstep_defects())));
  INFO(defect.name);
  bool went_wrong = false;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Setting setting = defect.usual;
    setting.engine.policy = "random";
    setting.engine.convergence = "none";
    setting.engine.seed = seed;
    went_wrong = went_wrong || !defect.wrong(setting).passed;
  }
  CHECK(went_wrong);
}

TEST_CASE("programs that take whoever is together are right by luck when all lanes are") {
  const std::string name = GENERATE(as<std::string>(), "mask_from_activemask", "vote_after_branch");
  for (const Defect& defect : gallery::lockstep_defects()) {
    if (name != defect.name) continue;
    Setting setting = defect.usual;
    setting.engine.policy = "in-order";
    setting.engine.convergence = "full";
    check_passed(defect.wrong(setting));
  }
}

TEST_CASE("a program that hangs is explained with its lines, and its twin runs right afterwards") {
  const Defect defect = GENERATE(from_range(copy(gallery::hangs())));
  Setting setting = defect.usual;
  setting.engine.workers = GENERATE(1U, 2U);
  INFO(defect.name << " on " << setting.engine.workers << " workers");
  const Record wrong = defect.wrong(setting);
  INFO(wrong.message);
  CHECK(!wrong.passed);
  CHECK(is_acceptable(wrong.finding, defect.header));
  for (const std::string& place : marked_places(defect.header)) CHECK_THAT(wrong.message, ContainsSubstring(place));
  check_passed(defect.corrected(setting));
}

TEST_CASE("corrected twins are right under every schedule and convergence") {
  const Defect defect = GENERATE(from_range(all_defects()));
  Setting setting = defect.usual;
  setting.engine.policy = GENERATE("in-order", "random", "pct:3");
  setting.engine.convergence = GENERATE("full", "random", "none");
  setting.engine.seed = GENERATE(1U, 2U, 3U);
  setting.engine.workers = 1;
  setting.grid = setting.grid != 0 ? 4 : 0;
  INFO(defect.name << " " << setting.engine.policy << " " << setting.engine.convergence << " " << setting.engine.seed);
  check_passed(defect.corrected(setting));
}

TEST_CASE("a grid barrier that fits the device is no hang") {
  const Defect defect = gallery::hangs().front();
  Setting setting = defect.usual;
  setting.grid = 132;
  check_passed(defect.wrong(setting));
}
