// SPDX-License-Identifier: Apache-2.0
//
// What one H200 answered (driver 580.159.04, CUDA 13.0) to calls of the occupancy API, as it printed it, against the
// same line printed from the model. In rows of available shared memory "-" is where CUDA returns cudaErrorInvalidValue.
#include <cstddef>
#include <string>
#include <vector>

#include <warpfiber/occupancy.hpp>

#include "support/catch.hpp"

using warpfiber::DeviceModel;
using warpfiber::find_device;
using warpfiber::KernelAttributes;

namespace {

constexpr std::size_t kKiB = 1024;

const DeviceModel& h200() {
  return *find_device("H200");
}

KernelAttributes any_shared() {
  KernelAttributes kernel;
  kernel.registers_per_thread = 8;
  kernel.max_dynamic_shared = 227 * kKiB;
  return kernel;
}

KernelAttributes consenting() {
  KernelAttributes kernel = any_shared();
  kernel.non_portable_cluster = true;
  return kernel;
}

// ---- printing: "key:value key:value"

template <class Keys, class Answer>
std::string row(const Keys& keys, const char* zero, Answer&& answer) {
  std::string text;
  for (const auto key : keys) {
    const auto value = answer(key);
    text += (text.empty() ? "" : " ") + std::to_string(key) + ":" + (value == 0 ? zero : std::to_string(value));
  }
  return text;
}

std::string active_clusters(unsigned largest, const KernelAttributes& kernel, unsigned threads, std::size_t shared) {
  std::vector<unsigned> sizes;
  for (unsigned size = 1; size <= largest; ++size) sizes.push_back(size);
  return row(sizes, "0", [&](unsigned size) { return max_active_clusters(h200(), kernel, size, threads, shared); });
}

std::string available_shared(const KernelAttributes& kernel, unsigned threads) {
  constexpr unsigned kBlocks[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 31, 32, 33};
  return row(kBlocks, "-", [&](unsigned blocks) { return available_dynamic_shared(h200(), kernel, blocks, threads); });
}

std::string blocks_by_shared(const KernelAttributes& kernel) {
  constexpr unsigned kKib[] = {0, 1, 2, 3, 7, 8, 12, 15, 16, 20, 31, 32, 48, 64, 100, 132, 160, 200, 227};
  return row(kKib, "0", [&](unsigned kib) { return occupancy(h200(), kernel, 64, kib * kKiB).blocks_per_sm; });
}

std::string blocks_by_threads(const KernelAttributes& kernel) {
  constexpr unsigned kThreads[] = {32,  33,  64,  96,  128, 160, 224, 256, 288, 320,
                                   384, 448, 512, 544, 576, 640, 768, 800, 896, 1024};
  return row(kThreads, "0", [&](unsigned threads) { return occupancy(h200(), kernel, threads, 0).blocks_per_sm; });
}

/// The block suggested under a limit, and the grid with it.
std::string suggestions(const KernelAttributes& kernel) {
  std::string text;
  for (const unsigned limit : {0, 1, 31, 33, 100, 200, 1000, 5000}) {
    const auto suggested = potential_block_size(h200(), kernel, 0, limit);
    text += (text.empty() ? "" : " ") + std::to_string(limit) + ":" + std::to_string(suggested.block) + "x" +
            std::to_string(suggested.min_grid);
  }
  return text;
}

// ---- what the device printed

struct ClusterRow {
  unsigned threads;
  std::size_t shared;
  const char* answer;
};

constexpr ClusterRow kClusters[] = {
    {1024, 227 * kKiB, "1:132 2:66 3:39 4:30 5:22 6:17 7:15 8:15 9:9 10:7 11:7 12:7 13:7 14:7 15:7 16:7 17:2 18:2"},
    {128, 100 * kKiB,
     "1:264 2:132 3:79 4:62 5:47 6:39 7:32 8:30 9:23 10:21 11:16 12:16 13:14 14:14 15:14 16:14 17:4 18:4"},
    {128, 64 * kKiB,
     "1:396 2:198 3:124 4:92 5:69 6:62 7:47 8:45 9:37 10:30 11:28 12:28 13:23 14:21 15:21 16:21 17:6 18:6"},
    {1024, 0, "1:264 2:132 3:79 4:62 5:47 6:39 7:32 8:30 9:23 10:21 11:16 12:16 13:14 14:14 15:14 16:14 17:4 18:4"},
    {128, 0,
     "1:1056 2:528 3:327 4:248 5:193 6:163 7:139 8:124 9:102 10:88 11:81 12:74 13:67 14:65 15:58 16:58 17:16 "
     "18:16"},
    {32, 0,
     "1:1056 2:528 3:327 4:248 5:193 6:163 7:139 8:124 9:102 10:88 11:81 12:74 13:67 14:65 15:58 16:58 17:16 "
     "18:16"}};

constexpr const char* kUnbound =
    "32:32 33:32 64:32 96:21 128:16 160:12 224:9 256:8 288:7 320:6 384:5 448:4 512:4 544:3 576:3 640:3 768:2 800:2 "
    "896:2 1024:2";

struct RegisterRow {
  unsigned registers, bounds, most_threads;
  const char* blocks;
  const char* suggested;
};

constexpr RegisterRow kRegisters[] = {
    {8, 0, 1024, kUnbound,
     "0:1024x264 1:1x4224 31:31x4224 33:33x4224 100:64x4224 200:128x2112 1000:512x528 5000:1024x264"},
    {8, 256, 256, kUnbound,
     "0:256x1056 1:1x4224 31:31x4224 33:33x4224 100:64x4224 200:128x2112 1000:256x1056 5000:256x1056"},
    {8, 100, 100, kUnbound,
     "0:64x4224 1:1x4224 31:31x4224 33:33x4224 100:64x4224 200:64x4224 1000:64x4224 5000:64x4224"},
    {32, 0, 1024, kUnbound,
     "0:1024x264 1:1x4224 31:31x4224 33:33x4224 100:64x4224 200:128x2112 1000:512x528 5000:1024x264"},
    {48, 0, 1024,
     "32:32 33:20 64:20 96:13 128:10 160:8 224:5 256:5 288:4 320:4 384:3 448:2 512:2 544:2 576:2 640:2 768:1 "
     "800:1 896:1 1024:1",
     "0:640x264 1:1x4224 31:31x4224 33:32x4224 100:64x2640 200:160x1056 1000:640x264 5000:640x264"},
    {72, 0, 896,
     "32:28 33:14 64:14 96:9 128:7 160:5 224:4 256:3 288:3 320:2 384:2 448:2 512:1 544:1 576:1 640:1 768:1 "
     "800:1 896:1 1024:0",
     "0:896x132 1:1x3696 31:31x3696 33:32x3696 100:64x1848 200:128x924 1000:896x132 5000:896x132"},
    {96, 0, 640,
     "32:20 33:10 64:10 96:6 128:5 160:4 224:2 256:2 288:2 320:2 384:1 448:1 512:1 544:1 576:1 640:1 768:0 "
     "800:0 896:0 1024:0",
     "0:640x132 1:1x2640 31:31x2640 33:32x2640 100:64x1320 200:160x528 1000:640x132 5000:640x132"},
    {128, 0, 512,
     "32:16 33:8 64:8 96:5 128:4 160:3 224:2 256:2 288:1 320:1 384:1 448:1 512:1 544:0 576:0 640:0 768:0 800:0 "
     "896:0 1024:0",
     "0:512x132 1:1x2112 31:31x2112 33:32x2112 100:64x1056 200:128x528 1000:512x132 5000:512x132"},
    {254, 0, 256,
     "32:8 33:4 64:4 96:2 128:2 160:1 224:1 256:1 288:0 320:0 384:0 448:0 512:0 544:0 576:0 640:0 768:0 800:0 "
     "896:0 1024:0",
     "0:256x132 1:1x1056 31:31x1056 33:32x1056 100:64x528 200:128x264 1000:256x132 5000:256x132"},
    {255, 0, 256,
     "32:8 33:4 64:4 96:2 128:2 160:1 224:1 256:1 288:0 320:0 384:0 448:0 512:0 544:0 576:0 640:0 768:0 800:0 "
     "896:0 1024:0",
     "0:256x132 1:1x1056 31:31x1056 33:32x1056 100:64x528 200:128x264 1000:256x132 5000:256x132"}};

constexpr const char* kAll =
    "0:- 1:232448 2:116736 3:77824 4:58368 5:46592 6:38912 7:33280 8:29184 12:19456 16:14592 24:9728 31:7424 32:7296 "
    "33:-";
constexpr const char* kFull =
    "0:32 1:32 2:32 3:32 7:28 8:25 12:17 15:14 16:13 20:10 31:7 32:6 48:4 64:3 100:2 132:1 160:1 200:1 227:1";
constexpr const char* kLeast =
    "0:8 1:4 2:2 3:2 7:1 8:1 12:1 15:1 16:1 20:1 31:1 32:1 48:1 64:1 100:1 132:1 160:1 200:1 227:1";
constexpr const char* kOfLeast =
    "0:- 1:232448 2:4096 3:2688 4:2048 5:1536 6:1280 7:1152 8:1024 12:- 16:- 24:- 31:- 32:- 33:-";

struct CarveoutRow {
  int percent;
  const char* blocks;
  const char* available;
};

constexpr CarveoutRow kCarveouts[] = {
    {-1, kFull, kAll},
    {0, kLeast, kOfLeast},
    {1, kLeast, kOfLeast},
    {3, kLeast, kOfLeast},
    {7, "0:16 1:8 2:5 3:4 7:2 8:1 12:1 15:1 16:1 20:1 31:1 32:1 48:1 64:1 100:1 132:1 160:1 200:1 227:1",
     "0:- 1:232448 2:8192 3:5376 4:4096 5:3200 6:2688 7:2304 8:2048 12:1280 16:1024 24:- 31:- 32:- 33:-"},
    {10, "0:32 1:16 2:10 3:8 7:4 8:3 12:2 15:2 16:1 20:1 31:1 32:1 48:1 64:1 100:1 132:1 160:1 200:1 227:1",
     "0:- 1:232448 2:16384 3:10880 4:8192 5:6528 6:5376 7:4608 8:4096 12:2688 16:2048 24:1280 31:1024 32:1024 "
     "33:-"},
    {25, "0:32 1:32 2:21 3:16 7:8 8:7 12:4 15:4 16:3 20:3 31:2 32:1 48:1 64:1 100:1 132:1 160:1 200:1 227:1",
     "0:- 1:232448 2:32768 3:21760 4:16384 5:13056 6:10880 7:9344 8:8192 12:5376 16:4096 24:2688 31:2048 "
     "32:2048 33:-"},
    {50, "0:32 1:32 2:32 3:32 7:16 8:14 12:10 15:8 16:7 20:6 31:4 32:4 48:2 64:2 100:1 132:1 160:1 200:1 227:1",
     "0:- 1:232448 2:67584 3:45056 4:33792 5:27008 6:22528 7:19200 8:16896 12:11264 16:8448 24:5632 31:4352 "
     "32:4224 33:-"},
    {75, "0:32 1:32 2:32 3:32 7:24 8:21 12:15 15:12 16:11 20:9 31:6 32:5 48:4 64:3 100:1 132:1 160:1 200:1 227:1",
     "0:- 1:232448 2:100352 3:66816 4:50176 5:40064 6:33408 7:28672 8:25088 12:16640 16:12544 24:8320 31:6400 "
     "32:6272 33:-"},
    {90, kFull, kAll},
    {100, kFull, kAll},
};

}  // namespace

