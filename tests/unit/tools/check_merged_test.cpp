// SPDX-License-Identifier: Apache-2.0
//
// The findings of several runs as one document, and as SARIF and JUnit.
#include "tools/check/documents/merged.hpp"

#include "support/catch.hpp"
#include "tools/check/formats/junit.hpp"
#include "tools/check/formats/sarif.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace warpfiber::tools::check;

namespace {

Json site(const char* file, unsigned line, const char* role) {
  return {{"file", file}, {"line", line}, {"role", role}, {"who", "thread (1,0,0)"}, {"source", "s[t] = \"<v>\""}};
}

Json finding(const char* id, const char* severity, std::vector<Json> sites) {
  return {{"id", id},
          {"severity", severity},
          {"meaning", "what it means"},
          {"kernel", "k<int>"},
          {"sites", sites},
          {"why", "because"},
          {"repeats", 2},
          {"text", std::string(id) + "  s[1]\n  \x1b & more\n"}};
}

std::string document(std::vector<Json> findings, bool hooks = true, unsigned launches = 1) {
  return Json{{"hooks", hooks}, {"launches", launches}, {"suppressed", 1}, {"unlisted", 0}, {"findings", findings}}
      .dump();
}

Json race() {
  return finding("race-shared", "error",
                 {site("/home/u/src/a b.cu", 15, "write"), site("/home/u/src/a b.cu", 17, "read")});
}

Json race_seen_from_the_other_side() {
  return finding("race-shared", "error",
                 {site("/home/u/src/a b.cu", 17, "read"), site("/home/u/src/a b.cu", 15, "write")});
}

Json warning() {
  return finding("benign-race", "info", {site("b.cu", 3, "write")});
}

}  // namespace

TEST_CASE("findings are folded over runs, and know the first seed that found them") {
  Merged merged;
  merged.add(document({warning()}), 1, 0);
  merged.add(document({race()}), 2, 0);
  merged.add(document({race_seen_from_the_other_side(), warning()}), 3, 139, 11);
  REQUIRE(merged.findings().size() == 2);
  CHECK(merged.findings()[0]["seed"] == 1);
  CHECK(merged.findings()[0]["found_in_runs"] == 2);
  CHECK(merged.findings()[1]["seed"] == 2);
  CHECK(merged.findings()[1]["found_in_runs"] == 2);
  CHECK(merged.findings()[1]["repeats"] == 5);
  CHECK(merged.count("error") == 1);
  CHECK(merged.count("info") == 1);
  CHECK(merged.runs() == 3);
  CHECK(merged.failure() == 139);
  CHECK(merged.document()["seeds"] == Json::array({1, 2, 3}));
  CHECK(merged.document()["failed_runs"] == Json::array({{{"run", 3}, {"status", 139}, {"signal", 11}}}));
  CHECK(merged.document()["suppressed"] == 3);
}

TEST_CASE("a pair of accesses of a race is known whatever it was reported with") {
  const auto pair = [](unsigned line) {
    return std::vector<Json>{site("a.cu", line, "write"), site("a.cu", 9, "read")};
  };
  const auto pairs = [&pair](unsigned line, unsigned other) {
    std::vector<Json> sites = pair(line);
    for (Json& one : pair(other)) sites.push_back(one);
    return finding("race-shared", "error", sites);
  };
  Merged merged;
  merged.add(document({pairs(3, 4)}), 1, 0);
  merged.add(document({finding("race-shared", "error", pair(4))}), 2, 0);
  merged.add(document({pairs(4, 3)}), 3, 0);
  REQUIRE(merged.findings().size() == 1);
  CHECK(merged.findings()[0]["found_in_runs"] == 3);
  merged.add(document({pairs(4, 5)}), 4, 0);
  CHECK(merged.findings().size() == 2);
}

TEST_CASE("a run that wrote nothing counts as a run") {
  Merged merged;
  merged.add("", std::nullopt, 1);
  CHECK(merged.runs() == 1);
  CHECK_FALSE(merged.has_hooks());
  merged.add(document({}, false), std::nullopt, 0);
  CHECK_FALSE(merged.has_hooks());
  merged.add(document({}), std::nullopt, 0);
  CHECK(merged.has_hooks());
}

