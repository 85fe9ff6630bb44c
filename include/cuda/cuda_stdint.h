// SPDX-License-Identifier: Apache-2.0
// Integer types of known size.
#pragma once

#define __cuda_stdint_h__

#include <stdint.h>
