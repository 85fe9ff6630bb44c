// SPDX-License-Identifier: Apache-2.0
// `kernel<<<grid, block, shared, stream>>>(arguments)` in two steps: the configuration is kept until the kernel's stub
// is entered. Arguments are evaluated in between and may launch kernels of their own, so configurations form a stack.
// Those that point to memory of the host, which a device cannot reach, are changed.
#include <warpfiber/translated/kernels.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/forking.hpp"
#include "base/index.hpp"
#include "device_memory/table.hpp"
#include "memory/device_space.hpp"
#include "memory/host/built_by_host.hpp"
#include "memory/host/host_addresses.hpp"
#include "process/errors.hpp"
#include "process/explain.hpp"
#include "process/findings/host_findings.hpp"
#include "process/host/asked.hpp"
#include "process/host/host_calls.hpp"
#include "process/reporter.hpp"
#include "process/user_call.hpp"
#include "runtime/calls.hpp"
#include "runtime/door.hpp"
#include "runtime/kernel_launch.hpp"
#include "runtime/launching/prepare.hpp"
#include "streams/streams.hpp"

namespace warpfiber::cuda {
namespace {

struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;
  CUstream_st* stream = nullptr;
  const void* returns_to = nullptr;
};

/// The configurations of launches that have not begun: one, or more where the arguments of a launch contain another.
/// Static objects may launch kernels after the thread's own objects are gone, so this needs no destructor.
/// It is small, because what the hooks take for the built-in variables is near to them (abi/hooks/hooks.cpp).
class PendingLaunches {
 public:
  void push(const Configuration& configuration) {
    // One whose launch never began, because its arguments threw an exception, makes room.
    if (count_ == all_.size()) {
      std::copy(all_.begin() + 1, all_.end(), all_.begin());
      --count_;
    }
    all_[count_++] = configuration;
  }
  bool empty() const { return count_ == 0; }
  Configuration pop() { return all_[--count_]; }

 private:
  std::array<Configuration, 4> all_{};
  std::size_t count_ = 0;
};

constinit thread_local PendingLaunches pending;

}  // namespace

void configure(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
  // A kernel's launch is refused when its stub is entered; until then it takes no memory.
  if (runtime::is_called_by_kernel()) return;
  pending.push(Configuration{grid, block, shared, stream, __builtin_return_address(0)});
}

namespace detail {

namespace {

/// Pointers to pageable host memory that the kernel only accesses become addresses that fault. A kernel that never
/// accesses them sees no difference. `arguments` point to objects of the launch's own. Nearly every argument is null or
/// lies in the space of the devices, which two instructions show.
void put_host_memory_out_of_reach(const KernelRecord& kernel, void* const* arguments) {
  for (std::uint64_t left = kernel.reached; left != 0; left &= left - 1) {
    const void*& pointer = *static_cast<const void**>(arguments[std::countr_zero(left)]);
    if (pointer == nullptr || memory::in_device_space(pointer)) continue;
    if (!device_memory::block_at(pointer).has_value()) pointer = memory::out_of_reach(pointer);
  }
}

/// The runtime starts nothing any more.
void report_lost_launch(Error error, const KernelRecord& kernel, const Configuration& configuration) {
  record::LaunchFacts facts;
  facts.kernel = kernel.name;
  facts.grid = base::to_triple(configuration.grid);
  facts.block = base::to_triple(configuration.block);
  record::Finding finding = process::launch_after_failure(error, facts);
  // After the end of main() no program asks.
  if (error == Error::cudart_unloading) return process::report_host_finding(std::move(finding));
  process::report_at_exit([finding = process::unseen(std::move(finding))] { process::report_host_finding(finding); });
}

}  // namespace

void launch_configured(const KernelRecord& kernel, void* const* arguments) {
  if (runtime::is_called_by_kernel()) {
    process::report_refusal(Error::not_supported, record::ReasonKind::launch_inside_kernel, "a kernel");
    // The host learns it from the next synchronisation.
    process::report_device_error(::warpfiber::detail::current_thread.device, Error::not_supported);
    return;
  }
  if (pending.empty()) {
    runtime::refuse(Error::missing_configuration, record::ReasonKind::launch_not_configured, kernel.stub());
    return;
  }
  const Configuration configuration = pending.pop();
  if (!base::begin_use()) {
    process::refuse_in_forked_child(kernel.name);
    return;
  }
  const process::InUserCall of_program({kernel.name, process::call_of_own_code(configuration.returns_to)});
  runtime::StreamLaunch how;
  how.grid = configuration.grid;
  how.block = configuration.block;
  how.dynamic_shared = configuration.shared;
  how.stream = configuration.stream;
  Error error = streams::enter_call();
  if (error == Error::success) {
    put_host_memory_out_of_reach(kernel, arguments);
    error = runtime::error_of_work([&] { return runtime::launch_kernel(kernel, how, arguments); });
  } else {
    report_lost_launch(error, kernel, configuration);
  }
  if (error != Error::success) process::forget_explanation();
  process::remember(error);
}

const void* address_of_host_name(const void* address) {
  return memory::out_of_reach(address);
}

const void* const& address_of_host_function(const void* address) {
  return memory::host_address_of(address);
}

void note_built_by_host(const void* object, std::size_t bytes, bool is_array) {
  if (object == nullptr) return;
  const auto block = device_memory::block_at(object);
  if (!block.has_value() || block->kind == device_memory::MemoryKind::device) return;
  memory::note_object_of_host(const_cast<void*>(object), bytes, is_array ? block->base + block->bytes : nullptr);
}

}  // namespace detail
}  // namespace warpfiber::cuda

extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
  warpfiber::cuda::configure(grid, block, shared, stream);
  return 0;
}

/// Called by the stub of a kernel that NVIDIA's nvcc compiled.
extern "C" cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  using namespace warpfiber::cuda;
  if (pending.empty()) return cudaErrorMissingConfiguration;
  const Configuration configuration = pending.pop();
  *grid = configuration.grid;
  *block = configuration.block;
  *shared = configuration.shared;
  *static_cast<CUstream_st**>(stream) = configuration.stream;
  return cudaSuccess;
}
