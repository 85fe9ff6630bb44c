// SPDX-License-Identifier: Apache-2.0
// Runs aligned_copy on packets of which stretches are aligned to 16 bytes, stretches to 4 and the rest not at all. Both
// the bytes and the ways the warps took are compared. Setting::size counts packets, one a thread; blocks may have any
// size.
#include "aligned_copy.hpp"

#include "warp.hpp"

#include <algorithm>

namespace gallery {

namespace {

constexpr std::size_t kLanes = 32;
constexpr std::size_t kStretch = 96;  // packets of one kind in a row
constexpr std::uint32_t kSourceBytes = 1U << 14;
constexpr unsigned kAlignments[] = {16, 4, 1};

struct Outcome {
  std::vector<unsigned char> bytes;
  std::vector<unsigned> ways;

  bool operator==(const Outcome&) const = default;
};

std::vector<unsigned> packet_offsets(std::size_t count) {
  auto offsets = sample<unsigned>(count, 2, kSourceBytes - kPacketBytes);
  for (std::size_t i = 0; i < count; ++i) offsets[i] -= offsets[i] % kAlignments[i / kStretch % 3];
  return offsets;
}

/// The way of a warp is that of its worst packet.
unsigned way_of(unsigned offset) {
  if (offset % 16 == 0) return 0;
  return offset % 4 == 0 ? 1 : 2;
}

Outcome reference(const std::vector<unsigned char>& from, const std::vector<unsigned>& offsets, std::size_t block) {
  Outcome outcome{{}, std::vector<unsigned>(kCopyWays, 0)};
  unsigned worst = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const auto packet = from.begin() + offsets[i];
    outcome.bytes.insert(outcome.bytes.end(), packet, packet + kPacketBytes);
    worst = std::max(worst, way_of(offsets[i]));
    const std::size_t next = (i + 1) % block;
    if (i + 1 != offsets.size() && next != 0 && next % kLanes != 0) continue;
    ++outcome.ways[worst];
    worst = 0;
  }
  return outcome;
}

std::string describe(const Outcome& outcome) {
  return text("%u + %u + %u warps", outcome.ways[0], outcome.ways[1], outcome.ways[2]);
}

}  // namespace

Record run_aligned_copy(const Setting& setting) {
  const auto from = sample<unsigned char>(kSourceBytes, 1, 256);
  const auto offsets = packet_offsets(setting.size);
  const warpfiber::Buffer<unsigned char> device_from(from);
  const warpfiber::Buffer<unsigned> device_offsets(offsets);
  warpfiber::Buffer<unsigned char> to(offsets.size() * kPacketBytes);
  warpfiber::Buffer<unsigned> ways(kCopyWays);
  ways.fill(0);
  Trial trial(setting);
  trial.launch<aligned_copy>({.grid = covering_blocks(offsets.size(), setting.block), .block = setting.block},
                             device_from.data(), device_offsets.data(), static_cast<unsigned>(offsets.size()),
                             to.data(), ways.data());
  const Outcome outcome{to.download(), ways.download()};
  const Outcome expected = reference(from, offsets, setting.block);
  return trial.conclude(describe(outcome), describe(expected), outcome == expected);
}

}  // namespace gallery
