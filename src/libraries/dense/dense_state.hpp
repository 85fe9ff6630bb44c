// SPDX-License-Identifier: Apache-2.0
// What the room keeps for the process, as members of one object. Invariant: nothing here is destroyed, because work of
// streams may outlive the static objects of the program.
#pragma once

#include <atomic>

#include "base/locks/annotated_mutex.hpp"
#include "base/process/service.hpp"
#include "process/settings/libraries.hpp"

namespace warpfiber::dense {

struct BlasLibrary;

using process::BlasUse;

struct DenseState {
  static DenseState& of_process();

  std::atomic<BlasUse> blas_use{BlasUse::unset};
  base::Service<BlasLibrary> blas;
  base::Mutex in_blas;  // guards a library that serves one caller at a time

 private:
  static DenseState the_process_;
};

inline DenseState& DenseState::of_process() {
  return the_process_;
}

}  // namespace warpfiber::dense
