// SPDX-License-Identifier: Apache-2.0
//
// Launches that a device refuses: the error code against what an H200 answered under CUDA 13.0, and the sentence, which
// must name the limit, the request and the device.
#include "device/launch_check.hpp"

#include <cstddef>
#include <string>

#include "report/reasons/reasons.hpp"
#include "support/catch.hpp"

using warpfiber::DeviceModel;
using warpfiber::Error;
using warpfiber::error_name;
using warpfiber::find_device;
using warpfiber::KernelAttributes;
using warpfiber::base::Triple;
using warpfiber::device::check_launch;
using warpfiber::device::check_max_dynamic_shared;
using warpfiber::device::LaunchCheck;
using warpfiber::device::LaunchShape;

namespace {

constexpr std::size_t kKiB = 1024;

const DeviceModel& h200() {
  return *find_device("H200");
}

LaunchShape plain(Triple grid, Triple block, std::size_t dynamic_shared = 0) {
  return {.grid = grid, .block = block, .dynamic_shared = dynamic_shared};
}

LaunchShape cooperative(Triple grid, Triple block, std::size_t dynamic_shared = 0) {
  return {.grid = grid, .block = block, .dynamic_shared = dynamic_shared, .cooperative = true};
}

LaunchShape clusters(Triple grid, Triple cluster) {
  return {.grid = grid, .block = {32, 1, 1}, .cluster = cluster};
}

KernelAttributes with_shared_limit(std::size_t bytes) {
  KernelAttributes kernel;
  kernel.max_dynamic_shared = bytes;
  return kernel;
}

KernelAttributes in_clusters_of_2() {
  KernelAttributes kernel;
  kernel.cluster_x = 2;
  kernel.cluster_y = 1;
  kernel.cluster_z = 1;
  return kernel;
}

std::string code(const KernelAttributes& kernel, const LaunchShape& shape) {
  const LaunchCheck check = check_launch(h200(), kernel, shape);
  CHECK(check.ok() == check.reason.empty());
  return error_name(check.error);
}

std::string text_of(const LaunchCheck& check) {
  return warpfiber::report::reason_text(check.reason);
}

std::string message(const KernelAttributes& kernel, const LaunchShape& shape) {
  return text_of(check_launch(h200(), kernel, shape));
}

constexpr const char* kInvalidValue = "cudaErrorInvalidValue";
constexpr const char* kTooLarge = "cudaErrorCooperativeLaunchTooLarge";
constexpr const char* kInvalidCluster = "cudaErrorInvalidClusterSize";
constexpr const char* kSuccess = "cudaSuccess";

}  // namespace

TEST_CASE("plain launches get the codes of an H200") {
  const KernelAttributes kernel;
  CHECK(code(kernel, plain({2, 1, 1}, {32, 1, 1})) == kSuccess);
  CHECK(code(kernel, plain({1, 1, 1}, {1025, 1, 1})) == kInvalidValue);
  CHECK(code(kernel, plain({0, 1, 1}, {32, 1, 1})) == kInvalidValue);
  CHECK(code(kernel, plain({1, 1, 1}, {0, 1, 1})) == kInvalidValue);
  CHECK(code(kernel, plain({1, 1, 1}, {1, 1, 65})) == kInvalidValue);
  CHECK(code(kernel, plain({1, 65536, 1}, {32, 1, 1})) == kInvalidValue);
  CHECK(code(kernel, plain({1, 1, 1}, {32, 1, 1}, 49 * kKiB)) == kInvalidValue);
}