TEST_CASE("clusters of every size: as many are resident as on an H200") {
  for (const ClusterRow& wanted : kClusters) {
    CHECK(active_clusters(18, consenting(), wanted.threads, wanted.shared) == wanted.answer);
    CHECK(max_potential_cluster_blocks(h200(), consenting(), wanted.threads, wanted.shared) == 16);
  }
}

TEST_CASE("clusters of a kernel without consent, with a cluster of its own, and of blocks that fit nowhere") {
  CHECK(active_clusters(9, any_shared(), 1024, 227 * kKiB) == "1:132 2:66 3:39 4:30 5:22 6:17 7:15 8:15 9:0");
  CHECK(active_clusters(9, {}, 128, 0) == "1:1056 2:528 3:327 4:248 5:193 6:163 7:139 8:124 9:0");
  CHECK(max_potential_cluster_blocks(h200(), {}, 128, 0) == 8);
  CHECK(active_clusters(4, any_shared(), 128, 228 * kKiB) == "1:0 2:0 3:0 4:0");
  CHECK(max_potential_cluster_blocks(h200(), any_shared(), 128, 228 * kKiB) == 0);
  CHECK(active_clusters(4, {}, 1025, 0) == "1:0 2:0 3:0 4:0");
  CHECK(max_potential_cluster_blocks(h200(), {}, 1025, 0) == 0);
  KernelAttributes pairs;
  pairs.cluster_x = 2;
  pairs.cluster_y = pairs.cluster_z = 1;
  CHECK(active_clusters(4, pairs, 128, 0) == "1:0 2:528 3:0 4:0");
  CHECK(max_potential_cluster_blocks(h200(), pairs, 128, 0) == 8);
}

