// SPDX-License-Identifier: Apache-2.0
// The built-in device models, and how one is looked up. What a compute capability fixes stands in an Architecture, what
// a product adds in a Product, and a model is one of each; docs/devices.md gives the source of every number. Data only:
// to add a device, add a row to kProducts (and its other names to kAliases), and a source to the page.
#include <warpfiber/device.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace warpfiber::device {
namespace {

constexpr unsigned kKiB = 1024;
constexpr unsigned kMiB = 1024 * 1024;

struct Gpcs {
  unsigned count = 0;
  unsigned sms[DeviceModel::kMaxGpcs] = {};
};

struct Product {
  const char* name;
  const char* full_name;
  const DeviceModel& architecture;
  unsigned sm_count;
  Gpcs gpcs;
  std::uint64_t global_bytes;
  unsigned l2_bytes;
  unsigned memory_bus_bits;
  unsigned memory_clock_khz;
  unsigned clock_khz;
  bool ecc;
};

// What every compute capability from 7.0 to 10.0 shares.
constexpr DeviceModel kCommon = {
    .warp_size = 32,
    .max_threads_per_block = 1024,
    .max_block_x = 1024,
    .max_block_y = 1024,
    .max_block_z = 64,
    .max_grid_x = 2147483647,
    .max_grid_y = 65535,
    .max_grid_z = 65535,
    .cooperative_launch = true,
    .sub_partitions_per_sm = 4,
    .registers_per_sm = 65536,
    .registers_per_block = 65536,
    .max_registers_per_thread = 255,
    .register_allocation_unit = 256,
    .shared_per_block = 48 * kKiB,
    .constant_bytes = 64 * kKiB,
    .local_bytes_per_thread = 512 * kKiB,
    .max_pitch_bytes = 2147483647,
    .texture_alignment = 512,
    .texture_pitch_alignment = 32,
    .surface_alignment = 512,
    .max_resident_grids = 128,
};

struct Architecture {
  unsigned major;
  unsigned minor;
  unsigned threads_per_sm;
  unsigned blocks_per_sm;
  unsigned shared_allocation_unit;
  unsigned shared_reserved_per_block;
  unsigned single_to_double_ratio;
  unsigned cluster_blocks_portable;
  unsigned cluster_blocks;
  unsigned cluster_blocks_per_sm;
  unsigned carveout_count;
  unsigned carveouts_kib[DeviceModel::kMaxCarveouts];  // the last is all the shared memory of an SM
};

constexpr DeviceModel with(DeviceModel model, const Architecture& a) {
  model.compute_major = a.major;
  model.compute_minor = a.minor;
  model.max_threads_per_sm = a.threads_per_sm;
  model.max_blocks_per_sm = a.blocks_per_sm;
  model.shared_allocation_unit = a.shared_allocation_unit;
  model.shared_reserved_per_block = a.shared_reserved_per_block;
  model.single_to_double_ratio = a.single_to_double_ratio;
  model.max_cluster_blocks_portable = a.cluster_blocks_portable;
  model.max_cluster_blocks = a.cluster_blocks;
  model.max_cluster_blocks_per_sm = a.cluster_blocks_per_sm;
  model.shared_carveout_count = a.carveout_count;
  for (unsigned i = 0; i < a.carveout_count; ++i) model.shared_carveouts[i] = a.carveouts_kib[i] * kKiB;
  model.shared_per_sm = model.shared_carveouts[a.carveout_count - 1];
  model.shared_per_block_optin = model.shared_per_sm - a.shared_reserved_per_block;
  return model;
}

// major, minor, threads, blocks, unit, reserved, single:double, clusters, blocks of them on an SM, carve-outs
constexpr DeviceModel kVolta = with(kCommon, {7, 0, 2048, 32, 256, 0, 2, 0, 0, 0, 6, {0, 8, 16, 32, 64, 96}});
constexpr DeviceModel kTuring = with(kCommon, {7, 5, 1024, 16, 256, 0, 32, 0, 0, 0, 2, {32, 64}});
constexpr DeviceModel kAmpereA100 =
    with(kCommon, {8, 0, 2048, 32, 128, 1024, 2, 0, 0, 0, 8, {0, 8, 16, 32, 64, 100, 132, 164}});
constexpr DeviceModel kAmpereGeForce =
    with(kCommon, {8, 6, 1536, 16, 128, 1024, 64, 0, 0, 0, 6, {0, 8, 16, 32, 64, 100}});
constexpr DeviceModel kAda = with(kCommon, {8, 9, 1536, 24, 128, 1024, 64, 0, 0, 0, 6, {0, 8, 16, 32, 64, 100}});
constexpr DeviceModel kHopper =
    with(kCommon, {9, 0, 2048, 32, 128, 1024, 2, 8, 16, 8, 10, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}});
