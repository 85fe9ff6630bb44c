// SPDX-License-Identifier: Apache-2.0
//
// Sentences about accesses that are outside of objects, or to memory that a device cannot reach.
#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/text.hpp"
#include "record/diagnosis.hpp"
#include "record/type_layout.hpp"
#include "report/explain/explain.hpp"
#include "report/short_name.hpp"

namespace warpfiber::report {
namespace {

using record::OutsideAccess;

constexpr const char* kCheckIndex = "check the index against the extent before the access";
constexpr const char* kCheckEach = "check each index against its extent before the access";
constexpr const char* kNotNegative = "check that the index is not negative before the access";

std::string one_or(std::uint64_t number) {
  return number == 1 ? "one" : std::to_string(number);
}

/// Of the element that an offset in bytes is in, which may be before the first.
std::int64_t index_of(std::int64_t offset, std::int64_t element) {
  return offset < 0 ? -((-offset + element - 1) / element) : offset / element;
}

/// "one past its end", "12 before its beginning".
std::string distance(std::int64_t index, std::int64_t count) {
  const std::int64_t away = index < 0 ? -index : index - count + 1;
  return one_or(static_cast<std::uint64_t>(away)) + (index < 0 ? " before its beginning" : " past its end");
}

/// A number below zero that an unsigned index of 32 bits has made large.
std::string as_signed(std::int64_t index) {
  constexpr std::int64_t kTwoTo32 = std::int64_t{1} << 32;
  constexpr std::int64_t kSmall = 1 << 20;
  if (index >= kTwoTo32 || index < kTwoTo32 - kSmall) return {};
  return fmt::format(" ({} as an unsigned number of 32 bits)", index - kTwoTo32);
}

/// A number far below zero is often one that was too large for an int.
std::string as_overflowed(std::int64_t index) {
  constexpr std::int64_t kTwoTo32 = std::int64_t{1} << 32;
  constexpr std::int64_t kLowest = -(kTwoTo32 / 2);
  if (index < kLowest || index >= kLowest / 2) return {};
  return fmt::format(", what {} becomes in an int", index + kTwoTo32);
}

/// Compilers may widen a sum or product of ints that no int can hold, and devices do not: what it is there.
std::string as_widened(std::int64_t index) {
  constexpr std::int64_t kTwoTo32 = std::int64_t{1} << 32;
  if (index < kTwoTo32 / 2 || index >= kTwoTo32 || !as_signed(index).empty()) return {};
  return fmt::format(" ({} where it is computed with ints, which cannot hold it)", index - kTwoTo32);
}

/// The bytes of an element: as declared, else of the access. Nothing where there are no whole ones.
std::optional<std::int64_t> element_bytes(const OutsideAccess& access) {
  if (access.element != 0) {
    const bool is_whole = access.extent % access.element == 0;
    return is_whole ? std::optional(static_cast<std::int64_t>(access.element)) : std::nullopt;
  }
  std::uint64_t bytes = access.size;
  if (!access.type.empty()) {
    const std::vector<std::uint64_t> dimensions = record::dimensions_of(access.type);
    if (dimensions.size() != 1) return std::nullopt;
    bytes = access.extent / dimensions.front();
  }
  if (bytes == 0 || access.extent % bytes != 0 || access.offset % static_cast<std::int64_t>(bytes) != 0)
    return std::nullopt;
  return static_cast<std::int64_t>(bytes);
}

Sentences of_dynamic(const OutsideAccess& access) {
  const std::int64_t used = access.highest + access.size;
  return {fmt::format("The launch gave {} of dynamic shared memory, and the kernel uses it up to byte {}.",
                      access.extent == 0 ? "0 bytes" : base::bytes_text(access.extent), used),
          fmt::format("launch with at least {} bytes of dynamic shared memory: <<<grid, block, {}>>>", used, used)};
}

Sentences of_bytes(const OutsideAccess& access, const std::string& object) {
  const auto extent = static_cast<std::int64_t>(access.extent);
  const std::int64_t first = access.offset;
  const std::string place =
      first < 0 ? base::counted(static_cast<std::uint64_t>(-first), "byte") + " before its beginning"
                : base::counted(static_cast<std::uint64_t>(first - extent + access.size), "byte") + " past its end";
  return {fmt::format("{} has {}; the access is {}{}.", object, base::counted(access.extent, "byte"),
                      first < 0 ? "" : "up to ", place),
          kCheckEach};
}

/// Of an array of arrays: "m has 4 x 5 elements; [4][0] is one past its end".
Sentences of_dimensions(const OutsideAccess& access, const std::string& object,
                        const std::vector<std::uint64_t>& dimensions) {
  std::uint64_t count = 1;
  for (const std::uint64_t dimension : dimensions) count *= dimension;
  const auto element = static_cast<std::int64_t>(access.extent / count);
  if (element == 0 || access.extent % count != 0) return of_bytes(access, object);
  const std::int64_t first = access.offset;
  const std::int64_t index = index_of(first, element);
  return {fmt::format("{} has {} elements; {} is {}.", object, fmt::join(dimensions, " x "),
                      record::element_at(static_cast<std::uint64_t>(first), access.extent, access.type),
                      distance(index, static_cast<std::int64_t>(count))),
          kCheckEach};
}

Sentences of_elements(const OutsideAccess& access, const std::string& object, std::int64_t element) {
  const std::int64_t count = static_cast<std::int64_t>(access.extent) / element;
  const std::int64_t index = index_of(access.offset, element);
  const std::int64_t highest = index_of(access.highest, element);
  const std::string type =
      access.name.empty() ? " of " + base::counted(static_cast<std::uint64_t>(element), "byte") : "";
  const std::string range = highest > index ? fmt::format(", and indices go up to {}", highest) : "";
  const std::string overflowed = as_overflowed(index);
  const std::string widened = as_widened(index);
  const std::string away = distance(index, count);
  return {fmt::format("{} has {}{}; index {}{} is {}{}.", object,
                      base::counted(static_cast<std::uint64_t>(count), "element"), type, index,
                      as_signed(index) + widened, overflowed.empty() ? away : away + overflowed, range),
          !overflowed.empty() || !widened.empty() ? "compute the index in 64 bits, as with (size_t)row * pitch"
          : index < 0 || !as_signed(index).empty()
              ? kNotNegative
              : fmt::format("check that the index is less than {} before the access", count)};
}

/// What is at an address that cannot be accessed, as the end of a sentence.
std::string belonging(const record::NearAddress& near) {
  if (near.is_null) return "null, or a small offset from null";
  if (near.allocation == 0) return "not near any allocation";
  const std::string allocation =
      fmt::format("an allocation of {} at 0x{:x}", base::bytes_text(near.allocation_bytes), near.allocation);
  if (near.offset < 0)
    return fmt::format("{} before {}", base::counted(static_cast<std::uint64_t>(-near.offset), "byte"), allocation);
  const auto offset = static_cast<std::uint64_t>(near.offset);
  if (offset < near.allocation_bytes) return "in " + allocation;
  return fmt::format("{} past the end of {}", base::counted(offset - near.allocation_bytes + 1, "byte"), allocation);
}

}  // namespace

Sentences sentences_of(const OutsideAccess& access) {
  if (access.dynamic_shared && access.offset >= 0) return of_dynamic(access);
  if (access.extent == 0) {
    return {
        access.global ? "No allocation is at or near this address." : "The block has no shared memory at this address.",
        kCheckIndex};
  }
  const std::string object = access.name.empty() ? "The allocation" : access.name;
  const std::vector<std::uint64_t> dimensions = record::dimensions_of(access.type);
  if (dimensions.size() > 1) return of_dimensions(access, object, dimensions);
  const auto element = element_bytes(access);
  return element.has_value() ? of_elements(access, object, *element) : of_bytes(access, object);
}

Sentences sentences_of(const record::OutsideIndex& index) {
  const std::string number = index.has_sign ? std::to_string(index.index) : std::to_string(index.as_passed);
  const std::string array = index.name.empty() ? index.array : fmt::format("{} ({})", index.name, index.array);
  const std::string outside = fmt::format("The index {} is outside {}", number, array);
  if (index.index < 0 && !index.has_sign)
    return {fmt::format("{}; it is {} converted to unsigned.", outside, index.index), kNotNegative};
  if (index.index < 0) return {outside + ", before its first element.", kNotNegative};
  const std::uint64_t away = static_cast<std::uint64_t>(index.index) - index.elements + 1;
  return {fmt::format("{}, {} past its end.", outside, one_or(away)),
          fmt::format("check that the index is below {} before the access, or declare the array with more elements",
                      index.elements)};
}

Sentences sentences_of(const record::UnorderedLaunches& launches) {
  const std::string& first = launches.first;
  const bool differ = first != launches.second && !first.empty() && !launches.second.empty();
  const std::string both = differ          ? fmt::format("The launches of {} and {}", first, launches.second)
                           : first.empty() ? "Two launches"
                                           : "Two launches of " + first;
  const std::string launch = differ ? "the launch of " + first : "the first launch";
  if (launches.overlap) {
    return {both +
                " overlap: cudaLaunchAttributeProgrammaticStreamSerialization lets the second begin before the first "
                "has ended, and nothing orders the accesses.",
            "cudaGridDependencySynchronize() in the second kernel before the access; "
            "cudaTriggerProgrammaticLaunchCompletion() orders nothing"};
  }
  if (launches.waits_in_vain) {
    return {both +
                " are in different streams, and nothing orders them: the event that the second stream waits for had "
                "not been recorded by then, so the wait returns at once.",
            fmt::format("cudaEventRecord() after {} and before the cudaStreamWaitEvent()", launch)};
  }
  return {both + " are in different streams, and nothing orders them.",
          fmt::format("cudaEventRecord() after {} and cudaStreamWaitEvent() before {}, or launch both in one stream",
                      launch, differ ? "that of " + launches.second : "the second")};
}

namespace {

/// "x = 4 (bytes), y = 16": as many as the surface has dimensions.
std::string coordinates(const record::SurfaceMisused& misuse) {
  std::string text = fmt::format("x = {} (bytes)", misuse.x);
  if (misuse.rows > 1 || misuse.y != 0) text += fmt::format(", y = {}", misuse.y);
  if (misuse.slices > 1 || misuse.z != 0) text += fmt::format(", z = {}", misuse.z);
  return text;
}

std::string surface_extent(const record::SurfaceMisused& misuse) {
  std::string text = base::counted(misuse.width, "byte");
  if (misuse.rows > 1 || misuse.slices > 1) text += " by " + base::counted(misuse.rows, "row");
  if (misuse.slices > 1) text += " by " + base::counted(misuse.slices, "slice");
  return text;
}

}  // namespace

Sentences sentences_of(const record::SurfaceMisused& misuse) {
  if (!misuse.outside) {
    return {fmt::format("x of a surface counts bytes: {} is not a multiple of {}, the size of what is {}.", misuse.x,
                        misuse.bytes, misuse.writes ? "written" : "read"),
            fmt::format("multiply the index of the element by {}: x * {}", misuse.bytes, misuse.bytes),
            {}};
  }
  return {fmt::format("{} is outside the surface of {}. The boundary mode cudaBoundaryModeTrap ends the kernel there.",
                      coordinates(misuse), surface_extent(misuse)),
          "check the coordinates before the access, or pass cudaBoundaryModeZero or cudaBoundaryModeClamp",
          {}};
}

Sentences sentences_of(const record::HostVariable& variable) {
  return {variable.name + " is a variable of the host, which a device cannot reach.",
          "pass its value as a parameter of the kernel, or declare it __device__ or __managed__",
          std::string(kInvalidAccess)};
}

Sentences sentences_of(const record::AddressInaccessible& address) {
  return {fmt::format("The address cannot be accessed. It is {}.", belonging(address.near)),
          "check the index against the extent, and the pointer against null, before the access",
          std::string(kInvalidAccess)};
}

Sentences sentences_of(const record::CalledAddress& address) {
  return {fmt::format("There is no function at the called address, which is {}.", belonging(address.near)),
          "set the function pointer before the call; take the address of a device function in device code"};
}

Sentences sentences_of(const record::UnknownInstruction& instruction) {
  return {fmt::format("The PTX instruction is not modelled: \"{}\". A device executes it; here the launch ends.",
                      instruction.text),
          "do without it, or build for another architecture (-arch), for which libraries often do; docs/ptx.md lists "
          "what is "
          "modelled"};
}

Sentences sentences_of(const record::FreedAllocation& freed) {
  return {fmt::format("The memory was freed before this access. The address was byte {} of an allocation of {}.",
                      freed.offset, base::bytes_text(freed.bytes)),
          "free it after the last kernel that uses it has ended", std::string(kInvalidAccess)};
}

Sentences sentences_of(const record::EndedLocal& local) {
  std::string function = short_name(local.function);
  const std::string kernel = short_name(local.kernel);
  if (function == "operator()" || function == kernel + "::{lambda}") function = kernel;
  std::string what = function.empty() ? "a local variable" : "a local variable of " + function;
  if (function != kernel && !kernel.empty()) what += " in kernel " + kernel;
  return {
      fmt::format("The address is that of {}. Its thread has ended, and with it the variable. On the device the same "
                  "address is in the reader's own local memory, and holds whatever lies there.",
                  what),
      "put what outlives its thread into global memory, or pass its value"};
}

Sentences sentences_of(const record::StackOverflowed& overflow) {
  return {fmt::format("The thread overflowed its stack of {}.", base::bytes_text(overflow.stack)),
          "use a stack twice as large (WARPFIBER_STACK, LaunchConfig::stack_bytes), smaller local arrays or less "
          "recursion"};
}

}  // namespace warpfiber::report
