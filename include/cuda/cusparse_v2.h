// SPDX-License-Identifier: Apache-2.0
// An older name of cusparse.h. C and C++.
#pragma once

#define CUSPARSE_V2_H_

#include <cusparse.h>