TEST_CASE("a text that is no document is as good as none") {
  const std::string whole = document({race()});
  const auto with = [&whole](const std::string& text, const std::string& other) {
    std::string changed = whole;
    const std::size_t at = changed.find(text);
    REQUIRE(at != std::string::npos);
    return changed.replace(at, text.size(), other);
  };
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  for (const std::string& text :
       {whole.substr(0, whole.size() / 2), std::string("[1, 2]"), with("\"hooks\":true", "\"hooks\":1"),
        with("\"hooks\":true,", ""), with("\"launches\":1", "\"launches\":-1"),
        with("\"suppressed\":1", "\"suppressed\":null"), with("\"findings\":[", "\"findings\":[3,"),
        with("\"error\"", "\"fatal\""), with("\"repeats\":2", "\"repeats\":{}"), with("\"line\":15", "\"line\":\"x\""),
        with("\"line\":15", "\"line\":4294967296"), with("\"role\":\"write\"", "\"roll\":\"write\""),
        with("\"why\":\"because\"", "\"why\":7"), with("\"why\":\"because\"", "\"why\":" + deep), deep}) {
    INFO(text.substr(0, 2000));
    Merged merged;
    merged.add(text, 1, 0);
    CHECK(merged.findings().empty());
    CHECK_FALSE(merged.has_hooks());
    CHECK_THAT(merged.unchecked(), ContainsSubstring("nothing was checked"));
  }
}

TEST_CASE("what was not checked is an error in every format") {
  Merged merged;
  merged.add("", std::nullopt, 0);
  CHECK(merged.document()["checked"] == "nothing");
  CHECK_THAT(merged.unchecked(),
             ContainsSubstring("nothing was checked") && ContainsSubstring("not built by warpfiber"));
  merged.add(document({}, true, 0), std::nullopt, 0);
  CHECK(merged.is_empty());
  CHECK(merged.unchecked() == "nothing was checked: no kernel ran before the program ended");
  CHECK_THAT(render_junit(merged, "p"), ContainsSubstring("errors=\"1\"") && ContainsSubstring("type=\"unchecked\""));
  const Json sarif = Json::parse(render_sarif(merged, "/", ""));
  const Json& invocation = sarif["runs"][0]["invocations"][0];
  CHECK(invocation["executionSuccessful"] == false);
  CHECK(invocation["toolExecutionNotifications"][0]["message"]["text"] == merged.unchecked());
  merged.add(document({}, false, 2), std::nullopt, 0);
  CHECK(merged.document()["checked"] == "hangs-and-faults");
  CHECK_THAT(merged.unchecked(), ContainsSubstring("no access hooks"));
  merged.add(document({}, true, 1), std::nullopt, 0);
  CHECK(merged.document()["checked"] == "all");
  CHECK(merged.unchecked().empty());
}

TEST_CASE("the documents of the processes of a run are one run") {
  Merged merged;
  merged.add(std::vector{document({race()}), document({race(), warning()})}, 7, 0);
  CHECK(merged.runs() == 1);
  CHECK(merged.document()["launches"] == 2);
  REQUIRE(merged.findings().size() == 2);
  CHECK(merged.findings()[0]["found_in_runs"] == 1);
}

TEST_CASE("what is kept is bounded") {
  Merged merged;
  for (unsigned line = 1; line <= 1200; ++line)
    merged.add(document({finding("trap", "error", {site("a.cu", line, "trap")})}), line, 0);
  CHECK(merged.findings().size() == 1000);
  CHECK(merged.document()["unlisted"] == 200);
}

TEST_CASE("a finding is placed by the lines of its sites") {
  CHECK(places_of(race()) == "a b.cu:15, a b.cu:17");
  Json lost = warning();
  lost["sites"][0]["file"] = nullptr;
  CHECK(places_of(lost).empty());
  CHECK(headline_of(race()) == "race-shared  s[1]");
}

