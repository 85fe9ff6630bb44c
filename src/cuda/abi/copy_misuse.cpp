// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies that cannot be right.
#include <warpfiber/intrinsics/async_copy.hpp>

#include "abi/misuse.hpp"
#include "record/diagnosis.hpp"

namespace warpfiber::detail {

namespace {

record::CopyMisused::Kind kind_of(CopyMisuse what) {
  using Kind = record::CopyMisused::Kind;
  switch (what) {
    case CopyMisuse::misaligned_to: return Kind::misaligned_destination;
    case CopyMisuse::misaligned_from: return Kind::misaligned_source;
    case CopyMisuse::ragged_size: return Kind::size_not_multiple;
    case CopyMisuse::bad_size: return Kind::size_not_supported;
    case CopyMisuse::too_many_zeroes: return Kind::too_many_zeroes;
    case CopyMisuse::not_to_shared: return Kind::not_to_shared;
  }
  __builtin_unreachable();
}

/// Whether `given` is an address.
bool is_about_address(CopyMisuse what) {
  return what == CopyMisuse::misaligned_to || what == CopyMisuse::misaligned_from || what == CopyMisuse::not_to_shared;
}

}  // namespace

void copy_misuse(CopyMisuse what, const char* call, std::uint64_t given, std::uint64_t wanted, Site site) {
  const void* at = is_about_address(what) ? reinterpret_cast<const void*>(given) : nullptr;
  abi::report_misuse(record::CopyMisused{kind_of(what), given, wanted}, call, at, site);
}

}  // namespace warpfiber::detail
