// SPDX-License-Identifier: Apache-2.0
// Launching kernels: a kernel is any function or callable, called once for every thread of the grid.
//     warpfiber::launch({.grid = 64, .block = 256}, block_sum, in, out, n);
// A launch returns when all its threads have (or the launch has ended with a finding, whose report is on standard error
// by then); one that names a stream returns at once, and the stream returns how it ended (stream.hpp). Sources: CUDA
// C++ Programming Guide, "Execution Configuration", "Cooperative Groups", "Thread Block Clusters".
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <warpfiber/detail/claim.hpp>
#include <warpfiber/detail/lanes/lanes.hpp>
#include <warpfiber/detail/parameter_space.hpp>
#include <warpfiber/error.hpp>
#include <warpfiber/stream_ref.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace warpfiber {

struct DeviceModel;

/// As LaunchConfig::cooperative: the launch finds out by itself whether the kernel synchronises its grid, and is then
/// cooperative (Numba, "Cooperative Groups"). A grid that is too large for that is an error where it synchronises; from
/// then on the kernel is known, and refused before it starts. Source: docs/cooperative-launches.md.
struct Automatic {};
inline constexpr Automatic automatic{};

/// Whether a launch is cooperative: yes, no, or if the kernel needs it.
class Cooperation {
 public:
  constexpr Cooperation(bool wanted = false) : wanted_(wanted) {}
  constexpr Cooperation(Automatic) : automatic_(true) {}
  constexpr bool is_wanted() const { return wanted_; }
  constexpr bool is_automatic() const { return automatic_; }

 private:
  bool wanted_ = false;
  bool automatic_ = false;
};

/// The shape of a launch and how it is run. Everything has a default; 0 or null means: as set by the
/// environment (docs/options.md).
struct LaunchConfig {
  dim3 grid{1};                     // blocks
  dim3 block{1};                    // threads of a block
  std::size_t dynamic_shared = 0;   // bytes a block
  dim3 cluster{1};                  // blocks of a cluster; 1: no clusters
  Cooperation cooperative = false;  // all blocks resident at once, so that sync_grid() works: true, false or automatic
  StreamRef stream{};               // work of this stream, for which the caller does not wait

  const DeviceModel* device = nullptr;  // WARPFIBER_DEVICE, else H200
  unsigned registers = 0;               // a thread, for occupancy: a host compiler does not compute them; 0: 32
  unsigned warp_size = 0;               // lanes of a warp, 1 to 64, for tests of portability; 0: the device's
  unsigned workers = 0;                 // OS threads; WARPFIBER_WORKERS, else one for each processor
  std::size_t stack_bytes = 0;          // of each thread that waits; WARPFIBER_STACK, else 64 KiB
  const char* policy = nullptr;         // which thread runs next: "in-order", "random", "pct:3"; WARPFIBER_POLICY
  std::uint64_t seed = 0;               // for the policy; WARPFIBER_SEED
  const char* convergence = nullptr;    // which lanes __activemask() finds: "full", "random", "none"
};

/// How a launch ended. Copies share nothing.
class LaunchResult {
 public:
  LaunchResult() = default;
  explicit LaunchResult(std::uint64_t barriers) : barriers_(barriers) {}
  LaunchResult(Error error, const char* finding, const char* message);
  LaunchResult(const LaunchResult& other);
  LaunchResult(LaunchResult&& other) noexcept;
  LaunchResult& operator=(LaunchResult other) noexcept;
  ~LaunchResult();

  bool ok() const { return error_ == Error::success; }
  explicit operator bool() const { return ok(); }
  /// What CUDA would return for the launch or for the next synchronisation.
  Error error() const { return error_; }
  /// The id of what was found in the kernel, such as "deadlock" (docs/findings); empty if nothing was.
  const char* finding() const { return finding_ != nullptr ? finding_ : ""; }
  /// The report, or why the launch was refused; empty after success.
  const char* message() const { return message_ != nullptr ? message_ : ""; }
  /// Phases of block, cluster and grid barriers that the launch completed.
  std::uint64_t barriers() const { return barriers_; }

 private:
  Error error_ = Error::success;
  std::uint64_t barriers_ = 0;
  char* finding_ = nullptr;
  char* message_ = nullptr;
};

/// True: `Kernel`, a function, is straight-line code, as `if (i < n) y[i] = a * x[i] + y[i];` is. Neither it nor what
/// it calls has a loop, recursion, an atomic, or a barrier or other function that waits. launch<Kernel>() then runs the
/// threads of a row in a loop that the compiler may vectorise (docs/performance.md). The author of a kernel specialises
/// it, at namespace scope, before the first launch:
///     template <>
///     inline constexpr bool warpfiber::is_straight_line<saxpy> = true;
/// Of a kernel that does have a loop nothing is wrong as long as that ends by itself. One that waits in it for another
/// thread ends with the finding `timeout`, for no other thread gets a turn. Kernels of translated programs need none.
template <auto Kernel>
inline constexpr bool is_straight_line = false;

