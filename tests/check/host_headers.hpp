// SPDX-License-Identifier: Apache-2.0
// A header without CUDA's words.
#pragma once

#include <algorithm>
#include <vector>

template <class T>
bool are_equal(const T& left, const T& right) {
  return left == right;
}

/// A vector whose elements lie anywhere.
template <class T>
class View {
 public:
  View(T* begin, int size) : begin_(begin), size_(size) {}
  T sum() const {
    T sum = 0;
    for (int i = 0; i < size_; ++i) sum += begin_[i];
    return sum;
  }

 private:
  T* begin_;
  int size_;
};

inline void clear(double* to) {
  *to = 0;
}
