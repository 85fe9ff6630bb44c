// SPDX-License-Identifier: Apache-2.0
// What CUDA's driver interface calls errors: CUDA_ERROR_INVALID_VALUE. Any thread may call.
#pragma once

#include <warpfiber/error.hpp>

#include <string_view>

namespace warpfiber::report {

/// Null where the driver has no such error.
const char* driver_error_name(Error error);

/// What `function` calls the error that it returns: the driver's name where the function is the driver's.
const char* name_of_returned(std::string_view function, Error error);

}  // namespace warpfiber::report
