// SPDX-License-Identifier: Apache-2.0
// What translated CUDA source calls (src/compiler/translate): every kernel is an ordinary function, its own host stub
// as nvcc makes it, and launching is calling it with a pending configuration:
//     (configure(grid, block, shared, stream), kernel(arguments))
// The stub hands its body, a lambda without captures, to enter_kernel, which registers the kernel before main() and at
// a call launches the body. Nothing here is meant to be written by hand.
#pragma once

#include <warpfiber/detail/claim.hpp>
#include <warpfiber/detail/lanes/lanes.hpp>
#include <warpfiber/detail/regions.hpp>
#include <warpfiber/detail/shared_variable.hpp>
#include <warpfiber/launch.hpp>
#include <warpfiber/shared.hpp>
#include <warpfiber/translated/kernel_heap.hpp>
#include <warpfiber/translated/lock_step.hpp>
#include <warpfiber/translated/marks.hpp>
#include <warpfiber/translated/passing.hpp>
#include <warpfiber/translated/statements.hpp>

#include <stdio.h>
#include <stdlib.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <typeinfo>
#include <utility>

struct CUstream_st;

namespace warpfiber::cuda {

#ifdef __CUDACC_DEBUG__
/// A compiler describes to debuggers what is used: built-in variables, or their types, are known in every program.
[[gnu::used]] static inline unsigned built_in_variables() {
  const uint3 index = threadIdx;
  const uint3 of_block = blockIdx;
  const dim3 extent = blockDim;
  const dim3 blocks = gridDim;
  return index.x + of_block.x + extent.x + blocks.x + static_cast<unsigned>(warpSize);
}
#endif

/// What a kernel's declaration says about its launches; 0: nothing. Each function adds one qualifier's numbers.
struct Bounds {
  unsigned max_threads = 0;         // of a block
  unsigned min_blocks = 0;          // wanted on an SM; a hint
  unsigned max_cluster_blocks = 0;  // a hint
  dim3 cluster_shape{0, 0, 0};
  unsigned max_registers = 0;  // of a thread
  dim3 block_shape{0, 0, 0};

  /// __launch_bounds__
  constexpr Bounds launch(unsigned threads = 0, unsigned blocks = 0, unsigned cluster_blocks = 0) const {
    Bounds with = *this;
    with.max_threads = threads;
    with.min_blocks = blocks;
    with.max_cluster_blocks = cluster_blocks;
    return with;
  }
  /// __cluster_dims__
  constexpr Bounds cluster(unsigned x = 0, unsigned y = 1, unsigned z = 1) const {
    Bounds with = *this;
    with.cluster_shape = x == 0 ? dim3(0, 0, 0) : dim3(x, y, z);
    return with;
  }
  /// __maxnreg__
  constexpr Bounds registers(unsigned number) const {
    Bounds with = *this;
    with.max_registers = number;
    return with;
  }
  /// __block_size__
  constexpr Bounds block_size(dim3 block, dim3 blocks_of_cluster = dim3(0, 0, 0)) const {
    Bounds with = *this;
    with.block_shape = block;
    if (blocks_of_cluster.x != 0) with.cluster_shape = blocks_of_cluster;
    return with;
  }
};

/// Whether operators on values of these types, and on what they point to, are the language's own, which call no
/// function: numbers, and pointers to numbers.
template <class... Types>
inline constexpr bool kBuiltInOperators = (std::is_arithmetic_v<std::remove_pointer_t<std::remove_cv_t<Types>>> && ...);

/// Where a kernel's body is defined, in checked programs; null and 0 in others.
struct Lines {
  const char* file = nullptr;
  unsigned first = 0;
  unsigned last = 0;
  bool ends_without_call = false;  // no function that the body calls is the last thing that the kernel does
};

/// The body of a kernel that is a function with a name, which a class within the kernel has.
template <class Named, class Pointer = decltype(Named::warpfiber_function())>
struct KernelFunction;
template <class Named, class... Parameters>
struct KernelFunction<Named, void (*)(Parameters...)> {
  using Pointer = void (*)(Parameters...);
  static constexpr Pointer kFunction = Named::warpfiber_function();