TEST_CASE("kernels of every number of registers: blocks of each size, the largest block, suggested blocks") {
  for (const RegisterRow& wanted : kRegisters) {
    CAPTURE(wanted.registers, wanted.bounds);
    KernelAttributes kernel;
    kernel.registers_per_thread = wanted.registers;
    kernel.max_threads_per_block = wanted.bounds;
    CHECK(max_block_threads(h200(), kernel) == wanted.most_threads);
    CHECK(blocks_by_threads(kernel) == wanted.blocks);
    CHECK(suggestions(kernel) == wanted.suggested);
  }
}

TEST_CASE("launch bounds do not change how many blocks an SM holds") {
  KernelAttributes kernel;
  kernel.max_threads_per_block = 256;
  CHECK(occupancy(h200(), kernel, 512, 0).blocks_per_sm == 4);
}

TEST_CASE("dynamic shared memory that each block can have") {
  CHECK(available_shared(any_shared(), 64) == kAll);
  CHECK(available_shared(any_shared(), 1024) ==
        "0:- 1:232448 2:116736 3:- 4:- 5:- 6:- 7:- 8:- 12:- 16:- 24:- 31:- 32:- 33:-");
  KernelAttributes kernel;
  kernel.static_shared = 8 * kKiB;
  CHECK(available_shared(kernel, 128) ==
        "0:- 1:40960 2:40960 3:40960 4:40960 5:38400 6:30720 7:25088 8:20992 12:11264 16:6400 24:- 31:- 32:- 33:-");
  kernel.max_dynamic_shared = 219 * kKiB;
  CHECK(available_shared(kernel, 128) ==
        "0:- 1:224256 2:108544 3:69632 4:50176 5:38400 6:30720 7:25088 8:20992 12:11264 16:6400 24:- 31:- 32:- 33:-");
}

TEST_CASE("a preferred carve-out: blocks for each amount of shared memory, and what each block can have") {
  for (const CarveoutRow& wanted : kCarveouts) {
    CAPTURE(wanted.percent);
    KernelAttributes kernel = any_shared();
    kernel.preferred_carveout = wanted.percent;
    CHECK(blocks_by_shared(kernel) == wanted.blocks);
    CHECK(available_shared(kernel, 64) == wanted.available);
  }
}