constexpr DeviceModel kBlackwell =
    with(kCommon, {10, 0, 2048, 32, 128, 1024, 2, 8, 16, 8, 10, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}});

constexpr Gpcs kUnknownGpcs = {};
// Read off an H200's answers: seven GPCs, and one of which 8 SMs and four TPCs of 2 are apart from one another.
constexpr Gpcs kHopperSxm = {12, {18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2}};
constexpr Gpcs kHopperPcie = {7, {18, 16, 16, 16, 16, 16, 16}};
constexpr Gpcs kBlackwellB200 = {8, {20, 20, 18, 18, 18, 18, 18, 18}};

// name, full name, architecture, SMs, GPCs, global memory, L2, bus width, memory clock, clock, ECC
constexpr Product kProducts[] = {
    {"V100", "Tesla V100-SXM2-16GB", kVolta, 80, kUnknownGpcs, 16935682048, 6 * kMiB, 4096, 877000, 1530000, true},
    {"RTX 8000", "Quadro RTX 8000", kTuring, 72, kUnknownGpcs, 50961842176, 6 * kMiB, 384, 7001000, 1770000, false},
    {"A100", "NVIDIA A100-SXM4-40GB", kAmpereA100, 108, kUnknownGpcs, 42331013120, 40 * kMiB, 5120, 1215000, 1410000,
     true},
    {"A100 80GB", "NVIDIA A100-SXM4-80GB", kAmpereA100, 108, kUnknownGpcs, 85100068864, 40 * kMiB, 5120, 1593000,
     1410000, true},
    {"RTX 3090", "NVIDIA GeForce RTX 3090", kAmpereGeForce, 82, kUnknownGpcs, 25443893248, 6 * kMiB, 384, 9751000,
     1695000, false},
    {"RTX 4090", "NVIDIA GeForce RTX 4090", kAda, 128, kUnknownGpcs, 25386352640, 72 * kMiB, 384, 10501000, 2520000,
     false},
    {"H100", "NVIDIA H100 80GB HBM3", kHopper, 132, kHopperSxm, 85045477376, 50 * kMiB, 5120, 2619000, 1980000, true},
    {"H100 PCIe", "NVIDIA H100 PCIe", kHopper, 114, kHopperPcie, 84942979072, 50 * kMiB, 5120, 1593000, 1755000, true},
    {"H200", "NVIDIA H200", kHopper, 132, kHopperSxm, 150109880320, 60 * kMiB, 6016, 3201000, 1980000, true},
    {"B200", "NVIDIA B200", kBlackwell, 148, kBlackwellB200, 191514411008, 132644864, 7680, 3996000, 1965000, true},
};

// No GPU that was ever sold: small enough to count on the fingers what fits where.
constexpr DeviceModel kTeaching = {
    .name = "teaching",
    .full_name = "Warpfiber teaching device",
    .compute_major = 9,
    .compute_minor = 0,
    .warp_size = 32,
    .max_threads_per_block = 256,
    .max_block_x = 256,
    .max_block_y = 256,
    .max_block_z = 64,
    .max_grid_x = 65535,
    .max_grid_y = 65535,
    .max_grid_z = 65535,
    .max_cluster_blocks_portable = 2,
    .max_cluster_blocks = 2,
    .cooperative_launch = true,
    .sm_count = 2,
    .sub_partitions_per_sm = 1,
    .max_threads_per_sm = 512,
    .max_blocks_per_sm = 4,
    .registers_per_sm = 16384,
    .registers_per_block = 16384,
    .max_registers_per_thread = 255,
    .register_allocation_unit = 256,
    .shared_per_sm = 16 * kKiB,
    .shared_per_block = 8 * kKiB,
    .shared_per_block_optin = 16 * kKiB,
    .shared_reserved_per_block = 0,
    .shared_allocation_unit = 128,
    .shared_carveouts = {16 * kKiB},
    .shared_carveout_count = 1,
    .gpc_sms = {2},
    .gpc_count = 1,
    .global_bytes = 64 * kMiB,
    .constant_bytes = 64 * kKiB,
    .local_bytes_per_thread = 16 * kKiB,
    .l2_bytes = 256 * kKiB,
    .memory_bus_bits = 64,
    .memory_clock_khz = 1000000,
    .clock_khz = 1000000,
    .max_pitch_bytes = 2147483647,
    .texture_alignment = 512,
    .texture_pitch_alignment = 32,
    .surface_alignment = 512,
    .max_resident_grids = 4,
    .single_to_double_ratio = 2,
};