  void operator()(Parameters... arguments) const { kFunction(static_cast<Parameters&&>(arguments)...); }
  operator Pointer() const { return kFunction; }
};

namespace detail {

template <class Call>
struct SignatureOfCall;
template <class Class, class Result, class... Parameters>
struct SignatureOfCall<Result (Class::*)(Parameters...) const> {
  using Type = Result(Parameters...);
};

}  // namespace detail

/// The function type of a kernel with this body, `void(float*, int)`.
template <class Body>
using SignatureOf = typename detail::SignatureOfCall<decltype(&Body::operator())>::Type;

namespace detail {

/// A kernel as the runtime knows it, found by the address of its stub.
struct KernelRecord {
  const void* (*stub)();
  const char* name;            // as it is written, without template arguments
  const char* (*type_name)();  // std::type_info's of a class that is local to the stub; null without RTTI
  Bounds bounds;
  Lines lines;
  struct Parameter {
    std::size_t bytes;
    std::size_t alignment;
  };
  std::size_t parameters;
  const Parameter* parameter;
  // The call with its arguments: how large it is, how it is made of pointers to arguments, and how it ends.
  std::size_t closure_bytes;
  std::size_t closure_alignment;
  void (*construct)(void* closure, void* const* arguments);
  void (*destroy)(void* closure);
  void (*run_threads)();
  bool (*is_grid_constant)(const void* closure, const void* address);  // null: none of its parameters is
  std::uint64_t unit;     // of the regions that a pass has made of the kernel (regions.hpp), with type_name(); 0: none
  std::uint64_t reached;  // parameters by their bits: pointers that serve only to access what they point to
};

/// The address of a variable or function of the device that host code has by its name: one that faults in kernels.
const void* address_of_host_name(const void* address);
/// The same of a function of both sides: one that host code may call, and that faults in kernels.
const void* const& address_of_host_function(const void* address);

/// Host code has constructed an object of `bytes` bytes, or an array of such, which faults in kernels by its virtual
/// functions where they can access it.
void note_built_by_host(const void* object, std::size_t bytes, bool is_array);

/// Makes `record`, which stays for ever, known. Called while the program or a library of it is initialised.
struct Registration {
  explicit Registration(const KernelRecord& record);
};

/// Launches `kernel` as the pending configuration of this OS thread says; without one it is an error that
/// cudaGetLastError returns.
void launch_configured(const KernelRecord& kernel, void* const* arguments);

template <class Body, class Taken, class Signature, bool kStraightLine>
struct Packing;

template <class Body, class... Taken, class... Parameters, bool kStraightLine>
struct Packing<Body, void(Taken...), void(Parameters...), kStraightLine> {
  template <class T>
  using Value = typename Passing<T>::Kept;
  static constexpr bool kGridConstants = (Handing<Parameters, Taken>::kGridConstant || ...);
  static constexpr bool kAsHanded = (std::is_same_v<Parameters, typename Passing<Parameters>::Handed> && ...);

  /// The body with copies of the arguments, each of which is copied once more for every thread.
  template <std::size_t... kIndex>
  static auto pack([[maybe_unused]] void* const* arguments, std::index_sequence<kIndex...>) {
    return [... values = Value<Parameters>(*static_cast<const Value<Parameters>*>(arguments[kIndex]))] {
      if constexpr (kAsHanded) {
        Body{}(Passing<Parameters>::hand(values)...);
      } else {
        // As the ABI has it, so that no copy is made of what is passed by address.
        const auto body = static_cast<void (*)(Parameters...)>(Body{});
        reinterpret_cast<void (*)(typename Passing<Parameters>::Handed...)>(reinterpret_cast<void (*)()>(body))(
            Passing<Parameters>::hand(Value<Parameters>(values))...);
      }
    };
  }
  static auto pack(void* const* arguments) {
    if constexpr (kGridConstants) {
      return GridConstantCall<Body, void(Taken...), void(Parameters...)>(arguments);
    } else {
      return pack(arguments, std::index_sequence_for<Parameters...>{});
    }
  }

  using Call = decltype(pack(static_cast<void* const*>(nullptr)));
  using Closure = ::warpfiber::detail::VisibleBody<Call, ::warpfiber::detail::IndexType<Parameters...>,
                                                   kStraightLine && kBuiltInOperators<Parameters...>>;

