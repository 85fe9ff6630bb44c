// SPDX-License-Identifier: Apache-2.0
// What the claiming loops of lanes/ have in common: they run threads of the current block, one after another, until one
// of them has waited or none is left. They are compiled with the kernel, so a kernel whose body is visible is inlined
// into them. Invariant: after a thread that has waited, the loop is no longer the claimer and leaves at once; the
// thread it would have gone on with belongs to another fiber by then.
#pragma once

#include <warpfiber/detail/counted_access.hpp>
#include <warpfiber/detail/wait.hpp>

#include <limits>
#include <type_traits>
#include <utility>

namespace warpfiber::detail {

/// Called with threadIdx.x one past the row that has been run: points the built-in variables at the next row; false if
/// there is none for this fiber (src/execution/engine).
bool next_row();
/// Ends the running thread or the claiming of its block and says which fiber goes on.
Switch finish_claims();
/// Keeps the exception that left the kernel and ends the launch. Called inside the handler.
void kernel_threw() noexcept;
/// The running thread returns from its kernel here. Called by the kernels of checked programs.
void returning(Site site = Site::here());
/// What a fresh fiber does first.
void announce_entry();

/// Whether the compiler can see what a body does. Where it can, rows may be run without keeping the index in memory.
template <class Body>
inline constexpr bool kVisibleBody = requires {
  typename Body::Visible;
};

/// Whether no thread of a body has a loop or a wait in it, so that each ends after a bounded number of instructions.
/// The author of a native kernel says so (is_straight_line in launch.hpp), the translator that of a translated one.
/// Checked programs report each access with the index of its thread: their rows are none.
template <class Body>
constexpr bool is_straight_line() {
  if constexpr (!kHasHooks && requires { Body::kIsStraightLine; }) return Body::kIsStraightLine;
  return false;
}
template <class Body>
inline constexpr bool kStraightLine = is_straight_line<Body>();

/// A copy of the body on this stack cannot be changed by what the kernel stores, so its operands may stay in registers,
/// if the compiler sees what the body does. Otherwise all stacks share the launch's, which stays in the caches; so they
/// do with one that gives threads addresses of its own parts, OneForAll.
inline constexpr std::size_t kCopiedBodyBytes = 128;
template <class Body>
inline constexpr bool kCopyable = std::is_trivially_copyable_v<Body> && sizeof(Body) <= kCopiedBodyBytes && !requires {
  typename Body::OneForAll;
};
template <class Body>
inline constexpr bool kCopyBody = kVisibleBody<Body>&& kCopyable<Body>;

/// Whether the parts of a body, a pointer to the kernel and its arguments, may be copied each for itself.
template <class Body>
inline constexpr bool kComesApart = kCopyable<Body>&& requires(const Body& body) {
  body.kernel;
  body.with_arguments;
};

/// The body as one row of threads uses it. It is read anew for every row through a pointer the compiler knows nothing
/// about: operands that lived across a switch, which takes all registers, would be kept in memory for the row as well.
template <class Body, bool kCopy = kCopyBody<Body>>
struct Row {
  explicit Row(const Body& from) : body(*unknown(&from)) {}
  static inline __attribute__((always_inline)) const Body* unknown(const Body* from) {
    asm("" : "+r"(from));
    return from;
  }
  const Body body;
};
template <class Body>
struct Row<Body, false> {
  explicit Row(const Body& from) : body(from) {}
  const Body& body;
};

/// The body of a checked program's launch, while that runs on the OS thread. Threads read it as a constant, of which
/// compilers report nothing, and which is not copied for each of them.
struct alignas(64) HeldBody {
  unsigned char bytes[kCopiedBodyBytes];
};
extern constinit thread_local HeldBody held_body WARPFIBER_OF_THREAD("warpfiber_held_body");

}  // namespace warpfiber::detail
