// SPDX-License-Identifier: Apache-2.0
// CUDA's warp intrinsics: shuffles, votes, matches, reductions, lane masks. Called by lanes inside a kernel; every live
// lane named in `mask` has to make the same call with the same mask, the caller being one of them. Whatever breaks
// this ends the launch with the finding `bad-mask`.
// Sources: CUDA C++ Programming Guide, "Warp Shuffle Functions", "Warp Vote Functions", "Warp Match Functions",
// "Warp Reduce Functions"; PTX ISA, shfl.sync for out-of-range lanes.
#pragma once

#include <warpfiber/detail/lanes/lanes.hpp>
#include <warpfiber/detail/qualifiers.hpp>

/// Waits for the live lanes of `mask`.
inline WARPFIBER_INLINED void __syncwarp(warpfiber::LaneBits mask = warpfiber::detail::kEveryLane,
                                         warpfiber::Site site = warpfiber::Site::here()) {
  warpfiber::detail::lane_barrier<warpfiber::detail::Operation::syncwarp>(mask, site);
}

// Shuffles. T is an arithmetic type of 4 or 8 bytes, or a smaller one, which travels as is. `width` is a power of two
// up to the warp size, warpSize if left out; every group of `width` lanes is a warp of its own. A lane whose source
// lies outside its group gets its own value; a source lane that is not in the mask gives an undefined value.

/// Value of lane `source` modulo `width` of the caller's group.
template <class T>
inline WARPFIBER_INLINED T __shfl_sync(warpfiber::LaneBits mask, T value, int source,
                                       int width = warpfiber::detail::kWholeWarp,
                                       warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::detail::shuffle<warpfiber::detail::Formula::index>(mask, value, source, width,
                                                                       warpfiber::detail::LaneArgument{site});
}
/// Value of the lane `delta` places below.
template <class T>
inline WARPFIBER_INLINED T __shfl_up_sync(warpfiber::LaneBits mask, T value, unsigned delta,
                                          int width = warpfiber::detail::kWholeWarp,
                                          warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::detail::shuffle<warpfiber::detail::Formula::up>(mask, value, static_cast<int>(delta), width,
                                                                    warpfiber::detail::LaneArgument{site});
}
/// Value of the lane `delta` places above.
template <class T>
inline WARPFIBER_INLINED T __shfl_down_sync(warpfiber::LaneBits mask, T value, unsigned delta,
                                            int width = warpfiber::detail::kWholeWarp,
                                            warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::detail::shuffle<warpfiber::detail::Formula::down>(mask, value, static_cast<int>(delta), width,
                                                                      warpfiber::detail::LaneArgument{site});
}
/// Value of the lane whose number is the caller's, bitwise exclusive-or `lanes`.
template <class T>
inline WARPFIBER_INLINED T __shfl_xor_sync(warpfiber::LaneBits mask, T value, int lanes,
                                           int width = warpfiber::detail::kWholeWarp,
                                           warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::detail::shuffle<warpfiber::detail::Formula::exclusive_or>(mask, value, lanes, width,
                                                                              warpfiber::detail::LaneArgument{site});
}

/// Nonzero if and only if the predicate holds for every live lane of `mask`.
inline int __all_sync(warpfiber::LaneBits mask, int predicate, warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<int>(warpfiber::detail::collect<warpfiber::detail::Operation::vote_all>(
      mask, predicate != 0, warpfiber::detail::LaneArgument{site}));
}
/// Nonzero if and only if the predicate holds for some live lane of `mask`.
inline int __any_sync(warpfiber::LaneBits mask, int predicate, warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<int>(warpfiber::detail::collect<warpfiber::detail::Operation::vote_any>(
      mask, predicate != 0, warpfiber::detail::LaneArgument{site}));
}
/// Nonzero if and only if the predicate is the same in every live lane of `mask`.
inline int __uni_sync(warpfiber::LaneBits mask, int predicate, warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<int>(warpfiber::detail::collect<warpfiber::detail::Operation::vote_uniform>(
      mask, predicate != 0, warpfiber::detail::LaneArgument{site}));
}
/// Bit n is set if and only if lane n is a live lane of `mask` and its predicate holds.
inline warpfiber::LaneBits __ballot_sync(warpfiber::LaneBits mask, int predicate,
                                         warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<warpfiber::LaneBits>(warpfiber::detail::collect<warpfiber::detail::Operation::ballot>(
      mask, predicate != 0, warpfiber::detail::LaneArgument{site}));
}

/// The live lanes that reach this call together. How many that are is the policy's choice, because the device promises
/// nothing: by default as many as can arrive before anything else in the warp could run.
inline warpfiber::LaneBits __activemask(warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<warpfiber::LaneBits>(warpfiber::detail::converged_lanes(site));
}

/// Lanes of `mask` whose value has the same bits as the caller's.
template <class T>
inline warpfiber::LaneBits __match_any_sync(warpfiber::LaneBits mask, T value,
                                            warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<warpfiber::LaneBits>(warpfiber::detail::collect<warpfiber::detail::Operation::match_any>(
      mask, warpfiber::detail::to_bits(value), warpfiber::detail::LaneArgument{site}));
}
/// `mask` if all its lanes have the same value, else 0; `*predicate` says which.
template <class T>
inline warpfiber::LaneBits __match_all_sync(warpfiber::LaneBits mask, T value, int* predicate,
                                            warpfiber::Site site = warpfiber::Site::here()) {
  const std::uint64_t lanes = warpfiber::detail::collect<warpfiber::detail::Operation::match_all>(
      mask, warpfiber::detail::to_bits(value), warpfiber::detail::LaneArgument{site});
  if (predicate != nullptr) *predicate = lanes != 0;
  return static_cast<warpfiber::LaneBits>(lanes);
}

