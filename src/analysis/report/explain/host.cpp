// SPDX-License-Identifier: Apache-2.0
//
// Sentences about copies, and about what the host program does.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "record/diagnosis.hpp"
#include "report/catalogue/catalogue.hpp"
#include "report/explain/explain.hpp"
#include "report/reasons/reasons.hpp"

namespace warpfiber::report {
namespace {

using record::CopyMisused;
using record::KernelUnfinished;
using record::Leak;
using record::StatedDiagnosis;

const char* fix_for(Leak::Kind kind) {
  switch (kind) {
    case Leak::Kind::heap: return "free the memory with free() or delete in a kernel";
    case Leak::Kind::pinned: return "free the memory with cudaFreeHost()";
    case Leak::Kind::registered: return "call cudaHostUnregister()";
    case Leak::Kind::device: break;
  }
  return "free the memory with cudaFree(), or with cudaFreeAsync() in its stream";
}

const char* fix_of_launch(Error error) {
  switch (error) {
    case Error::invalid_resource_handle: return "launch into an existing stream of this device";
    case Error::invalid_device_function: return "pass the address of a __global__ function";
    case Error::missing_configuration: return "write kernel<<<blocks, threads>>>(arguments)";
    default: break;
  }
  return "keep the launch within the limit; cudaGetDeviceProperties() and cudaFuncGetAttributes() return the limits";
}

struct AdviceRow {
  Error error;
  const char* fix;
};

constexpr AdviceRow kAdvice[] = {
    {Error::invalid_resource_handle, "use a stream or event only after it is created and before it is destroyed"},
    {Error::invalid_memcpy_direction, "pass the direction that matches the two pointers, or cudaMemcpyDefault"},
    {Error::invalid_symbol, "pass the variable itself, declared __device__, __constant__ or __managed__"},
    {Error::invalid_device, "use a device number from 0 to the count that cudaGetDeviceCount() returns, minus 1"},
    {Error::memory_allocation, "query the free memory with cudaMemGetInfo(), and allocate less"},
    {Error::not_supported, "test this part of the program on a GPU"},
    {Error::not_permitted, "call CUDA's functions in host threads, not in host functions or callbacks of a stream"},
};

/// Where the function that fails knows nothing better.
std::string advice_for(Error error) {
  const auto* const found = std::ranges::find(kAdvice, error, &AdviceRow::error);
  return found == std::end(kAdvice) ? "" : found->fix;
}

std::string interruption_text(const KernelUnfinished& unfinished) {
  switch (unfinished.interruption) {
    case KernelUnfinished::Interruption::exit_in_kernel: return "exit() was called in a kernel";
    case KernelUnfinished::Interruption::exit_in_host_function:
      return "exit() was called in a host function of a stream";
    case KernelUnfinished::Interruption::exit_in_call: return "exit() was called during " + unfinished.call;
    case KernelUnfinished::Interruption::earlier_work:
    case KernelUnfinished::Interruption::nobody_waits: break;
  }
  return "earlier work in its stream did not finish";
}

/// compute-sanitizer says nothing of calls of libraries.
Sentences sentences_of_refused_call(const StatedDiagnosis& stated, const std::string& reason) {
  const bool of_library = !stated.status.empty();
  const std::string returned = of_library ? stated.status : std::string(name_of_returned(stated.call, stated.error));
  const std::string_view term = of_library ? "" : entry_of(record::Verdict::refused_call).sanitizer_term;
  const std::string advice = of_library ? "" : advice_for(stated.error);
  return {fmt::format("{} returns {} and does nothing{}{}.", stated.call, returned, stated.reason.empty() ? "" : ": ",
                      reason),
          stated.fix.empty() ? advice : reason_text(stated.fix),
          term.empty() ? std::string() : fmt::format("{} {}", term, returned)};
}

/// "&tile[1] = 0x…"; only the address where what is there has no name.
std::string address_text(std::uint64_t given, const std::string& name) {
  const std::string address = fmt::format("0x{:x}", given);
  return name.empty() ? address : fmt::format("&{} = {}", name, address);
}

}  // namespace

Sentences sentences_of(const CopyMisused& misuse) {
  switch (misuse.kind) {
    case CopyMisused::Kind::misaligned_destination:
      return {fmt::format("The destination {} is not a multiple of {}, the alignment that the call promises.",
                          address_text(misuse.given, misuse.name), misuse.wanted),
              "align the destination, for example with __align__(16), or promise a smaller alignment"};
    case CopyMisused::Kind::misaligned_source:
      return {fmt::format("The source {} is not a multiple of {}, the alignment that the call promises.",
                          address_text(misuse.given, misuse.name), misuse.wanted),
              "start at an aligned element, or promise a smaller alignment"};
    case CopyMisused::Kind::size_not_multiple:
      return {
          fmt::format("The size of {} bytes is not a multiple of {}, the alignment that the call promises; a device "
                      "copies only whole units of that size.",
                      misuse.given, misuse.wanted),
          "use a size that is a multiple of the alignment, or pointers to a type with a smaller alignment"};
    case CopyMisused::Kind::size_not_supported:
      return {fmt::format("The call copies {} bytes; it supports only 4, 8 or 16 bytes.", misuse.given),
              "use several copies of 4, 8 or 16 bytes"};
    case CopyMisused::Kind::too_many_zeroes:
      return {
          fmt::format("The call fills {} bytes with zeroes, but copies only {} bytes.", misuse.given, misuse.wanted),
          "pass a zfill that is at most the size of the copy"};
    case CopyMisused::Kind::not_to_shared: break;
  }
  return {fmt::format("The destination {} is not in the shared memory of the calling block.",
                      address_text(misuse.given, misuse.name)),
          "pass a __shared__ variable as destination and global memory as source"};
}

Sentences sentences_of(const record::MatrixMisused& misuse) {
  using Kind = record::MatrixMisused::Kind;
  switch (misuse.kind) {
    case Kind::misaligned:
      return {
          fmt::format("The address {} is not a multiple of {}. A device loads and stores rows of a matrix in pieces "
                      "of {} bytes.",
                      address_text(misuse.given, misuse.name), misuse.wanted, misuse.wanted),
          "declare the array with __align__(32), and start matrices at multiples of 16 bytes"};
    case Kind::leading_dimension:
      return {fmt::format(
                  "The leading dimension is {} elements, but must be a multiple of {}: rows of a matrix are loaded and "
                  "stored in pieces of so many.",
                  misuse.given, misuse.wanted),
              fmt::format("pad the rows, or the columns, of the matrix in memory to a multiple of {} elements",
                          misuse.wanted)};
    case Kind::warp_incomplete:
      return {fmt::format("Only {} of the 32 lanes of the warp execute this call, which needs all of them. On a device "
                          "the result is undefined.",
                          misuse.given),
              "launch blocks of a multiple of 32 threads, and let no lane return before the last such call"};
    case Kind::arguments_differ:
      return {
          "The lanes of the warp pass different addresses, leading dimensions or layouts. All lanes load and store "
          "one matrix together.",
          "compute the arguments from what is equal in all lanes, for example threadIdx.x / 32"};
    case Kind::fragment_not_loaded: break;
  }
  constexpr std::string_view kMatrices[] = {"A", "B", "C"};
  return {fmt::format("The fragment of {} has not been written. Its elements are undefined.",
                      kMatrices[misuse.given % std::size(kMatrices)]),
          "call load_matrix_sync() or fill_fragment() for it before mma_sync()"};
}

Sentences sentences_of(const record::DeviceVariableOnHost& variable) {
  const std::string copy =
      variable.writes
          ? fmt::format("cudaMemcpyToSymbol({}, ...), or pass the value as a kernel parameter", variable.name)
          : fmt::format("cudaMemcpyFromSymbol(..., {})", variable.name);
  return {
      fmt::format("In host code the name of a {} variable refers to a separate copy of it in host memory. {}",
                  variable.is_constant ? "__constant__" : "__device__",
                  variable.writes ? "Kernels never see what is stored there." : "It never gets what kernels store."),
      copy + (variable.is_constant ? "" : "; or declare the variable __managed__")};
}

Sentences sentences_of(const record::UnwrittenCopy& copy) {
  constexpr const char* kTerm = "Host API memory access error";
  if (copy.computes) {
    return {fmt::format("The function computes with {}, of which no kernel, copy or memset has written {}.",
                        base::counted(copy.copied, "byte"), base::counted(copy.unwritten, "byte")),
            "write all of them before this call: by the kernel that makes them, or by cudaMemset() first",
            "Uninitialized __global__ memory read"};
  }
  if (copy.unwritten == copy.copied) {
    return {fmt::format("No kernel, copy or memset has written any of the {} that are copied: their values are "
                        "undefined.",
                        base::counted(copy.copied, "byte")),
            "check that the kernel that computes them is launched before this copy and is passed this pointer, and "
            "that the copy to the device uses this pointer too",
            kTerm};
  }
  if (!copy.shared.empty()) {
    return {fmt::format("Of the {} that are copied to the host, no kernel, copy or memset has written {}, but several "
                        "threads have written {}: the index leads several threads to one element, and none to others.",
                        base::counted(copy.copied, "byte"), base::counted(copy.unwritten, "byte"), copy.shared),
            "compute an index of its own for each thread, so that every element is written", kTerm};
  }
  return {fmt::format("Of the {} that are copied to the host, no kernel, copy or memset has written {}.",
                      base::counted(copy.copied, "byte"), base::counted(copy.unwritten, "byte")),
          "make the kernel write all of them (a grid size that is rounded down omits the last elements), or copy only "
          "what it writes",
          kTerm};
}

Sentences sentences_of(const record::UnwrittenRows& rows) {
  return {
      fmt::format("Of the {} that are copied to the host, {} were never written: {} in each of {} of {}. The written "
                  "part of a row has as many elements as a launch of {} has threads along {}, {}.",
                  base::counted(rows.copied, "byte"), base::counted(rows.unwritten, "byte"),
                  base::counted(rows.bytes, "byte"), base::counted(rows.rows, "row"), base::counted(rows.pitch, "byte"),
                  rows.kernel, rows.axis, rows.threads),
      "make the grid cover all columns and rows; check that gridDim.x and gridDim.y are not swapped",
      "Host API memory access error"};
}

Sentences sentences_of(const Leak& leak) {
  const std::string what =
      leak.allocations == 1
          ? fmt::format("{} allocated here were not freed", base::counted(leak.bytes, "byte"))
          : fmt::format("{} made here, {} in all, were not freed", base::counted(leak.allocations, "allocation"),
                        base::counted(leak.bytes, "byte"));
  return {
      fmt::format("{} before {}.", what, leak.end == Leak::End::process ? "the process ended" : "cudaDeviceReset()"),
      fix_for(leak.kind)};
}

Sentences sentences_of(const KernelUnfinished& unfinished) {
  if (unfinished.interruption == KernelUnfinished::Interruption::nobody_waits) {
    return {
        "The program ends without waiting for this kernel. A device drops the kernel then, or does not show what it "
        "prints: output of printf() comes to the host when the host synchronises with it.",
        "call cudaDeviceSynchronize() before the program ends"};
  }
  return {fmt::format("The process ended before this kernel had finished, so the kernel was not checked: {}.",
                      interruption_text(unfinished)),
          "wait for the kernel before the process ends, for example with cudaDeviceSynchronize()"};
}

Sentences sentences_of(const record::HostFunctionsAsleep& asleep) {
  const bool one = asleep.functions == 1;
  return {
      fmt::format("{} and {} not returned. Each thread of the process sleeps without a time limit until another one "
                  "wakes it, and no kernel or copy runs.",
                  one ? "The host function has started" : "The host functions have started", one ? "has" : "have"),
      "let no host function wait for a thread that waits for the stream, or for work that comes after it; signal it "
      "before the synchronisation, or do its part in the host thread"};
}

Sentences sentences_of(const record::SparseIndexOutside& outside) {
  const std::string allowed = outside.most < outside.least
                                  ? "none is allowed there"
                                  : fmt::format("{} to {} are allowed there", outside.least, outside.most);
  return {fmt::format("Element {} of the array is a {} that is outside of the matrix: it is {}, and {}. The call does "
                      "nothing; on a device it may read or write other memory.",
                      outside.position, outside.what, outside.index, allowed),
          fmt::format("check the arrays and the index base of the matrix that {} gets", outside.call)};
}

Sentences sentences_of(const record::DeviceFailed& failed) {
  return {fmt::format("The kernel does not run: its device failed earlier with {}, and stays in this state until it is "
                      "reset.",
                      error_name(failed.error)),
          ""};
}

Sentences sentences_of(const StatedDiagnosis& stated) {
  const std::string reason = reason_text(stated.reason);
  switch (stated.by) {
    case StatedDiagnosis::By::refused_launch:
      return {
          fmt::format("The launch fails with {}, and the kernel does not run: {}.", error_name(stated.error), reason),
          fix_of_launch(stated.error)};
    case StatedDiagnosis::By::refused_call: return sentences_of_refused_call(stated, reason);
    case StatedDiagnosis::By::free:
      return {fmt::format("Nothing is freed: {}.", reason),
              "free each allocation once, with the address that the allocation returned"};
    case StatedDiagnosis::By::copy: return {fmt::format("Nothing is copied: {}.", reason), reason_text(stated.fix)};
    case StatedDiagnosis::By::fill: break;
  }
  return {fmt::format("Nothing is set: {}.", reason), reason_text(stated.fix)};
}

}  // namespace warpfiber::report
