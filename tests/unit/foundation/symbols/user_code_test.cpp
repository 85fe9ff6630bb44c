// SPDX-License-Identifier: Apache-2.0
// Which files are the user's.
#include "symbols/user_code.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::symbols;

namespace {

const std::string kTree = WARPFIBER_TREE;

}  // namespace

TEST_CASE("files of the library and of the system are not the user's") {
  UserCode code;
  CHECK_FALSE(code.has(kTree + "/include/cuda/cuda_runtime.h", ""));
  CHECK_FALSE(code.has(kTree + "/include/warpfiber/intrinsics/atomics.hpp", ""));
  CHECK_FALSE(code.has("include/cuda/cuda_runtime.h", kTree));
  CHECK_FALSE(code.has(kTree + "/src/execution/engine/entry.cpp", ""));
  CHECK_FALSE(code.has("/usr/include/c++/12/atomic", ""));
  CHECK_FALSE(code.has("malloc.c", "", "/usr/lib/libc.so.6"));
  CHECK(code.has("/home/user/include/cuda/kernels.cuh", ""));
  CHECK(code.has("kernels.cu", "/home/user", "/home/user/app"));
  CHECK(code.has("/usr/include/cub/block/block_reduce.cuh", ""));
  CHECK(code.has("/home/user/cccl/cub/cub/block/block_reduce.cuh", ""));
}

TEST_CASE("files that a compiler named from its folder are found from another one") {
  CHECK(file_from_here("../src/README.md", kTree + "/docs") == kTree + "/src/README.md");
  CHECK(file_from_here("no_such_file.cu", kTree + "/docs") == "no_such_file.cu");
  CHECK(file_from_here("../src/README.md", "") == "../src/README.md");
  CHECK(file_from_here("/no/such_file.cu", kTree) == "/no/such_file.cu");
}

TEST_CASE("the place of several frames is that of the innermost of the user's") {
  const record::Place place =
      user_place(std::vector<Frame>{{.function = "atomicAdd", .place = {kTree + "/include/cuda/cuda_runtime.h", 5}},
                                    {.function = "count", .place = {"a.cu", 9}, .users = true},
                                    {.function = "main", .place = {"a.cu", 20}, .users = true}});
  CHECK(place.line == 9);
  CHECK(place.function == "count");
  CHECK_FALSE(user_place({}).known());
  const Frame library{
      .function = "malloc", .place = {"/usr/include/thrust/detail/malloc_and_free.h", 30}, .users = true};
  CHECK(user_place(std::vector<Frame>{library, {.place = {"a.cu", 20}, .users = true}}).line == 20);
  CHECK(user_place(std::vector<Frame>{library}).line == 30);
  const Frame atomic{.place = {"/home/user/cccl/libcudacxx/include/cuda/std/__atomic/types/reference.h", 81},
                     .users = true};
  CHECK(user_place(std::vector<Frame>{atomic, {.place = {"a.cu", 20}, .users = true}}).line == 20);
}