TEST_CASE("cooperative launches get the codes of an H200") {
  const KernelAttributes kernel;
  const unsigned most = 8 * 132;
  CHECK(code(kernel, cooperative({most, 1, 1}, {256, 1, 1})) == kSuccess);
  CHECK(code(kernel, cooperative({most + 1, 1, 1}, {256, 1, 1})) == kTooLarge);
  CHECK(code(kernel, cooperative({1u << 20, 1, 1}, {256, 1, 1})) == kTooLarge);
  CHECK(code(kernel, cooperative({1, 1, 1}, {1025, 1, 1})) == kInvalidValue);
  CHECK(code(kernel, cooperative({0, 1, 1}, {32, 1, 1})) == kInvalidValue);
  CHECK(code(kernel, cooperative({1, 1, 1}, {0, 1, 1})) == kInvalidValue);
  CHECK(code(kernel, cooperative({1, 1, 1}, {1, 1, 65})) == kInvalidValue);
  CHECK(code(kernel, cooperative({1, 1, 1}, {32, 1, 1}, 49 * kKiB)) == kTooLarge);
  CHECK(code(kernel, cooperative({3, 1, 1}, {64, 1, 1})) == kSuccess);
}

TEST_CASE("a raised limit of dynamic shared memory counts as on an H200") {
  const KernelAttributes raised = with_shared_limit(64 * kKiB);
  CHECK(code({}, cooperative({1, 1, 1}, {32, 1, 1}, 64 * kKiB)) == kTooLarge);
  CHECK(code(raised, cooperative({1, 1, 1}, {32, 1, 1}, 64 * kKiB)) == kSuccess);
  CHECK(code(raised, cooperative({1, 1, 1}, {32, 1, 1}, 65 * kKiB)) == kTooLarge);
  CHECK(check_max_dynamic_shared(h200(), {}, 64 * kKiB).ok());
  CHECK(check_max_dynamic_shared(h200(), {}, 232448).ok());
  CHECK(check_max_dynamic_shared(h200(), {}, 232449).error == Error::invalid_value);
  CHECK(check_max_dynamic_shared(h200(), {}, ~std::size_t{0}).error == Error::invalid_value);
}

TEST_CASE("clusters get the codes of an H200") {
  const KernelAttributes kernel;
  CHECK(code(kernel, clusters({4, 1, 1}, {2, 1, 1})) == kSuccess);
  CHECK(code(kernel, clusters({5, 1, 1}, {2, 1, 1})) == kInvalidCluster);
  CHECK(code(kernel, clusters({4, 3, 1}, {1, 2, 1})) == kInvalidCluster);
  CHECK(code(kernel, clusters({16, 1, 1}, {16, 1, 1})) == kInvalidCluster);
  CHECK(code(kernel, clusters({9, 1, 1}, {9, 1, 1})) == kInvalidCluster);
  CHECK(code(kernel, clusters({32, 1, 1}, {32, 1, 1})) == kInvalidCluster);
  CHECK(code(in_clusters_of_2(), plain({3, 1, 1}, {32, 1, 1})) == kInvalidCluster);
  CHECK(code(in_clusters_of_2(), clusters({4, 1, 1}, {4, 1, 1})) == kInvalidCluster);
  CHECK(code(in_clusters_of_2(), clusters({4, 1, 1}, {2, 1, 1})) == kSuccess);
}

TEST_CASE("odd cluster sizes are as good as even ones") {
  const unsigned size = GENERATE(range(1u, 9u));
  CHECK(code({}, clusters({size * 6, 1, 1}, {size, 1, 1})) == kSuccess);
  CHECK(code({}, clusters({6, size, 2}, {1, size, 1})) == kSuccess);
}

TEST_CASE("a kernel may consent to clusters beyond the portable size") {
  KernelAttributes kernel;
  kernel.non_portable_cluster = true;
  CHECK(code(kernel, clusters({16, 1, 1}, {16, 1, 1})) == kSuccess);
  CHECK(code(kernel, clusters({17, 1, 1}, {17, 1, 1})) == kInvalidCluster);
}

TEST_CASE("a launch runs with its own cluster, else the kernel's, else single blocks") {
  using warpfiber::device::effective_cluster;
  CHECK(effective_cluster({}, plain({4, 1, 1}, {32, 1, 1})) == Triple{1, 1, 1});
  CHECK(effective_cluster(in_clusters_of_2(), plain({4, 1, 1}, {32, 1, 1})) == Triple{2, 1, 1});
  CHECK(effective_cluster({}, clusters({4, 1, 1}, {4, 1, 1})) == Triple{4, 1, 1});
}

