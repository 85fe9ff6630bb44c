// SPDX-License-Identifier: Apache-2.0
// How a grid is divided among workers while its blocks never wait.
#include "engine/state/admission.hpp"

#include "support/catch.hpp"

using warpfiber::engine::chunk_length;
using warpfiber::engine::kLargestChunk;

TEST_CASE("a worker by itself gets the chunks that it wants") {
  CHECK(chunk_length(kLargestChunk, 10, 1) == kLargestChunk);
  CHECK(chunk_length(1, 1'000'000, 1) == 1);
}

TEST_CASE("a chunk leaves enough for the other workers") {
  CHECK(chunk_length(kLargestChunk, 1'000'000, 2) == kLargestChunk);
  CHECK(chunk_length(kLargestChunk, 64, 2) == 8);
  CHECK(chunk_length(4, 64, 2) == 4);
  CHECK(chunk_length(kLargestChunk, 1, 2) == 1);
  CHECK(chunk_length(kLargestChunk, 64, 16) == 1);
}
