// SPDX-License-Identifier: Apache-2.0
// What statements do with the results of calls.
#include <map>
#include <optional>
#include <string>

#include "process/findings/result_use.hpp"
#include "record/finding.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using process::ResultUse;

namespace {

class OneFile final : public report::SourceText {
 public:
  explicit OneFile(const std::string& text) {
    std::size_t at = 0;
    for (unsigned number = 1; at < text.size(); ++number) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      lines_[number] = text.substr(at, end - at);
      at = end + 1;
    }
  }
  std::optional<std::string> line(const std::string&, unsigned number) override {
    const auto found = lines_.find(number);
    return found == lines_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<unsigned, std::string> lines_;
};

ResultUse use_in(const std::string& text, unsigned line) {
  OneFile file(text);
  return process::result_use("cudaSetDevice", record::Place{.file = "a.cu", .line = line}, file);
}

struct Statement {
  const char* text;
  ResultUse use;
};

constexpr ResultUse kUsed = ResultUse::used;
constexpr ResultUse kDiscarded = ResultUse::discarded;

const Statement kStatements[] = {
    {"  cudaSetDevice(3);", kDiscarded},
    {"  ::cudaSetDevice ( 3 ) ;", kDiscarded},
    {"  (void)cudaSetDevice(3);", kDiscarded},
    {"  static_cast<void>(cudaSetDevice(3));", kDiscarded},
    {"  std::ignore = cudaSetDevice(3);", kDiscarded},
    {"  if (wanted) cudaSetDevice(3);", kDiscarded},
    {"  if (wanted) {} else cudaSetDevice(3);", kDiscarded},
    {"  { cudaSetDevice(3); }", kDiscarded},
    {"  work(); cudaSetDevice(3); work();", kDiscarded},
    {"  case 3: cudaSetDevice(3);", kDiscarded},
    {"  /* e = */ cudaSetDevice(3);  // = cudaSetDevice(3)", kDiscarded},
    {"  print(\"= cudaSetDevice(\"); cudaSetDevice(3);", kDiscarded},
    {"  e = cudaSetDevice(3);", kUsed},
    {"  if (cudaSetDevice(3) != cudaSuccess) return;", kUsed},
    {"  if (cudaSetDevice(3) != cudaSuccess) cudaSetDevice(0);", kUsed},
    {"  return cudaSetDevice(3);", kUsed},
    {"  CHECK(cudaSetDevice(3));", kUsed},
    {"  e = wanted ? cudaSuccess : cudaSetDevice(3);", kUsed},
    {"  cudaSetDevice(3) == cudaSuccess || fail();", kUsed},
    {"  const bool there = !cudaSetDevice(3);", kUsed},
    {"  cudaSetDeviceEx<int>(cudaOf(3));", kDiscarded},
    {"  e = cudaSetDeviceEx(3);", kUsed},
    {"  CHOOSE(3);", ResultUse::unknown},
    {"  my_cudaSetDevice(3);", ResultUse::unknown},
    {"  cudaSetDevice(3", ResultUse::unknown},
};

}  // namespace

TEST_CASE("a call that is a statement by itself discards its result") {
  const Statement& one = kStatements[GENERATE(range(std::size_t{0}, std::size(kStatements)))];
  CAPTURE(one.text);
  CHECK(use_in(std::string("void f() {\n") + one.text + "\n}\n", 2) == one.use);
}

TEST_CASE("a call of several lines is read as a whole") {
  const std::string tested = "void f() {\n  if (cudaSetDevice(\n          index(1,\n                2))) {\n  }\n}\n";
  const std::string alone = "void f() {\n  cudaSetDevice(\n      index(1,\n            2));\n}\n";
  for (const unsigned line : {2U, 3U, 4U}) {
    CAPTURE(line);
    CHECK(use_in(tested, line) == kUsed);
    CHECK(use_in(alone, line) == kDiscarded);
  }
  CHECK(use_in(alone, 5) == ResultUse::unknown);
}

TEST_CASE("what cannot be read is not known") {
  CHECK(use_in("", 1) == ResultUse::unknown);
  CHECK(use_in("cudaSetDevice(3);", 7) == ResultUse::unknown);
  CHECK(use_in("cudaSetDevice(3);", 0) == ResultUse::unknown);
}
