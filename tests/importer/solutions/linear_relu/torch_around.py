import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

extension_source = """
torch::Tensor linear(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double scale) {
    const int64_t rows = x.size(0), in = x.size(1), out = weight.size(0);
    auto y = torch::empty({rows, out}, x.options());
    const float* xp = x.data_ptr<float>();
    const float* wp = weight.data_ptr<float>();
    const float* bp = bias.data_ptr<float>();
    float* yp = y.data_ptr<float>();
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < out; ++j) {
            double sum = bp[j];
            for (int64_t k = 0; k < in; ++k) sum += double(xp[i * in + k]) * wp[j * in + k];
            yp[i * out + j] = float(sum * scale);
        }
    }
    return y;
}
"""

extension = load_inline(name="scaled_linear_alone", cpp_sources=extension_source, functions=["linear"], verbose=False)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, scale):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.scale = scale

    def forward(self, x):
        weight = self.linear.weight + 0.0
        weight = weight.view(self.linear.weight.shape)
        return torch.relu(extension.linear(x, weight, self.linear.bias, self.scale))