TEST_CASE("refused blocks and grids say the limit, the request and the device") {
  CHECK(message({}, plain({1, 1, 1}, {2048, 1, 1})) ==
        "block of (2048,1,1) = 2,048 threads; H200 (model) allows 1,024 per block");
  CHECK(message({}, plain({1, 1, 1}, {1, 1, 65})) == "block of (1,1,65) threads; H200 (model) allows (1024,1024,64)");
  CHECK(message({}, plain({1, 1, 1}, {32, 0, 1})) ==
        "block of (32,0,1) has no threads; every dimension must be at least 1");
  CHECK(message({}, plain({1, 1, 0}, {32, 1, 1})) ==
        "grid of (1,1,0) has no blocks; every dimension must be at least 1");
  CHECK(message({}, plain({65536, 65536, 1}, {32, 1, 1})) ==
        "grid of (65536,65536,1) blocks; H200 (model) allows (2147483647,65535,65535)");
}

TEST_CASE("refused shared memory says the limit, the request and the device") {
  CHECK(message({}, plain({1, 1, 1}, {32, 1, 1}, 49 * kKiB)) ==
        "49 KiB of dynamic shared memory; H200 (model) allows 48 KiB unless the kernel raises its limit "
        "(cudaFuncAttributeMaxDynamicSharedMemorySize, at most 227 KiB)");
  CHECK(message(with_shared_limit(64 * kKiB), plain({1, 1, 1}, {32, 1, 1}, 65 * kKiB)) ==
        "65 KiB of dynamic shared memory; the kernel has set its limit to 64 KiB; H200 (model) allows 227 KiB");
  KernelAttributes kernel = with_shared_limit(227 * kKiB);
  kernel.static_shared = 16 * kKiB;
  CHECK(message(kernel, plain({1, 1, 1}, {32, 1, 1}, 220 * kKiB)) ==
        "220 KiB of dynamic shared memory plus 16 KiB of static; H200 (model) allows 227 KiB per block");
  kernel.static_shared = 300 * kKiB;
  CHECK(message(kernel, plain({1, 1, 1}, {32, 1, 1})) ==
        "300 KiB of static shared memory; H200 (model) allows 227 KiB per block");
}

TEST_CASE("refused clusters say the limit, the request and the device") {
  CHECK(message({}, clusters({16, 1, 1}, {16, 1, 1})) ==
        "cluster of (16,1,1) = 16 blocks; H200 (model) allows 8, 16 with "
        "cudaFuncAttributeNonPortableClusterSizeAllowed");
  CHECK(message({}, clusters({5, 1, 1}, {2, 1, 1})) == "cluster of (2,1,1) does not divide the grid of (5,1,1)");
  CHECK(message({}, clusters({4, 1, 1}, {2, 0, 1})) ==
        "cluster of (2,0,1) has no blocks; every dimension must be at least 1");
  CHECK(message(in_clusters_of_2(), clusters({4, 1, 1}, {4, 1, 1})) ==
        "cluster of (4,1,1); the kernel's __cluster_dims__ are (2,1,1)");
  CHECK(text_of(check_launch(*find_device("A100"), {}, clusters({4, 1, 1}, {2, 1, 1}))) ==
        "cluster of (2,1,1); A100 (model) does not support clusters, which need compute capability 9.0");
}

TEST_CASE("a cluster that no GPC can hold is refused, not left waiting") {
  DeviceModel device = *find_device("teaching");
  device.max_cluster_blocks_portable = device.max_cluster_blocks = 4;
  const LaunchCheck check = check_launch(device, {}, clusters({4, 1, 1}, {4, 1, 1}));
  CHECK(check.error == Error::invalid_cluster_size);
  CHECK(text_of(check) ==
        "cluster of (4,1,1) = 4 blocks, each on an SM of its own; the largest GPC of teaching (model) has 2 SMs");
}

