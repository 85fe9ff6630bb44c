// SPDX-License-Identifier: Apache-2.0
// The data of the page about a run. tests/reports looks at whole pages in a browser.
#include "trace/page/page.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/catch.hpp"
#include "trace/trace.hpp"

namespace warpfiber::trace {
namespace {

class NoSources final : public report::SourceText {
 public:
  std::optional<std::string> line(const std::string&, unsigned) override { return std::nullopt; }
};

const TraceNames kPageNames{[](const void*) { return std::string("kernel(int</script>)"); },
                            [](const void*) { return record::Place{.file = "k.cu", .line = 7}; }};

PageFacts facts() {
  return {.command = "run", .findings = R"({"findings":[]})", .profile = "null", .short_kernel = [](const void*) {
            return std::string("kernel");
          }};
}

/// A launch with so many blocks, each with so many accesses by one thread each.
void add_accesses(Trace& trace, std::uint64_t number, unsigned blocks, unsigned accesses) {
  static const int kCode = 0;
  LaunchTrace launch{
      .facts = {.grid = {blocks, 1, 1}, .block = {1024, 1, 1}}, .number = number, .begin = 1, .end = 1U << 20};
  WorkerTrace worker{.sites = {{.instruction = &kCode}}, .accesses = blocks * accesses};
  for (unsigned rank = 0; rank < blocks; ++rank) {
    BlockTrace& block = worker.blocks.emplace_back();
    block.rank = rank;
    for (unsigned i = 0; i < accesses; ++i) {
      block.events.push_back({.step = i + 1,
                              .last = i + 1,
                              .address = 0x7fff00001000 + std::uint64_t{i} * 1237,
                              .value = ~std::uint64_t{0},
                              .thread = i % 1024,
                              .count = 8,
                              .flags = kReads | kHasValue});
    }
  }
  trace.add(std::move(launch), std::move(worker));
}

nlohmann::json data_of(const Trace& trace, std::size_t most = std::size_t{5} << 20) {
  NoSources sources;
  std::ostringstream data;
  write_page_data(trace, kPageNames, facts(), sources, data, most);
  return nlohmann::json::parse(data.str());
}

}  // namespace

TEST_CASE("events are differences, without zeros at their ends") {
  Trace trace;
  add_accesses(trace, 1, 1, 2);
  const nlohmann::json block = data_of(trace)["launches"][0]["workers"][0]["blocks"][0];
  CHECK(block["events"][0] == nlohmann::json::parse(R"([3,1,0,0,8,33,140733193392128,"ffffffffffffffff"])"));
  CHECK(block["events"][1] == nlohmann::json::parse(R"([3,1,1,0,8,33,1237,"ffffffffffffffff"])"));
  CHECK(block["left_out"] == 0);
}

TEST_CASE("a page of a million accesses keeps to its size and says what is left out") {
  Trace trace;
  for (unsigned launch = 1; launch <= 4; ++launch) add_accesses(trace, launch, 4, kEventsOfBlock);
  NoSources sources;
  std::ostringstream page;
  write_page(trace, kPageNames, facts(), sources, page);
  CHECK(page.str().size() < std::size_t{5} << 20);
  std::uint64_t events = 0;
  std::uint64_t left_out = 0;
  const nlohmann::json data = data_of(trace);
  for (const nlohmann::json& launch : data["launches"]) {
    for (const nlohmann::json& block : launch["workers"][0]["blocks"]) {
      events += block["events"].size();
      left_out += block["left_out"].get<std::uint64_t>();
    }
  }
  CHECK(events + left_out == 16 * kEventsOfBlock);
  CHECK(events > 16'000);
}

TEST_CASE("where there is too much, whole warps are left out and barriers stay") {
  Trace trace;
  static const int kCode = 0;
  WorkerTrace worker{.sites = {{.instruction = &kCode}, {.site = {"k.cu", 9, 0}}}, .accesses = 1};
  BlockTrace& block = worker.blocks.emplace_back();
  for (unsigned epoch = 0; epoch < 10; ++epoch) {
    for (unsigned thread = 0; thread < 64; ++thread)
      block.events.push_back({.step = ++block.end, .thread = thread, .count = 4});
    block.events.push_back({.step = ++block.end, .site = 1, .kind = TraceEventKind::release});
  }
  trace.add({.facts = {.block = {64, 1, 1}}, .number = 1, .begin = 1, .end = 1000}, std::move(worker));
  const nlohmann::json data = data_of(trace, 45'000);
  const nlohmann::json& events = data["launches"][0]["workers"][0]["blocks"][0]["events"];
  CHECK(events.size() == 10 * 32 + 10);
  CHECK(std::ranges::count_if(events, [](const auto& event) { return event[0] == 2; }) == 10);
}

TEST_CASE("watched values are changes, and later ones are left out where there are too many") {
  Trace trace;
  LaunchTrace launch{.number = 1, .begin = 1, .end = 100};
  launch.watched = {{.text = "a[\"", .form = "signed", .bytes = 4, .of_thread = true},
                    {.text = "b", .error = "nothing is called b"}};
  WorkerTrace worker;
  BlockTrace& block = worker.blocks.emplace_back();
  WatchedValues& values = block.watched.emplace_back();
  values.samples.push_back({5, {{0, {7}}, {1, {~std::uint64_t{0}}}}});
  values.samples.push_back({9, {{1, {0, WatchedState::null}}}});
  block.watched.emplace_back();
  trace.add(std::move(launch), std::move(worker));
  const nlohmann::json made = data_of(trace)["launches"][0];
  CHECK(made["watched"] == nlohmann::json::parse(R"([["a[\"","signed",4,1,""],["b","",0,0,"nothing is called b"]])"));
  const nlohmann::json expected = nlohmann::json::parse(R"([[0,[5,0,7,1,"ffffffffffffffff"],[9,1,-2]],[0]])");
  CHECK(made["workers"][0]["blocks"][0]["watched"] == expected);
  const nlohmann::json less = data_of(trace, 400)["launches"][0]["workers"][0]["blocks"][0]["watched"];
  CHECK(less == nlohmann::json::parse(R"([[1,[5,0,7,1,"ffffffffffffffff"]],[0]])"));
}

TEST_CASE("no text of the program ends the page's script") {
  Trace trace;
  add_accesses(trace, 1, 1, 1);
  NoSources sources;
  std::ostringstream page;
  write_page(trace, kPageNames, facts(), sources, page);
  CHECK_THAT(page.str(), !Catch::Matchers::ContainsSubstring("int</script>") &&
                             Catch::Matchers::ContainsSubstring("int\\u003c/script>"));
}

TEST_CASE("the data of an empty trace are whole") {
  const nlohmann::json data = data_of(Trace());
  CHECK(data["launches"].empty());
  CHECK(data["steps"] == 0);
}

}  // namespace warpfiber::trace
