# SPDX-License-Identifier: Apache-2.0
# Builds the extension and calls it with a tensor of the GPU.
import torch
from torch.utils.cpp_extension import load

blur = load(name="torch_blur", sources=["torch_blur.cu"])
row = torch.arange(1000, dtype=torch.float32, device="cuda")
print("the last is", blur.blur(row)[-1].item())