constexpr void copy_name(char (&to)[DeviceModel::kNameBytes], const char* from) {
  std::size_t i = 0;
  for (; from[i] != '\0'; ++i) to[i] = from[i];
  to[i] = '\0';
}

constexpr DeviceModel make(const Product& p) {
  DeviceModel model = p.architecture;
  copy_name(model.name, p.name);
  copy_name(model.full_name, p.full_name);
  model.sm_count = p.sm_count;
  model.gpc_count = p.gpcs.count;
  for (unsigned i = 0; i < p.gpcs.count; ++i) model.gpc_sms[i] = p.gpcs.sms[i];
  model.global_bytes = p.global_bytes;
  model.l2_bytes = p.l2_bytes;
  model.memory_bus_bits = p.memory_bus_bits;
  model.memory_clock_khz = p.memory_clock_khz;
  model.clock_khz = p.clock_khz;
  model.ecc = p.ecc;
  return model;
}

constexpr auto make_all() {
  std::array<DeviceModel, std::size(kProducts) + 1> all{};
  for (std::size_t i = 0; i < std::size(kProducts); ++i) all[i] = make(kProducts[i]);
  all.back() = kTeaching;
  return all;
}

constexpr auto kModels = make_all();

/// Another name of a built-in model.
struct Alias {
  const char* alias;
  const char* name;
};

constexpr Alias kAliases[] = {
    {"Tesla V100", "V100"},
    {"V100 16GB", "V100"},
    {"V100 SXM2", "V100"},
    {"Quadro RTX8000", "RTX 8000"},
    {"A100 40GB", "A100"},
    {"A100 SXM4", "A100"},
    {"A100 SXM4 80GB", "A100 80GB"},
    {"GeForce RTX 3090", "RTX 3090"},
    {"3090", "RTX 3090"},
    {"GeForce RTX 4090", "RTX 4090"},
    {"4090", "RTX 4090"},
    {"H100 SXM", "H100"},
    {"H100 SXM5", "H100"},
    {"H100 80GB", "H100"},
    {"NVIDIA H100", "H100"},
    {"H200 SXM", "H200"},
    {"B200 SXM", "B200"},
    {"tiny", "teaching"},
};

}  // namespace

}  // namespace warpfiber::device

namespace warpfiber {

std::span<const DeviceModel> device_models() noexcept {
  return device::kModels;
}

// A built-in model is looked up by any of its names.
namespace {

constexpr bool is_separator(char c) {
  return c == ' ' || c == '-' || c == '_';
}

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr std::string_view skip_separators(std::string_view text) {
  while (!text.empty() && is_separator(text.front())) text.remove_prefix(1);
  return text;
}

/// Equal but for case and separators.
constexpr bool same_name(std::string_view a, std::string_view b) {
  for (;;) {
    a = skip_separators(a);
    b = skip_separators(b);
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    if (lower(a.front()) != lower(b.front())) return false;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
}

std::string_view without_alias(std::string_view name) {
  for (const device::Alias& entry : device::kAliases)
    if (same_name(entry.alias, name)) return entry.name;
  return name;
}

}  // namespace

const DeviceModel* find_device(std::string_view name) noexcept {
  const std::string_view wanted = without_alias(name);
  for (const DeviceModel& model : device_models())
    if (same_name(model.name, wanted) || same_name(model.full_name, wanted)) return &model;
  return nullptr;
}

const DeviceModel& default_device() noexcept {
  static const DeviceModel& model = *find_device("H200");
  return model;
}

}  // namespace warpfiber
