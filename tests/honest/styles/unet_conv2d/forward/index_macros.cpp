#include <torch/extension.h>

// Macros for indices and loops. The image is padded first, so that no bound is asked for.

#define LOOP(i, n) for (int i = 0; i < (n); i++)
#define AT3(p, a, b, c, B, C) p[((a) * (B) + (b)) * (C) + (c)]
#define AT4(p, a, b, c, d, B, C, D) p[(((a) * (B) + (b)) * (C) + (c)) * (D) + (d)]

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases, int64_t stride,
                      int64_t padding) {
  const int N = x.size(0), C = x.size(1), H = x.size(2), W = x.size(3);
  const int O = weights.size(0), KH = weights.size(2), KW = weights.size(3);
  const int S = stride, P = padding, PH = H + 2 * P, PW = W + 2 * P;
  const int YH = (PH - KH) / S + 1, YW = (PW - KW) / S + 1;
  torch::Tensor padded = torch::zeros({C, PH, PW}, x.options());
  torch::Tensor y = torch::empty({N, O, YH, YW}, x.options());
  const float* from = x.data_ptr<float>();
  const float* k = weights.data_ptr<float>();
  const float* bias = biases.data_ptr<float>();
  float* pad = padded.data_ptr<float>();
  float* to = y.data_ptr<float>();
  LOOP(n, N) {
    LOOP(c, C) LOOP(h, H) LOOP(w, W) {
      AT3(pad, c, h + P, w + P, PH, PW) = AT4(from, n, c, h, w, C, H, W);
    }
    LOOP(o, O) LOOP(h, YH) LOOP(w, YW) {
      float acc = 0;
      LOOP(c, C) LOOP(i, KH) LOOP(j, KW) {
        acc += AT4(k, o, c, i, j, C, KH, KW) * AT3(pad, c, h * S + i, w * S + j, PH, PW);
      }
      AT4(to, n, o, h, w, O, YH, YW) = acc + bias[o];
    }
  }
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
