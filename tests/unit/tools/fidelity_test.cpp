// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber fidelity`: its table rests on cases that exist, and finds what a program uses.
#include "tools/fidelity/fidelity.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "tools/fidelity/features.hpp"

using Catch::Matchers::ContainsSubstring;
using namespace warpfiber::tools::fidelity;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> names_used_in(std::string_view text) {
  std::vector<std::string> names;
  for (const Feature* feature : used_in(text)) names.emplace_back(feature->name);
  return names;
}

}  // namespace

TEST_CASE("every claim names a case that exists, and only what is not modelled has none") {
  for (const Feature& feature : features()) {
    CAPTURE(std::string(feature.name));
    CHECK(feature.evidence.empty() == (feature.fidelity == Fidelity::not_modelled));
    if (!feature.evidence.empty()) CHECK(fs::is_regular_file(fs::path(WARPFIBER_SOURCE) / feature.evidence));
  }
}

TEST_CASE("every feature has a name of its own, signs to know it by, and says how it differs") {
  std::set<std::string_view> names;
  for (const Feature& feature : features()) {
    CAPTURE(std::string(feature.name));
    CHECK(names.insert(feature.name).second);
    CHECK_FALSE(feature.signs.empty());
    CHECK((feature.fidelity == Fidelity::exact || !feature.note.empty()));
  }
}

TEST_CASE("features are found by whole words, beginnings and qualified names, and not in comments") {
  CHECK(names_used_in("__syncthreads();") == std::vector<std::string>{"barriers of a block"});
  CHECK(names_used_in("x = cg::reduce(tile, x, op);") == std::vector<std::string>{"reductions of groups"});
  CHECK(names_used_in("reduce(x); my__syncthreads(); // __syncthreads\n/* tex2D */").empty());
  CHECK(names_used_in("cudaGraphLaunch(g, s);") == std::vector<std::string>{"graphs and stream capture"});
}

TEST_CASE("warpfiber fidelity tells all features, those of a program, or which file is missing") {
  const auto all = fidelity({});
  CHECK(all.status == 0);
  CHECK_THAT(all.out, ContainsSubstring("not modelled  graphs") && ContainsSubstring("tests/conformance/atomics.cpp"));
  const auto one = fidelity({WARPFIBER_SOURCE "/tests/programs/vote.cu"});
  CHECK(one.status == 0);
  CHECK_THAT(one.out, ContainsSubstring("shuffles, votes") && !ContainsSubstring("textures"));
  const auto none = fidelity({"nowhere.cu"});
  CHECK(none.status == 2);
  CHECK_THAT(none.err, ContainsSubstring("nowhere.cu: no such file"));
}
