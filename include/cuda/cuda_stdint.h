// SPDX-License-Identifier: Apache-2.0
// Integer types of known size.
#pragma once

#include <stdint.h>
