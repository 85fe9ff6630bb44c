// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The square of a number, by a kernel of a file that knows nothing of MPI.
int of_other_file(int number);