/// Sum over the live lanes of `mask`, modulo 2^32.
inline unsigned __reduce_add_sync(warpfiber::LaneBits mask, unsigned value,
                                  warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<unsigned>(warpfiber::detail::collect<warpfiber::detail::Operation::reduce_add>(
      mask, value, warpfiber::detail::LaneArgument{site}));
}
inline int __reduce_add_sync(warpfiber::LaneBits mask, int value, warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<int>(__reduce_add_sync(mask, static_cast<unsigned>(value), site));
}
/// Smallest value among the live lanes of `mask`.
inline unsigned __reduce_min_sync(warpfiber::LaneBits mask, unsigned value,
                                  warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<unsigned>(warpfiber::detail::collect<warpfiber::detail::Operation::reduce_min_unsigned>(
      mask, value, warpfiber::detail::LaneArgument{site}));
}
inline int __reduce_min_sync(warpfiber::LaneBits mask, int value, warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<int>(warpfiber::detail::collect<warpfiber::detail::Operation::reduce_min_signed>(
      mask, static_cast<unsigned>(value), warpfiber::detail::LaneArgument{site}));
}
/// Largest value among the live lanes of `mask`.
inline unsigned __reduce_max_sync(warpfiber::LaneBits mask, unsigned value,
                                  warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<unsigned>(warpfiber::detail::collect<warpfiber::detail::Operation::reduce_max_unsigned>(
      mask, value, warpfiber::detail::LaneArgument{site}));
}
inline int __reduce_max_sync(warpfiber::LaneBits mask, int value, warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<int>(warpfiber::detail::collect<warpfiber::detail::Operation::reduce_max_signed>(
      mask, static_cast<unsigned>(value), warpfiber::detail::LaneArgument{site}));
}
/// Bitwise and, or, exclusive-or over the live lanes of `mask`.
inline unsigned __reduce_and_sync(warpfiber::LaneBits mask, unsigned value,
                                  warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<unsigned>(warpfiber::detail::collect<warpfiber::detail::Operation::reduce_and>(
      mask, value, warpfiber::detail::LaneArgument{site}));
}
inline unsigned __reduce_or_sync(warpfiber::LaneBits mask, unsigned value,
                                 warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<unsigned>(warpfiber::detail::collect<warpfiber::detail::Operation::reduce_or>(
      mask, value, warpfiber::detail::LaneArgument{site}));
}
inline unsigned __reduce_xor_sync(warpfiber::LaneBits mask, unsigned value,
                                  warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<unsigned>(warpfiber::detail::collect<warpfiber::detail::Operation::reduce_xor>(
      mask, value, warpfiber::detail::LaneArgument{site}));
}

/// Masks of the caller's lane and of the lanes before and after it (PTX special registers %lanemask_*).
inline warpfiber::LaneBits __lanemask_eq() {
  return warpfiber::LaneBits{1} << warpfiber::detail::lane_id();
}
inline warpfiber::LaneBits __lanemask_lt() {
  return __lanemask_eq() - 1;
}
inline warpfiber::LaneBits __lanemask_le() {
  return __lanemask_lt() | __lanemask_eq();
}
inline warpfiber::LaneBits __lanemask_gt() {
  return warpfiber::detail::full_warp() & ~__lanemask_le();
}
inline warpfiber::LaneBits __lanemask_ge() {
  return warpfiber::detail::full_warp() & ~__lanemask_lt();
}

// CUDA 8 and older had no masks: the lanes that happen to be converged take part. Gone from sm_70 on.
#define WARPFIBER_LEGACY [[deprecated("removed from sm_70 on: use the _sync form with an explicit mask")]]
template <class T>
WARPFIBER_LEGACY T __shfl(T value, int source, int width = warpfiber::detail::kWholeWarp,
                          warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::detail::shuffle_maskless<warpfiber::detail::Formula::index>(value, source, width, site);
}
template <class T>
WARPFIBER_LEGACY T __shfl_up(T value, unsigned delta, int width = warpfiber::detail::kWholeWarp,
                             warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::detail::shuffle_maskless<warpfiber::detail::Formula::up>(value, static_cast<int>(delta), width,
                                                                             site);
}
template <class T>
WARPFIBER_LEGACY T __shfl_down(T value, unsigned delta, int width = warpfiber::detail::kWholeWarp,
                               warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::detail::shuffle_maskless<warpfiber::detail::Formula::down>(value, static_cast<int>(delta), width,
                                                                               site);
}
template <class T>
WARPFIBER_LEGACY T __shfl_xor(T value, int lanes, int width = warpfiber::detail::kWholeWarp,
                              warpfiber::Site site = warpfiber::Site::here()) {
  return warpfiber::detail::shuffle_maskless<warpfiber::detail::Formula::exclusive_or>(value, lanes, width, site);
}
WARPFIBER_LEGACY inline int __all(int predicate, warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<int>(
      warpfiber::detail::vote_maskless<warpfiber::detail::Operation::vote_all>(predicate != 0, site));
}
WARPFIBER_LEGACY inline int __any(int predicate, warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<int>(
      warpfiber::detail::vote_maskless<warpfiber::detail::Operation::vote_any>(predicate != 0, site));
}
WARPFIBER_LEGACY inline warpfiber::LaneBits __ballot(int predicate, warpfiber::Site site = warpfiber::Site::here()) {
  return static_cast<warpfiber::LaneBits>(
      warpfiber::detail::vote_maskless<warpfiber::detail::Operation::ballot>(predicate != 0, site));
}
#undef WARPFIBER_LEGACY