TEST_CASE("SARIF has a rule an id, a result a finding, and paths relative to the folder") {
  Merged merged;
  merged.add(document({race(), warning()}), std::nullopt, 139, 11);
  const Json log = Json::parse(render_sarif(merged, "/home/u", ""));
  CHECK(log["version"] == "2.1.0");
  const Json& run = log["runs"][0];
  CHECK(run["tool"]["driver"]["rules"].size() == 2);
  CHECK(run["tool"]["driver"]["rules"][0]["id"] == "race-shared");
  CHECK(run["invocations"][0]["executionSuccessful"] == false);
  CHECK(run["invocations"][0]["exitSignalNumber"] == 11);
  REQUIRE(run["results"].size() == 2);
  const Json& result = run["results"][0];
  CHECK(result["ruleId"] == "race-shared");
  CHECK(result["level"] == "error");
  CHECK(result["occurrenceCount"] == 3);
  const Json& physical = result["locations"][0]["physicalLocation"];
  CHECK(physical["artifactLocation"] == Json{{"uri", "src/a%20b.cu"}, {"uriBaseId", "%SRCROOT%"}});
  CHECK(run["originalUriBaseIds"]["%SRCROOT%"]["uri"] == "file:///home/u/");
  CHECK(physical["region"]["startLine"] == 15);
  CHECK(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 17);
  CHECK(run["results"][1]["level"] == "note");
  const Json elsewhere = Json::parse(render_sarif(merged, "/home/v", ""));
  CHECK(elsewhere["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"] ==
        Json{{"uri", "file:///home/u/src/a%20b.cu"}});
}

namespace {

std::vector<std::string> fingerprints(const std::vector<Json>& findings, const std::string& folder = "/home/u") {
  Merged merged;
  merged.add(document(findings), std::nullopt, 0);
  const Json log = Json::parse(render_sarif(merged, folder, ""));
  std::vector<std::string> found;
  for (const Json& result : log["runs"][0]["results"])
    found.push_back(result["partialFingerprints"]["primaryLocationLineHash"]);
  return found;
}

}  // namespace

TEST_CASE("SARIF's fingerprint of a finding is made of the text of its lines, whatever their numbers") {
  Json moved = race();
  for (Json& site : moved["sites"]) site["line"] = site["line"].get<unsigned>() + 100;
  CHECK(fingerprints({race()}) == fingerprints({moved}));
  Json changed = race();
  changed["sites"][0]["source"] = "s[t] = 2";
  CHECK(fingerprints({race()}) != fingerprints({changed}));
  Json of_other_kernel = race();
  of_other_kernel["kernel"] = "other";
  CHECK(fingerprints({race()}) != fingerprints({of_other_kernel}));
}

TEST_CASE("SARIF's fingerprint does not depend on where the checkout is") {
  Json there = race();
  for (Json& site : there["sites"]) site["file"] = "/build/7/src/a b.cu";
  CHECK(fingerprints({race()}) == fingerprints({there}, "/build/7"));
}

TEST_CASE("SARIF's fingerprints of equal findings are numbered") {
  Json moved = race();
  for (Json& site : moved["sites"]) site["line"] = site["line"].get<unsigned>() + 100;
  const std::vector<std::string> both = fingerprints({race(), moved});
  REQUIRE(both.size() == 2);
  CHECK(both[0].ends_with(":1"));
  CHECK(both[1] == both[0].substr(0, both[0].size() - 1) + "2");
}

TEST_CASE("SARIF's rules have the page of the finding as their help") {
  Merged merged;
  merged.add(document({race(), finding("no-such-id", "error", {})}), std::nullopt, 0);
  const Json log = Json::parse(render_sarif(merged, "/home/u", WARPFIBER_SOURCE "/docs"));
  const Json& rules = log["runs"][0]["tool"]["driver"]["rules"];
  CHECK(rules[0]["name"] == "RaceShared");
  CHECK_THAT(rules[0]["help"]["text"].get<std::string>(), ContainsSubstring("Two accesses to a block's shared memory"));
  const std::string markdown = rules[0]["help"]["markdown"];
  CHECK_THAT(markdown, ContainsSubstring("# race-shared\n"));
  CHECK_THAT(markdown, ContainsSubstring("s[(t + 1)") || ContainsSubstring("s[127 - t]"));
  CHECK(markdown.find("](") == std::string::npos);
  CHECK_THAT(rules[1]["help"]["text"].get<std::string>(), ContainsSubstring("warpfiber explain no-such-id"));
}