  static void construct(void* closure, void* const* arguments) { ::new (closure) Closure{pack(arguments)}; }
  static void destroy(void* closure) { static_cast<Closure*>(closure)->~Closure(); }
  static constexpr auto is_grid_constant() -> bool (*)(const void*, const void*) {
    if constexpr (!kGridConstants) return nullptr;
    return [](const void* closure, const void* address) {
      if constexpr (kGridConstants) return static_cast<const Closure*>(closure)->is_grid_constant(address);
      return false;
    };
  }
  static void launch(const KernelRecord& kernel, Passing<Parameters>... arguments) {
    void* pointers[] = {arguments.where()..., nullptr};
    launch_configured(kernel, pointers);
  }

  static constexpr std::uint64_t pointers() {
    std::uint64_t bits = 0;
    unsigned number = 0;
    [[maybe_unused]] const auto add = [&](bool is_pointer) {
      if (is_pointer && number < 64) bits |= std::uint64_t{1} << number;
      ++number;
    };
    (add(std::is_pointer_v<Parameters> && !std::is_function_v<std::remove_pointer_t<Parameters>>), ...);
    return bits;
  }

  static constexpr KernelRecord::Parameter kParameters[] = {{sizeof(Value<Parameters>), alignof(Value<Parameters>)}...,
                                                            {0, 1}};
};

template <class About>
const char* type_name_of() {
#ifdef __cpp_rtti
  return typeid(About).name();
#else
  return nullptr;
#endif
}

/// The kernel's own function type: that of its body where the body does not take parameters otherwise.
template <class About, class Body>
struct SignatureOfKernel {
  using Type = SignatureOf<Body>;
};
template <class About, class Body>
requires requires {
  typename About::Signature;
}
struct SignatureOfKernel<About, Body> {
  using Type = typename About::Signature;
};

template <class About>
constexpr Lines lines_of() {
  if constexpr (requires { About::lines(); }) return About::lines();
  return {};
}

/// What the translator makes of the words of the body (src/compiler/translate/straight_line).
template <class About>
constexpr bool is_straight_line() {
  if constexpr (requires { About::is_straight_line(); }) return About::is_straight_line();
  return false;
}

/// The parameters that words of the kernel show to be pointers of that kind
/// (src/compiler/translate/reached_pointers.cpp).
template <class About>
constexpr std::uint64_t reached_by_words() {
  if constexpr (requires { About::reached(); }) return About::reached();
  return 0;
}

/// One kernel, an instantiation of a template too: as launches know it, or where it is made a function that runs a
/// block.
template <class About, class Body>
using PackingOf =
    Packing<Body, SignatureOf<Body>, typename SignatureOfKernel<About, Body>::Type, is_straight_line<About>()>;

template <class About, class Body>
struct LaunchedKernel {
  using Pack = PackingOf<About, Body>;

  static const void* stub() { return reinterpret_cast<const void*>(About::address()); }

  // A constant, so that it is there whatever the order of initialisation.
  static constexpr KernelRecord record{&stub,
                                       About::name(),
                                       &type_name_of<About>,
                                       About::bounds(),
                                       lines_of<About>(),
                                       sizeof Pack::kParameters / sizeof Pack::kParameters[0] - 1,
                                       Pack::kParameters,
                                       sizeof(typename Pack::Closure),
                                       alignof(typename Pack::Closure),
                                       &Pack::construct,
                                       &Pack::destroy,
                                       &::warpfiber::detail::run_threads<typename Pack::Closure>,
                                       Pack::is_grid_constant(),
                                       WARPFIBER_UNIT,
                                       Pack::pointers() & reached_by_words<About>()};
  static inline const Registration registration{record};

  template <class... Arguments>
  static void enter(Arguments&... arguments) {
    static_cast<void>(&registration);
    Pack::launch(record, arguments...);
  }
};

template <class About, class Body>
struct RegionKernel {
  /// What a pass of the compiler makes a function of that runs a block (regions.hpp).
  WARPFIBER_BLOCK_FUNCTION static unsigned run_block(const void* closure) {
    warpfiber_regions_kernel(typeid(About).name(), WARPFIBER_UNIT);
    (*static_cast<const typename PackingOf<About, Body>::Closure*>(closure))();
    return 0;
  }

