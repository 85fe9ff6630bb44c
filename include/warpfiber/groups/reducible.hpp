// SPDX-License-Identifier: Apache-2.0
// What may be reduced and scanned, by which operators, over which groups: the conditions that CUDA 13.0's headers put
// as static assertions. Groups other than tiles and coalesced groups are an extension; WARPFIBER_STRICT_CUDA, defined
// before anything is included, refuses them as NVIDIA's headers do.
#pragma once

#include <warpfiber/groups/cluster_group.hpp>
#include <warpfiber/groups/coalesced_group.hpp>
#include <warpfiber/groups/grid_group.hpp>
#include <warpfiber/groups/known_operators.hpp>
#include <warpfiber/groups/lanes.hpp>
#include <warpfiber/groups/large_tile.hpp>
#include <warpfiber/groups/thread_block.hpp>
#include <warpfiber/groups/tile.hpp>
#include <warpfiber/groups/uniform.hpp>

#include <utility>

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

enum class Form { reduction, inclusive, exclusive };

constexpr Operation operation_of(Form form) {
  if (form == Form::inclusive) return Operation::group_inclusive_scan;
  return form == Form::exclusive ? Operation::group_exclusive_scan : Operation::group_reduce;
}
constexpr const char* name_of(Form form) {
  return warpfiber::detail::row_of(operation_of(form)).name;
}

template <class T>
using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

inline constexpr unsigned kMostLanes = 8 * sizeof(LaneBits);

/// How many threads of a group within a warp there can be.
template <class Group>
inline constexpr unsigned kRoomOf = kTileSize<Group> != 0 ? kTileSize<Group> : kMostLanes;

/// With as many members as this a group within a warp is reduced as a tile of that size.
template <class Group>
inline constexpr unsigned kWholeSize = kTileSize<Group> != 0 ? kTileSize<Group> : 32;

#ifdef WARPFIBER_STRICT_CUDA
template <class Group>
inline constexpr bool kWiderGroup = false;
#else
template <class Group>
inline constexpr bool kWiderGroup = std::is_same_v<Group, thread_block> || std::is_same_v<Group, cluster_group> ||
                                    std::is_same_v<Group, grid_group> || std::is_same_v<Group, thread_group>;
#endif

template <class Group>
inline constexpr bool kReducible = kFitsWarp<Group> || kLargeTile<Group> || kWiderGroup<Group>;

/// Half precision counts as arithmetic here, which CUDA's headers do if cuda_fp16.h comes before them.
template <class T>
inline constexpr bool kCopiesBytewise = std::is_arithmetic_v<T> || kNarrowNumber<T> || std::is_trivially_copyable_v<T>;

/// Instantiated by every reduction and scan.
template <class Group, class T, class Result>
constexpr void check_collective() {
  static_assert(std::is_same_v<Plain<T>, Plain<Result>>,
                "the operator has to return the type of the value that is reduced or scanned");
  static_assert(
      kReducible<Group>,
      "reductions and scans take a tile or a coalesced group, and thread_block, cluster_group, grid_group and "
      "thread_group unless WARPFIBER_STRICT_CUDA is defined");
  static_assert(kCopiesBytewise<Plain<T>> && !kRefusedByCuda<Plain<T>>,
                "values of a reduction or scan have to be trivially copyable");
  static_assert(sizeof(T) <= 32, "values of a reduction or scan have at most 32 bytes");
  static_assert(!std::is_same_v<Plain<T>, long double>, "there is no reduction or scan of long double");
  static_assert(sizeof(T) <= 8 || !kLargeTile<Group>,
                "values of a reduction or scan over a tile of more than 32 threads have at most 8 bytes");
}

/// Instantiated by every scan: also inclusive ones begin with T{} in CUDA's headers.
template <class T>
constexpr void check_scan() {
  static_assert(std::is_default_constructible_v<T>, "values of a scan have to be default constructible");
}

/// CUDA's reduce() distinguishes a functor template from other operators where it may bind it to something not const,
/// and then wants its type to be the value's; its scans do not.
template <class T, class Op>
constexpr void check_operator() {
  using Functor = std::remove_reference_t<Op>;
  if constexpr (OperatorType<Functor>::exists) {
    static_assert(std::is_same_v<Plain<typename OperatorType<Functor>::type>, Plain<T>>,
                  "the operator is for another type than the value's");
  }
}

template <class Target, class T>
constexpr void check_target() {
  static_assert(std::is_same_v<Plain<Target>, Plain<T>>, "the destination and the value have to be of one type");
}

}  // namespace details
}  // namespace __v1
}  // namespace cooperative_groups