TEST_CASE("a program that returns a number above 128 was ended by no signal") {
  Merged merged;
  merged.add(document({}), std::nullopt, 130);
  CHECK(merged.failure() == 130);
  CHECK(merged.signal() == 0);
  CHECK(merged.document()["failed_runs"] == Json::array({{{"run", 1}, {"status", 130}}}));
  const Json log = Json::parse(render_sarif(merged, "/home/u", ""));
  const Json& invocation = log["runs"][0]["invocations"][0];
  CHECK(invocation["exitCode"] == 130);
  CHECK_FALSE(invocation.contains("exitSignalNumber"));
}

TEST_CASE("JUnit fails for errors only, and its text is legal XML") {
  Merged merged;
  merged.add(document({race(), warning()}), std::nullopt, 3);
  const std::string xml = render_junit(merged, "a.cu");
  CHECK_THAT(xml, ContainsSubstring("tests=\"3\" failures=\"1\" errors=\"1\""));
  CHECK_THAT(xml, ContainsSubstring("<error type=\"status\" message=\"the program returned 3\"/>"));
  CHECK_THAT(xml, ContainsSubstring("classname=\"k&lt;int&gt;\" name=\"race-shared at a b.cu:15, a b.cu:17\""));
  CHECK_THAT(xml, ContainsSubstring(
                      "<failure type=\"race-shared\" message=\"race-shared  s[1]\">race-shared  s[1]\n  ? &amp; more"));
  CHECK_THAT(xml, ContainsSubstring("<system-out>benign-race"));
  CHECK(xml.find('\x1b') == std::string::npos);
}

namespace {

Json test_of(const char* suite, const char* name, const char* outcome) {
  return {{"suite", suite}, {"name", name}, {"outcome", outcome}};
}

Json found_in(Json finding, const std::vector<Json>& tests) {
  finding["tests"] = tests;
  return finding;
}

std::string with_tests(const std::vector<Json>& findings, const std::vector<Json>& tests) {
  Json made = Json::parse(document(findings));
  made["tests"] = tests;
  return made.dump();
}

const Json kFirst = {{"suite", "Sum"}, {"name", "First<int>"}};
const Json kSecond = {{"suite", ""}, {"name", "second"}};

}  // namespace

TEST_CASE("JUnit has the program's own tests, and findings belong to them") {
  Merged merged;
  merged.add(with_tests({found_in(race(), {kFirst, kSecond}), found_in(warning(), {kSecond}),
                         finding("trap", "error", {site("b.cu", 3, "trap")})},
                        {test_of("Sum", "First<int>", "failed"), test_of("", "second", "failed"),
                         test_of("Sum", "Third", "passed"), test_of("Sum", "Fourth", "failed"),
                         test_of("Sum", "Fifth", "skipped")}),
             std::nullopt, 1);
  const std::string xml = render_junit(merged, "tests");
  // The program, five tests, and the finding of no test. That tests failed is why the program returned 1.
  CHECK_THAT(xml, ContainsSubstring("tests=\"7\" failures=\"4\" errors=\"0\""));
  CHECK_THAT(xml,
             ContainsSubstring("classname=\"Sum\" name=\"First&lt;int&gt;\">\n      <failure type=\"race-shared\""));
  CHECK_THAT(xml, ContainsSubstring("classname=\"tests\" name=\"second\">\n      <failure type=\"race-shared\""));
  CHECK_THAT(xml, ContainsSubstring("<system-out>benign-race"));
  CHECK_THAT(xml, ContainsSubstring("name=\"Third\">\n    </testcase>"));
  CHECK_THAT(
      xml, ContainsSubstring("name=\"Fourth\">\n      <failure type=\"test\" message=\"the test failed by itself\"/>"));
  CHECK_THAT(xml, ContainsSubstring("name=\"Fifth\">\n      <skipped/>"));
  CHECK_THAT(xml, ContainsSubstring("classname=\"k&lt;int&gt;\" name=\"trap at b.cu:3\""));
}

