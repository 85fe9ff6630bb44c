// SPDX-License-Identifier: Apache-2.0
// What CUDA's libraries use, as the environment says (session.cpp).
#pragma once

namespace warpfiber::process {

/// Which operations of cuBLAS a library of BLAS computes, where there is one.
enum class BlasUse {
  unset,  // as the environment says
  off,
  large,
  always,
};

struct LibrarySettings {
  BlasUse blas = BlasUse::large;
};

const LibrarySettings& library_settings();

}  // namespace warpfiber::process