namespace detail {

/// How a kernel with its arguments is copied, for a launch that is run when its caller has gone on.
struct ClosureType {
  std::size_t bytes;
  std::size_t alignment;
  void (*copy)(void* to, const void* from);
  void (*destroy)(void* closure);
};

template <class Body>
inline constexpr ClosureType kClosureType{
    sizeof(Body), alignof(Body), [](void* to, const void* from) { ::new (to) Body(*static_cast<const Body*>(from)); },
    [](void* closure) { static_cast<Body*>(closure)->~Body(); }};

/// A kernel with its arguments, as the engine sees it.
struct KernelCall {
  void (*run_threads)();
  const void* closure;
  const void* address;  // distinguishes kernels and gives the name in reports; null: a null kernel
  const ClosureType* type;
};

LaunchResult launch(const LaunchConfig& config, const KernelCall& call);

/// `address` null: nothing is known of the kernel.
std::uint64_t max_cooperative_grid_blocks(const void* address, dim3 block, std::size_t dynamic_shared,
                                          const DeviceModel* device);

template <class T>
inline constexpr bool kCounts = std::is_integral_v<T> && sizeof(T) >= sizeof(int);

/// What a kernel with parameters of these types is likely to compare its index in.
template <class... Parameters>
using IndexType = std::conditional_t<((kCounts<Parameters> && std::is_unsigned_v<Parameters>) || ...) &&
                                         !((kCounts<Parameters> && std::is_signed_v<Parameters>) || ...),
                                     unsigned, int>;
template <class... Parameters>
IndexType<Parameters...> index_type_of(void (*kernel)(Parameters...));

/// Calls a kernel, whose body the compiler sees, with copies of its arguments.
template <class Call, class IndexType, bool kStraight = false>
struct VisibleBody : Call {
  using Visible = void;
  using Index = IndexType;
  static constexpr bool kIsStraightLine = kStraight;
};

/// Calls a kernel through a pointer with copies of its arguments.
template <class Kernel, class WithArguments>
struct PointerBody {
  Kernel kernel;
  WithArguments with_arguments;  // calls what it is given with them
  __attribute__((always_inline)) void operator()() const {
    with_arguments([&](const auto&... arguments) __attribute__((always_inline)) { kernel(arguments...); });
  }
};

template <class... Parameters, class Body>
LaunchResult launch_body(const LaunchConfig& config, const Body& body, const void* address) {
  static_assert(kParameterBytes<Parameters...> >= sizeof...(Parameters));  // no more than a kernel may have
  return launch(config, KernelCall{&run_threads<Body>, &body, address, &kClosureType<Body>});
}

}  // namespace detail

/// Calls `kernel` with copies of `arguments`, converted to its parameter types, in every thread of the grid. The caller
/// waits unless `config` names a stream. An invalid `config` is refused at once, with CUDA's error code; a null
/// kernel with Error::invalid_device_function. Thread safe; not to be called inside a kernel.
template <class... Parameters, class... Arguments>
LaunchResult launch(const LaunchConfig& config, void (*kernel)(Parameters...), Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments), "the kernel takes a different number of arguments");
  const auto with_arguments = [... values = static_cast<Parameters>(std::forward<Arguments>(arguments))](
      const auto& call) __attribute__((always_inline)) {
    return call(values...);
  };
  const detail::PointerBody<void (*)(Parameters...), decltype(with_arguments)> body{kernel, with_arguments};
  return detail::launch_body<Parameters...>(config, body, reinterpret_cast<const void*>(kernel));
}

/// The same for a callable. Its body is visible here, so it is inlined into the loop that runs the threads.
template <class Kernel, class... Arguments>
requires std::is_class_v<Kernel> LaunchResult launch(const LaunchConfig& config, const Kernel& kernel,
                                                     const Arguments&... arguments) {
  const auto call = [kernel, arguments...] { kernel(arguments...); };
  const detail::VisibleBody<std::remove_const_t<decltype(call)>, detail::IndexType<Arguments...>> body{call};
  return detail::launch_body<Kernel, Arguments...>(config, body,
                                                   reinterpret_cast<const void*>(&detail::run_threads<decltype(body)>));
}

/// The same for a kernel named as template argument, which makes its body visible: launch<saxpy>({...}, n, a, x, y).
template <auto Kernel, class... Arguments>
LaunchResult launch(const LaunchConfig& config, const Arguments&... arguments) {
  const auto call = [arguments...] { Kernel(arguments...); };
  using Index = decltype(detail::index_type_of(Kernel));
  const detail::VisibleBody<std::remove_const_t<decltype(call)>, Index, is_straight_line<Kernel>> body{call};
  return detail::launch_body<Arguments...>(config, body, reinterpret_cast<const void*>(Kernel));
}

/// The largest grid, in blocks, of a cooperative launch of `kernel` with blocks of `block` threads and `dynamic_shared`
/// bytes each (Numba's method of this name). 0 if the device has no cooperative launches, or no such blocks.
/// `device` null: as set by the environment. A host compiler does not report the static shared memory of
/// functions that a kernel calls; it is known after its first launch. Thread safe; not to be called inside a kernel.
template <class... Parameters>
std::uint64_t max_cooperative_grid_blocks(void (*kernel)(Parameters...), dim3 block, std::size_t dynamic_shared = 0,
                                          const DeviceModel* device = nullptr) {
  return detail::max_cooperative_grid_blocks(reinterpret_cast<const void*>(kernel), block, dynamic_shared, device);
}

/// The same for a kernel named as template argument.
template <auto Kernel>
std::uint64_t max_cooperative_grid_blocks(dim3 block, std::size_t dynamic_shared = 0,
                                          const DeviceModel* device = nullptr) {
  return max_cooperative_grid_blocks(Kernel, block, dynamic_shared, device);
}

/// The same for a callable, of which nothing is known but its launch.
template <class Kernel>
requires std::is_class_v<Kernel> std::uint64_t max_cooperative_grid_blocks(const Kernel&, dim3 block,
                                                                           std::size_t dynamic_shared = 0,
                                                                           const DeviceModel* device = nullptr) {
  return detail::max_cooperative_grid_blocks(nullptr, block, dynamic_shared, device);
}

/// The last error of this OS thread's launches, success if there was none; asking forgets it (cudaGetLastError).
Error last_error();

}  // namespace warpfiber
