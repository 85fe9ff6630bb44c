// SPDX-License-Identifier: Apache-2.0
// Streams by name, as launches and copies take them, and how a stream is made. The same on the simulator and under
// nvcc. Includes nothing.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

/// A stream of CUDA's, what cudaStream_t points to.
struct CUstream_st;
/// An event of CUDA's, what cudaEvent_t points to.
struct CUevent_st;

namespace warpfiber {

/// How a stream is made: CUDA's own by default.
struct StreamConfig {
  bool non_blocking = false;  // keeps no order with the default stream (cudaStreamNonBlocking)
  int priority = 0;           // the smaller, the sooner: 0 to -5 on an H200; others are moved to the nearest of these
};

/// The stream that a launch or a copy is for. Given none, it is the default stream, and the caller waits.
class StreamRef {
 public:
  constexpr StreamRef() = default;
  /// A stream of CUDA's. Null is not a stream: its use is refused.
  constexpr explicit StreamRef(CUstream_st* handle) : handle_(handle), given_(true) {}

  constexpr bool is_given() const { return given_; }
  constexpr CUstream_st* handle() const { return handle_; }

 private:
  CUstream_st* handle_ = nullptr;
  bool given_ = false;
};

}  // namespace warpfiber