TEST_CASE("clusters resident at once are counted as an H200 counts them, in cooperative launches too") {
  const KernelAttributes whole_sm = with_shared_limit(227 * kKiB);
  const auto [size, blocks, expected] = GENERATE(table<unsigned, unsigned, std::string>({
      {8, 128, kTooLarge},
      {8, 120, kSuccess},
      {4, 132, kTooLarge},
      {4, 128, kTooLarge},
      {4, 120, kSuccess},
      {2, 132, kSuccess},
  }));
  CAPTURE(size, blocks);
  LaunchShape shape = cooperative({blocks, 1, 1}, {1024, 1, 1}, 227 * kKiB);
  shape.cluster = {size, 1, 1};
  CHECK(code(whole_sm, shape) == expected);
  CHECK(warpfiber::device::resident_blocks(h200(), whole_sm, shape) == (size == 2 ? 132 : 120));
}

TEST_CASE("of several things that are wrong, the one an H200 names is named") {
  const KernelAttributes kernel;
  const KernelAttributes pairs = in_clusters_of_2();
  KernelAttributes small_pairs = pairs;
  small_pairs.max_threads_per_block = 128;
  KernelAttributes bound;
  bound.max_threads_per_block = 256;
  const auto in_clusters = [](Triple grid, unsigned threads, unsigned size, std::size_t shared = 0) {
    LaunchShape shape = plain(grid, {threads, 1, 1}, shared);
    shape.cluster = {size, 1, 1};
    return shape;
  };
  CHECK(code(kernel, in_clusters({2, 1, 1}, 1025, 2)) == kInvalidValue);
  CHECK(code(kernel, in_clusters({4, 1, 1}, 1025, 3)) == kInvalidValue);
  CHECK(code(kernel, in_clusters({0, 1, 1}, 32, 2)) == kInvalidValue);
  CHECK(code(kernel, in_clusters({2, 1, 1}, 32, 2, 49 * kKiB)) == kInvalidValue);
  CHECK(code(kernel, in_clusters({4, 1, 1}, 32, 3, 49 * kKiB)) == kInvalidCluster);
  CHECK(code(pairs, in_clusters({4, 1, 1}, 32, 1)) == kInvalidCluster);
  CHECK(code(pairs, in_clusters({6, 1, 1}, 32, 3)) == kInvalidCluster);
  CHECK(code(pairs, plain({0, 1, 1}, {32, 1, 1})) == kInvalidValue);
  CHECK(code(small_pairs, plain({2, 1, 1}, {129, 1, 1})) == kInvalidValue);
  CHECK(code(kernel, cooperative({65536, 65536, 1}, {256, 1, 1})) == kInvalidValue);
  CHECK(code(kernel, cooperative({131072, 32768, 1}, {256, 1, 1})) == kTooLarge);
  CHECK(code(kernel, cooperative({1, 65536, 1}, {256, 1, 1})) == kInvalidValue);
  CHECK(code(kernel, cooperative({1u << 20, 1, 1}, {1025, 1, 1})) == kInvalidValue);
  CHECK(code(kernel, cooperative({1, 1, 1}, {1025, 1, 1}, 49 * kKiB)) == kInvalidValue);
  CHECK(code(bound, cooperative({1, 1, 1}, {512, 1, 1})) == kInvalidValue);
  CHECK(code(bound, plain({1, 1, 1}, {2048, 1, 1})) == kInvalidValue);
}

TEST_CASE("clusters with zeroes, of one block, and in three dimensions get the codes of an H200") {
  CHECK(code({}, clusters({4, 1, 1}, {0, 1, 1})) == kInvalidCluster);
  CHECK(code({}, clusters({5, 1, 1}, {1, 1, 1})) == kSuccess);
  CHECK(code({}, clusters({2, 2, 2}, {2, 2, 2})) == kSuccess);
  CHECK(code({}, clusters({2, 2, 4}, {2, 2, 4})) == kInvalidCluster);
  CHECK(code({}, clusters({65536, 65535, 1}, {65536, 65536, 1})) == kInvalidCluster);
}

