// SPDX-License-Identifier: Apache-2.0
// The C++ interface to NVIDIA's marks and ranges: everything is accepted and nothing is done.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <nvtx3/nvToolsExt.h>

#define NVTX3_CPP_VERSION_MAJOR 1
#define NVTX3_CPP_VERSION_MINOR 0
#define NVTX3_CPP_DEFINITIONS_V1_0

#define NVTX3_FUNC_RANGE() static_cast<void>(0)
#define NVTX3_FUNC_RANGE_IN(domain) static_cast<void>(0)
#define NVTX3_FUNC_RANGE_IF(condition) static_cast<void>(condition)
#define NVTX3_FUNC_RANGE_IF_IN(domain, condition) static_cast<void>(condition)
#define NVTX3_V1_FUNC_RANGE NVTX3_FUNC_RANGE
#define NVTX3_V1_FUNC_RANGE_IN NVTX3_FUNC_RANGE_IN
#define NVTX3_V1_FUNC_RANGE_IF NVTX3_FUNC_RANGE_IF
#define NVTX3_V1_FUNC_RANGE_IF_IN NVTX3_FUNC_RANGE_IF_IN

namespace nvtx3 {
inline namespace v1 {

struct domain {
  struct global {};
};

struct rgb {
  template <class... Arguments>
  constexpr explicit rgb(Arguments...) noexcept {}
};
struct argb {
  template <class... Arguments>
  constexpr explicit argb(Arguments...) noexcept {}
};
struct color {
  template <class Argument>
  constexpr explicit color(Argument) noexcept {}
};
struct category {
  constexpr explicit category(uint32_t) noexcept {}
};
template <class Domain = domain::global>
struct named_category_in {
  template <class... Arguments>
  constexpr explicit named_category_in(Arguments...) noexcept {}
};
using named_category = named_category_in<>;
template <class Domain = domain::global>
struct registered_string_in {
  template <class Argument>
  constexpr explicit registered_string_in(const Argument&) noexcept {}
};
using registered_string = registered_string_in<>;
struct payload {
  template <class Argument>
  constexpr explicit payload(Argument) noexcept {}
};
struct message {
  template <class Argument>
  constexpr message(const Argument&) noexcept {}
};
struct event_attributes {
  template <class... Arguments>
  constexpr explicit event_attributes(const Arguments&...) noexcept {}
};

template <class Domain = domain::global>
struct scoped_range_in {
  template <class... Arguments>
  explicit scoped_range_in(const Arguments&...) noexcept {}
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
  ~scoped_range_in() {}
};
using scoped_range = scoped_range_in<>;

template <class Domain = domain::global>
struct unique_range_in {
  template <class... Arguments>
  explicit unique_range_in(const Arguments&...) noexcept {}
  unique_range_in(unique_range_in&&) noexcept {}
  ~unique_range_in() {}
};
using unique_range = unique_range_in<>;

struct range_handle {
  constexpr explicit range_handle(nvtxRangeId_t = 0) noexcept {}
};

template <class Domain = domain::global, class... Arguments>
void mark_in(const Arguments&...) noexcept {}
template <class... Arguments>
void mark(const Arguments&...) noexcept {}
template <class Domain = domain::global, class... Arguments>
range_handle start_range_in(const Arguments&...) noexcept {
  return range_handle{};
}
template <class... Arguments>
range_handle start_range(const Arguments&...) noexcept {
  return range_handle{};
}
template <class Domain = domain::global>
void end_range_in(range_handle) noexcept {}
inline void end_range(range_handle) noexcept {}

}  // namespace v1
}  // namespace nvtx3