  template <class... Arguments>
  static void enter(Arguments&...) {
    static_cast<void>(&run_block);
  }
};

template <class About, class Body>
using Known =
    std::conditional_t<::warpfiber::detail::kRunsAsRegions, RegionKernel<About, Body>, LaunchedKernel<About, Body>>;

}  // namespace detail

/// What a launch's `<<<grid, block, shared, stream>>>` says, kept for the next kernel that this OS thread enters.
void configure(dim3 grid, dim3 block, std::size_t shared = 0, CUstream_st* stream = nullptr);

/// All that a kernel's stub does. `arguments` are its parameters.
template <class About, class Body, class... Arguments>
void enter_kernel(const Body&, Arguments&... arguments) {
  detail::Known<About, Body>::enter(arguments...);
}

/// An argument of a launch that names an array, a variable behind `&` or a function of the device. In host code that is
/// the host's own copy, which no kernel can reach (CUDA C++ Programming Guide, "Device Memory Space Specifiers").
template <class T>
inline T* host_name(T* address) {
  // Casts of C's form: no other is for pointers to functions as well as to volatile objects.
  return (T*)detail::address_of_host_name((const void*)address);
}

/// The same of a function that is the host's as well, in host code: as good as its name there, which is an lvalue.
template <class T>
inline T* const& host_function(T* address) {
  return (T* const&)detail::address_of_host_function((const void*)address);
}

/// What a new-expression of host code returns. Classes with virtual functions are not trivial to copy.
template <bool kIsArray, class T>
constexpr T* built_by_host(T* object) noexcept {
  if (!std::is_trivially_copyable<std::remove_all_extents_t<T>>::value && !__builtin_is_constant_evaluated()) {
    detail::note_built_by_host((const void*)object, sizeof(T), kIsArray);
  }
  return object;
}

/// A name of several functions, all of the device or all of both sides: what it is used for chooses one. `choose` gives
/// the pointer that it gets the value of the name.
template <bool kOfBothSides, class Choose>
class HostOverloads {
 public:
  explicit HostOverloads(Choose choose) : choose_(choose) {}

  template <class Function, class = std::enable_if_t<std::is_function<Function>::value>>
  operator Function*() const {
    Function* const chosen = choose_(static_cast<Function*>(nullptr));
    return kOfBothSides ? host_function(chosen) : host_name(chosen);
  }

 private:
  Choose choose_;
};
template <bool kOfBothSides, class Choose>
inline HostOverloads<kOfBothSides, Choose> host_overloads(Choose choose) {
  return HostOverloads<kOfBothSides, Choose>(choose);
}

namespace detail {

/// What marks of functions return: each has the parameters of a function of the device whose name the host has as well.
class OfDevice;
template <class Function>
struct MarkOfFunction;
template <class Result, class... Parameters>
struct MarkOfFunction<Result(Parameters...)> {
  using Pointer = OfDevice (*)(Parameters...);
};
template <class Result, class... Parameters>
struct MarkOfFunction<Result(Parameters...) noexcept> {
  using Pointer = OfDevice (*)(Parameters...);
};

}  // namespace detail

/// A name of functions of the host and of others of the device. `OfDevice` can be called with the pointer that only
/// marks of the device's functions can be assigned to.
template <class Choose, class OfDevice>
class MixedOverloads {
 public:
  explicit MixedOverloads(Choose choose) : choose_(choose) {}

  template <class Function, class = std::enable_if_t<std::is_function<Function>::value>>
  operator Function*() const {
    Function* const chosen = choose_(static_cast<Function*>(nullptr));
    const bool is_of_device = std::is_invocable<OfDevice, typename detail::MarkOfFunction<Function>::Pointer>::value;
    return is_of_device ? host_name(chosen) : chosen;
  }