TEST_CASE("static and dynamic shared memory add up as on an H200") {
  KernelAttributes kernel;
  kernel.static_shared = 47 * kKiB;
  CHECK(code(kernel, plain({1, 1, 1}, {32, 1, 1}, 1 * kKiB)) == kSuccess);
  CHECK(code(kernel, plain({1, 1, 1}, {32, 1, 1}, 2 * kKiB)) == kInvalidValue);
  CHECK(max_dynamic_shared(h200(), kernel) == 1 * kKiB);
  CHECK(check_max_dynamic_shared(h200(), kernel, 180 * kKiB).ok());
  CHECK(check_max_dynamic_shared(h200(), kernel, 181 * kKiB).error == Error::invalid_value);
  kernel.max_dynamic_shared = 180 * kKiB;
  CHECK(code(kernel, plain({1, 1, 1}, {32, 1, 1}, 2 * kKiB)) == kSuccess);
  kernel.max_dynamic_shared = 0;
  CHECK(code(kernel, plain({1, 1, 1}, {32, 1, 1}, 128)) == kInvalidValue);
}

TEST_CASE("a refused cooperative grid says how many blocks fit and why") {
  CHECK(message(with_shared_limit(227 * kKiB), cooperative({160, 1, 1}, {256, 1, 1}, 160 * kKiB)) ==
        "cooperative grid of (160,1,1) = 160 blocks; H200 (model) holds 132 at a time: one block fits an SM (shared "
        "memory: 160 of 227 KiB), of which it has 132");
  LaunchShape shape = cooperative({136, 1, 1}, {1024, 1, 1}, 160 * kKiB);
  shape.cluster = {8, 1, 1};
  const LaunchCheck check = check_launch(h200(), with_shared_limit(227 * kKiB), shape);
  CHECK(check.error == Error::cooperative_launch_too_large);
  CHECK_THAT(text_of(check), Catch::Matchers::ContainsSubstring("in clusters of 8"));
  DeviceModel device = h200();
  device.cooperative_launch = false;
  CHECK(check_launch(device, {}, cooperative({1, 1, 1}, {32, 1, 1})).error == Error::not_supported);
}

TEST_CASE("what the kernel was compiled for bounds its block") {
  KernelAttributes kernel;
  kernel.max_threads_per_block = 256;
  CHECK(message(kernel, plain({1, 1, 1}, {16, 32, 1})) ==
        "block of (16,32,1) = 512 threads; the kernel's __launch_bounds__ allow 256");
  kernel.max_threads_per_block = 0;
  kernel.registers_per_thread = 128;
  const LaunchCheck check = check_launch(h200(), kernel, plain({1, 1, 1}, {1024, 1, 1}));
  CHECK(check.error == Error::launch_out_of_resources);
  CHECK(text_of(check) ==
        "block of 1,024 threads with 128 registers each = 131,072 registers; H200 (model) allows 255 per thread and "
        "65,536 per block");
}

TEST_CASE("products beyond 32 and 64 bits are counted right, not wrapped around") {
  DeviceModel wide = h200();
  wide.max_grid_y = wide.max_grid_z = 4294967295u;
  wide.max_grid_x = 4294967295u;
  CHECK(check_launch(wide, {}, plain({65536, 65536, 1}, {32, 1, 1})).ok());
  CHECK(text_of(check_launch(wide, {}, cooperative({65536, 65536, 1}, {32, 1, 1}))).substr(0, 60) ==
        "cooperative grid of (65536,65536,1) = 4,294,967,296 blocks; ");
  CHECK(check_launch(wide, {}, cooperative({4294967295u, 4294967295u, 4294967295u}, {32, 1, 1})).error ==
        Error::cooperative_launch_too_large);
  CHECK(message({}, plain({1, 1, 1}, {65536, 65536, 1})) ==
        "block of (65536,65536,1) = 4,294,967,296 threads; H200 (model) allows 1,024 per block");
  CHECK(code({}, plain({1, 1, 1}, {4294967295u, 4294967295u, 4294967295u})) == kInvalidValue);
  CHECK(code({}, plain({1, 1, 1}, {32, 1, 1}, ~std::size_t{0})) == kInvalidValue);
  CHECK(code({}, clusters({65536, 32768, 1}, {65536, 32768, 1})) == kInvalidCluster);
}
