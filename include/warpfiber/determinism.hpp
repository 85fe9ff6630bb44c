// SPDX-License-Identifier: Apache-2.0
// Whether a program behaves the same when it is run again under the same schedule. If it does not, something outside
// the schedule decides: an address, the host's clock, uninitialised memory, a race with the host.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpfiber {

/// What two runs had in common.
struct DeterminismCheck {
  bool same = false;
  std::uint64_t decisions = 0;  // of the first run: how often there was a choice between threads
  std::string difference;       // where the runs part, empty if they do not

  explicit operator bool() const { return same; }
};

namespace detail {
DeterminismCheck check_determinism(void (*run)(void*), void* program);
}

/// Runs `program`, which sets up its data and launches kernels, twice, with one worker. Compares, of its own OS thread,
/// every decision about who runs next (which threads could, and which one did), how each launch ended, the bytes that
/// copies bring to the host, and what `program` returns, if it returns something that has ==. Launches inside use the
/// policy and the seed they would use anyway; with policy "random" more of the program is compared than in order.
/// Called outside kernels.
template <class Program>
DeterminismCheck check_determinism(Program&& program) {
  using Result = std::remove_cvref_t<std::invoke_result_t<Program&>>;
  if constexpr (std::equality_comparable<Result> && std::is_move_constructible_v<Result>) {
    std::vector<Result> results;
    auto keep = [&program, &results] { results.push_back(program()); };
    DeterminismCheck check =
        detail::check_determinism([](void* body) { (*static_cast<decltype(keep)*>(body))(); }, &keep);
    if (!check.same || results[0] == results[1]) return check;
    return {false, check.decisions, "the two runs return different values"};
  } else {
    return detail::check_determinism([](void* body) { (*static_cast<std::remove_reference_t<Program>*>(body))(); },
                                     const_cast<void*>(static_cast<const void*>(&program)));
  }
}

}  // namespace warpfiber
