// SPDX-License-Identifier: Apache-2.0
// Where the places of static shared variables are defined. Regions do without: they refer to those of the file's other
// compilation.
#pragma once

#include <warpfiber/detail/shared_variable.hpp>

namespace warpfiber::detail {

template <class T, class Tag>
WARPFIBER_NEEDED_BY_REGIONS const SharedVariable SharedSlot<T, Tag>::variable = register_shared(kBytes, alignof(T),
                                                                                                description(), tag(),
                                                                                                declaration());

}  // namespace warpfiber::detail
