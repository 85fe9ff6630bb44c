// SPDX-License-Identifier: Apache-2.0
//
// The samples about accesses: one of each kind that checks find in memory.
#include <numeric>

#include "unit/analysis/report/samples.hpp"

namespace warpfiber::report::samples {
namespace {

using record::Finding;
using record::ObjectFacts;
using record::Role;

ObjectFacts with_value(const char* value) {
  return {.value = value};
}

Finding race_shared() {
  Finding f{.verdict = record::Verdict::race_shared, .launch = launch_of("rotate", 1, 128)};
  f.launch.static_shared = 512;
  f.object = ObjectFacts{
      .name = "s[65]", .type = "int", .bytes = record::Bytes{260, 4, 512}, .declared = {"rotate.cu", 12, 0, "rotate"}};
  f.parties = {{.role = Role::write,
                .who = one_thread(f.launch, 0, 65),
                .place = {"rotate.cu", 15, 0, "rotate"},
                .object = with_value("65")},
               {.role = Role::read, .who = one_thread(f.launch, 0, 64), .place = {"rotate.cu", 17, 0, "rotate"}}};
  f.why = "both after barrier phase 3 of block (0,0,0)";
  f.fix = "a __syncthreads() between rotate.cu:17 and the next rotate.cu:15";
  f.sanitizer_term = "Race reported between Write access and Read access";
  f.again = "warpfiber check --seed 7 rotate.cu";
  f.repeats = 95;
  return f;
}

Finding oob_global() {
  Finding f{.verdict = record::Verdict::oob_global, .launch = launch_of("fill", 4, 256)};
  f.object = ObjectFacts{.name = "out[1000]",
                         .type = "float",
                         .space = "global",
                         .bytes = record::Bytes{4000, 4, 4000},
                         .declared = {"bounds.cu", 30, 0, "main"}};
  std::vector<std::uint64_t> last(24);
  std::iota(last.begin(), last.end(), 232);
  f.parties = {{.role = Role::write,
                .who = threads(f.launch, 3, 4, last),
                .place = {"src/bounds.cuh", 9, 0, "void store<float>(float*, int, float)"},
                .object = with_value("0"),
                .stack = {{"bounds.cu", 21, 0, "fill(float*, int)"}}}};
  f.why = "The access begins where the allocation ends: it has 1,000 elements.";
  f.fix = "let only threads with i < 1000 store";
  f.sanitizer_term = "Invalid __global__ write";
  f.again = "warpfiber check bounds.cu";
  return f;
}

Finding use_after_free() {
  Finding f{.verdict = record::Verdict::use_after_free, .launch = launch_of("copy", 1, 32)};
  f.object = ObjectFacts{.name = "in[0]",
                         .type = "int",
                         .space = "global",
                         .bytes = record::Bytes{0, 4, 128},
                         .declared = {"freed.cu", 19, 0, "main"}};
  f.parties = {{.role = Role::read, .who = one_thread(f.launch, 0, 0), .place = {"freed.cu", 8, 0, "copy"}},
               {.role = Role::call,
                .who = {.unit = record::Unit::host, .count = 1},
                .place = {"freed.cu", 24, 0, "release(int*)"},
                .what = "cudaFree()",
                .stack = {{"freed.cu", 41, 0, "stop()"},
                          {"freed.cu", 52, 0, "shut_down()"},
                          {"freed.cu", 60, 0, "run(int, char**)"},
                          {"freed.cu", 71, 0, "guarded(int, char**)"},
                          {"freed.cu", 80, 0, "start(int, char**)"},
                          {"freed.cu", 90, 0, "main"}}}};
  f.why = "The memory was freed before the kernel ran.";
  f.fix = "free it after the kernel: behind cudaDeviceSynchronize()";
  f.again = "warpfiber check freed.cu";
  f.repeats = 1200;
  return f;
}

Finding uninit_shared() {
  Finding f{.verdict = record::Verdict::uninit_shared, .launch = launch_of("prefix", 8, 64)};
  f.object =
      ObjectFacts{.name = "s[64]", .type = "int", .bytes = record::Bytes{256, 4, 260}, .declared = {"prefix.cu", 5}};
  f.parties = {{.role = Role::read,
                .who = threads(f.launch, 0, 8, {63}),
                .place = {"prefix.cu", 14, 0, "prefix"},
                .detail = "used in a branch at prefix.cu:15"}};
  f.why =
      "Nothing was written to these bytes since the block began; its neighbours s[0] to s[63] were, at prefix.cu:9.";
  f.fix = "set s[64] before the first read, with a __syncthreads() in between";
  f.again = "warpfiber check prefix.cu";
  return f;
}

Finding async_hazard() {
  Finding f{.verdict = record::Verdict::async_hazard, .launch = launch_of("staged", 64, 128)};
  f.object = ObjectFacts{.name = "tile[3]",
                         .type = "float4",
                         .bytes = record::Bytes{48, 4, 2048},
                         .declared = {"stage.cu", 12, 0, "staged"}};
  f.parties = {{.role = Role::write,
                .who = one_thread(f.launch, 2, 3),
                .place = {"stage.cu", 18, 0, "staged"},
                .detail = "asynchronous, committed as batch 2 of this thread",
                .object = ObjectFacts{.bytes = record::Bytes{48, 16, 2048}}},
               {.role = Role::read, .who = one_thread(f.launch, 2, 3), .place = {"stage.cu", 21, 0, "staged"}}};
  f.why = "The copy may still be under way: __pipeline_wait_prior(1) at stage.cu:20 waits for batch 1 only.";
  f.fix = "__pipeline_wait_prior(0) before the read";
  f.again = "warpfiber check stage.cu";
  return f;
}

}  // namespace

std::vector<Sample> accesses() {
  return {{"async_hazard", async_hazard()},
          {"oob_global", oob_global()},
          {"race_shared", race_shared()},
          {"uninit_shared", uninit_shared()},
          {"use_after_free", use_after_free()}};
}

}  // namespace warpfiber::report::samples
