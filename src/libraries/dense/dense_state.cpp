// SPDX-License-Identifier: Apache-2.0
//
// The one object of the process, which constant initialisation makes.
#include "dense/dense_state.hpp"

#include <type_traits>

namespace warpfiber::dense {

static_assert(std::is_trivially_destructible_v<DenseState>,
              "work of streams outlives the static objects of the program");

constinit DenseState DenseState::the_process_;

}  // namespace warpfiber::dense