TEST_CASE("a test that was running when a signal ended the program has that error") {
  Merged merged;
  merged.add(with_tests({}, {test_of("Sum", "First<int>", "passed"), test_of("", "second", "running")}), std::nullopt,
             139, 11);
  const std::string xml = render_junit(merged, "tests");
  CHECK_THAT(xml, ContainsSubstring(
                      "name=\"second\">\n      <error type=\"status\" message=\"the program was ended by signal 11"));
  CHECK_THAT(xml, ContainsSubstring("errors=\"2\""));
}

TEST_CASE("of several runs a test has its worst outcome, and the findings of all") {
  Merged merged;
  merged.add(with_tests({}, {test_of("Sum", "First<int>", "passed"), test_of("", "second", "failed")}), 1, 1);
  merged.add(with_tests({found_in(race(), {kFirst})}, {test_of("Sum", "First<int>", "failed")}), 2, 1);
  merged.add(with_tests({found_in(race(), {kSecond})}, {test_of("", "second", "passed")}), 3, 0);
  REQUIRE(merged.tests().size() == 2);
  CHECK(merged.tests()[0]["outcome"] == "failed");
  CHECK(merged.tests()[1]["outcome"] == "failed");
  REQUIRE(merged.findings().size() == 1);
  CHECK(merged.findings()[0]["tests"] == Json{kFirst, kSecond});
}

TEST_CASE("of several shards, too, and of one that goes on") {
  Merged first;
  first.add(with_tests({found_in(race(), {kFirst})}, {test_of("Sum", "First<int>", "failed")}), 2, 1);
  Merged second;
  second.add(with_tests({found_in(race(), {kSecond})},
                        {test_of("Sum", "First<int>", "passed"), test_of("", "second", "failed")}),
             1, 1);
  Merged merged;
  merged.add_shard(first.document());
  merged.add_shard(second.document());
  REQUIRE(merged.findings().size() == 1);
  CHECK(merged.findings()[0]["seed"] == 1);
  CHECK(merged.findings()[0]["tests"] == Json{kSecond, kFirst});
  Merged gone_on(merged.document());
  gone_on.add(with_tests({}, {test_of("Sum", "First<int>", "passed"), test_of("", "third", "passed")}), 3, 0);
  REQUIRE(gone_on.tests().size() == 3);
  CHECK(gone_on.tests()[0]["outcome"] == "failed");
}

TEST_CASE("a document whose tests have no names is none") {
  Merged merged;
  merged.add(with_tests({}, {Json{{"suite", "Sum"}}}), std::nullopt, 0);
  CHECK(merged.is_empty());
}

TEST_CASE("JUnit is legal XML whatever the name of the file") {
  const auto name_of = [](const std::string& program) {
    Merged merged;
    merged.add(document({}), std::nullopt, 0);
    const std::string xml = render_junit(merged, program);
    const std::size_t begin = xml.find("testsuite name=\"") + 16;
    return xml.substr(begin, xml.find('"', begin) - begin);
  };
  CHECK(name_of("größe-核-\xf0\x9f\x98\x80.cu") == "größe-核-\xf0\x9f\x98\x80.cu");
  CHECK(name_of("\x01\x1b\r<&>.cu") == "???&lt;&amp;&gt;.cu");
  CHECK(name_of("a\xff\xc3") == "a??");               // no UTF-8
  CHECK(name_of("\xc0\xaf\xe0\x80\xaf") == "?????");  // longer than need be
  CHECK(name_of("\xed\xa0\x80") == "???");            // half of a pair of UTF-16
  CHECK(name_of("\xef\xbf\xbf\xf4\x90\x80\x80") == "???????");
  CHECK(name_of("\xe6\xa0") == "??");
}

TEST_CASE("a program without findings passes one JUnit case") {
  Merged merged;
  merged.add(document({}), std::nullopt, 0);
  CHECK_THAT(render_junit(merged, "a.cu"), ContainsSubstring("tests=\"1\" failures=\"0\" errors=\"0\""));
}
