// SPDX-License-Identifier: Apache-2.0
// Memory of the host that devices can reach (cudaMallocHost): only with this memory copies of a stream continue after
// the call. The same source for the simulator and for a GPU.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace warpfiber {

namespace detail {
/// Throws std::bad_alloc; null for 0 bytes.
void* allocate_pinned(std::size_t bytes);
void free_pinned(void* memory) noexcept;
}  // namespace detail

/// `size()` elements of pinned memory. Fresh memory holds anything. The host may use it while no stream does; kernels
/// can get `data()`. Its end waits for all streams, as cudaFreeHost does.
template <class T>
class PinnedBuffer {
  static_assert(std::is_trivially_copyable_v<T>, "device memory holds trivially copyable types");

 public:
  /// Throws std::bad_alloc where there is no memory.
  explicit PinnedBuffer(std::size_t size) : data_(static_cast<T*>(detail::allocate_pinned(bytes(size)))), size_(size) {}
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    if (this == &other) return *this;
    detail::free_pinned(data_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  ~PinnedBuffer() { detail::free_pinned(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  static std::size_t bytes(std::size_t size) {
    if (size > ~std::size_t{0} / sizeof(T)) throw std::bad_alloc();
    return size * sizeof(T);
  }

  T* data_;
  std::size_t size_;
};

}  // namespace warpfiber