 private:
  Choose choose_;
};
template <class Choose, class OfDevice>
inline MixedOverloads<Choose, OfDevice> mixed_overloads(Choose choose, OfDevice) {
  return MixedOverloads<Choose, OfDevice>(choose);
}

/// Where a variable of a device lives, and who else sees it.
enum class VariableKind { device, constant, managed };

/// Makes a variable known, so that it can be found by its address; device 0 uses the variable itself. One that is const
/// can be read as a symbol and not be written.
class Variable {
 public:
  /// Where a variable is declared. `type` as ::warpfiber::detail::type_text<T>() gives it.
  struct Declaration {
    ::warpfiber::detail::TypeName type;
    const char* file;
    unsigned line;
  };

  template <class T>
  Variable(T& variable, const char* name, VariableKind kind, const char* file = __builtin_FILE(),
           unsigned line = __builtin_LINE())
      : Variable(const_cast<void*>(static_cast<const volatile void*>(__builtin_addressof(variable))), sizeof(T), name,
                 kind, std::is_const_v<T>, {::warpfiber::detail::type_text<T>(), file, line}) {}

 private:
  Variable(void* variable, std::size_t bytes, const char* name, VariableKind kind, bool is_const,
           const Declaration& declaration);
};

/// Bytes behind a variable of type T that belong to nothing in a checked program: an element of the outermost array.
constexpr std::size_t red_zone_bytes(std::size_t element) {
  return element < 256 ? 256 : element > 65536 ? 65536 : element;
}
template <class T>
inline constexpr std::size_t kRedZone = red_zone_bytes(sizeof(std::remove_extent_t<T>));

/// Makes them known, and is the end of them where they hold zeros. The variable lies before `zeros` or `values`.
class alignas(64) RedZone {
 public:
  template <std::size_t kBytes>
  RedZone(const char (&zeros)[kBytes], const char (&values)[kBytes], const char (&values_end)[64])
      : RedZone(kBytes, zeros, values, values_end + sizeof values_end) {}

 private:
  RedZone(std::size_t bytes, const char* zeros, const char* values, const char* values_end);
};

namespace detail {
void* instance_here(void* variable);
}

/// The instance of a variable that belongs to the device that runs the calling thread.
template <class T>
inline T& here(T& variable) {
  if constexpr (::warpfiber::detail::kRunsAsRegions) return variable;  // those run on device 0
  if (WARPFIBER_LIKELY(::warpfiber::detail::current_thread.device == 0)) return variable;
  return *static_cast<T*>(
      detail::instance_here(const_cast<void*>(static_cast<const volatile void*>(__builtin_addressof(variable)))));
}

/// An instance of a variable template, which its use makes known.
template <class T>
inline T& known(T& instance, const Variable&) {
  return instance;
}

/// Whether the caller is a thread of a kernel.
inline bool on_device() {
  return ::warpfiber::detail::current_thread.worker != nullptr;
}

namespace device_functions {

/// A format and the call it was written for.
struct PrintFormat {
  PrintFormat(const char* format, Site called_at = Site::here()) : text(format), site(called_at) {}

  const char* text;
  Site site;
};

/// The device's printf: lanes that come to a call together print in their order before any of them goes on, and the
/// number of arguments is returned. On the host it is the host's.
template <class... Arguments>
int printf(PrintFormat format, Arguments... arguments) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
  if (!on_device()) return ::printf(format.text, arguments...);
  char text[256];
  const int size = ::snprintf(text, sizeof text, format.text, arguments...);
  if (size < 0) return size;
  const auto bytes = static_cast<std::size_t>(size);
  if (bytes < sizeof text) {
    ::warpfiber::detail::print_together(format.site, text, bytes);
  } else {
    char* longer = static_cast<char*>(::malloc(bytes + 1));
    if (longer == nullptr) return -1;
    ::snprintf(longer, bytes + 1, format.text, arguments...);
    ::warpfiber::detail::print_together(format.site, longer, bytes);
    ::free(longer);
  }
#pragma GCC diagnostic pop
  return static_cast<int>(sizeof...(Arguments));
}

}  // namespace device_functions

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
/// From here on stream 0 means cudaStreamPerThread in the whole process.
void use_per_thread_default_stream();
namespace {
[[maybe_unused]] const bool per_thread_default_stream_used = (use_per_thread_default_stream(), true);
}
#endif

}  // namespace warpfiber::cuda

/// configure() by the name that nvcc gives it; returns 0.
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared = 0,
                                                CUstream_st* stream = nullptr);
