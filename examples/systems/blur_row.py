# SPDX-License-Identifier: Apache-2.0
# Calls the module that setup.py builds.
import blur

print("the last is", blur.blur([float(i) for i in range(1000)])[-1])
