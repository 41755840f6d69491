import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

extension_source = """
torch::Tensor linear(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double scale,
                     int64_t rows) {
    const int64_t in = x.numel() / rows, out = weight.size(1);
    auto y = torch::empty({rows * out}, x.options());
    const float* xp = x.data_ptr<float>();
    const float* wp = weight.data_ptr<float>();
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < out; ++j) {
            double sum = bias.data_ptr<float>()[j];
            for (int64_t k = 0; k < in; ++k) {
                sum += double(xp[i * in + k]) * wp[k * weight.stride(0) + j * weight.stride(1)];
            }
            y.data_ptr<float>()[i * out + j] = float(sum * scale > 0 ? sum * scale : 0);
        }
    }
    return y;
}
"""

extension = load_inline(name="linear_relu_flat", cpp_sources=extension_source, functions="linear", verbose=False)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, scale):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.scale = scale

    def forward(self, x):
        x = x.contiguous()
        y = extension.linear(x.view(-1), self.linear.weight.t(), self.linear.bias, self.scale, x.size(0))
        return y.view(x.size(0), -1)
