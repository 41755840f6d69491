#include "arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/case.hpp"
#include "tensor/reference.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/im2col.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/zeros.h>

namespace robust_kbench {
namespace {

using Rounding = std::function<at::Tensor(const at::Tensor&)>;

at::Tensor through(const at::Tensor& tensor, at::ScalarType dtype) {
  return tensor.to(dtype).to(at::kFloat);
}

// To ten bits behind the binary point, to the nearest even.
at::Tensor to_tf32(const at::Tensor& tensor) {
  const at::Tensor bits = tensor.contiguous().view(at::kInt);
  const at::Tensor odd = bits.bitwise_right_shift(13).bitwise_and(1);
  return bits.add(odd).add_(0xfff).bitwise_and(~std::int64_t{0x1fff}).view(at::kFloat);
}

std::vector<at::Tensor> parts_of(const at::Tensor& tensor, int count) {
  std::vector<at::Tensor> parts;
  at::Tensor rest = tensor;
  for (int i = 0; i < count; ++i) {
    parts.push_back(through(rest, at::kBFloat16));
    rest = rest.sub(parts.back());
  }
  return parts;
}

// The float64 reference of rounded inputs, of those alone that have `least_dim` dimensions.
Computed of_rounded(const Rounding& round, std::int64_t least_dim) {
  return [=](const Workload& workload, const Tensors& tensors) {
    Tensors rounded;
    for (const auto& [name, tensor] : tensors.all()) {
      const bool rounds =
          tensor.defined() && tensor.is_floating_point() && tensor.dim() >= least_dim;
      rounded.set(name, rounds ? round(tensor) : tensor);
    }
    std::vector<at::Tensor> results = reference(workload, rounded);
    for (at::Tensor& result : results) result = result.to(at::kFloat);
    return results;
  };
}

// Adds in float32, as a plain loop in parts of 4096 terms does.
class Sum {
 public:
  void add(float term) {
    m_part += term;
    if (++m_terms % 4096 == 0) m_all += std::exchange(m_part, 0.0F);
  }
  [[nodiscard]] float total() const { return m_all + m_part; }

 private:
  float m_all = 0;
  float m_part = 0;
  std::int64_t m_terms = 0;
};

// a (m, k) and b (n, k) give (m, n).
at::Tensor dot_products(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor left = a.contiguous();
  const at::Tensor right = b.contiguous();
  const std::int64_t k = a.size(1);
  at::Tensor result = at::empty({a.size(0), b.size(0)}, at::kFloat);
  auto* y = result.mutable_data_ptr<float>();
  for (std::int64_t i = 0; i < a.size(0); ++i) {
    for (std::int64_t j = 0; j < b.size(0); ++j) {
      const float* row = left.const_data_ptr<float>() + i * k;
      const float* column = right.const_data_ptr<float>() + j * k;
      Sum sum;
      for (std::int64_t l = 0; l < k; ++l) sum.add(row[l] * column[l]);
      *y++ = sum.total();
    }
  }
  return result;
}

at::Tensor sums_of_rows(const at::Tensor& rows, const std::function<float(float)>& term) {
  const at::Tensor matrix = rows.contiguous();
  at::Tensor result = at::empty({rows.size(0), 1}, at::kFloat);
  for (std::int64_t i = 0; i < rows.size(0); ++i) {
    const float* row = matrix.const_data_ptr<float>() + i * rows.size(1);
    Sum sum;
    for (std::int64_t j = 0; j < rows.size(1); ++j) sum.add(term(row[j]));
    result.mutable_data_ptr<float>()[i] = sum.total();
  }
  return result;
}

at::Tensor sums_of_rows(const at::Tensor& rows) {
  return sums_of_rows(rows, [](float x) { return x; });
}

at::Tensor as_rows(const at::Tensor& tensor, std::int64_t size) {
  return tensor.reshape({-1, size});
}

std::vector<at::Tensor> linear_forward(const Workload&, const Tensors& tensors) {
  const at::Tensor& x = tensors["x"];
  const at::Tensor& w = tensors["weights"];
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape.back() = w.size(0);
  return {dot_products(as_rows(x, w.size(1)), w).add_(tensors["biases"]).reshape(shape)};
}

std::vector<at::Tensor> linear_backward(const Workload&, const Tensors& tensors) {
  const at::Tensor& dy = tensors["grad_output"];
  return {dot_products(dy, tensors["weights"].t()), dot_products(dy.t(), tensors["x"].t()),
          sums_of_rows(dy.t()).flatten()};
}

std::vector<at::Tensor> convolution(const Workload& workload, const Tensors& tensors) {
  const at::Tensor& x = tensors["x"];
  const at::Tensor& w = tensors["weights"];
  const std::int64_t stride = workload.params.integer("stride");
  const std::int64_t padding = workload.params.integer("padding");
  const std::vector<std::int64_t> kernel{w.size(2), w.size(3)};
  const at::Tensor columns =
      at::im2col(x, kernel, {1, 1}, {padding, padding}, {stride, stride});  // (n, terms, places)
  const auto places = [&](std::int64_t size) {
    return (size + 2 * padding - w.size(2)) / stride + 1;
  };
  at::Tensor y =
      at::empty({x.size(0), w.size(0), places(x.size(2)), places(x.size(3))}, at::kFloat);
  for (std::int64_t n = 0; n < x.size(0); ++n) {
    const at::Tensor filters = as_rows(w, columns.size(1));
    y[n].copy_(dot_products(filters, columns[n].t()).view(y[n].sizes()));
  }
  return {y.add_(tensors["biases"].view({-1, 1, 1}))};
}

std::vector<at::Tensor> layer_norm(const Workload& workload, const Tensors& tensors) {
  const at::Tensor& x = tensors["x"];
  const at::Tensor rows = as_rows(x, x.numel() / x.size(0));
  const auto n = static_cast<float>(rows.size(1));
  const at::Tensor centred = rows.sub(sums_of_rows(rows).div_(n));
  const at::Tensor variance = sums_of_rows(centred, [](float d) { return d * d; }).div_(n);
  const at::Tensor normal = centred.mul(variance.add(workload.params.real("eps")).rsqrt());
  return {normal.view(x.sizes()).mul(tensors["weight"]).add(tensors["bias"])};
}

std::vector<at::Tensor> rms_norm(const Workload& workload, const Tensors& tensors) {
  const at::Tensor& x = tensors["x"];
  const at::Tensor rows = as_rows(x, x.size(-1));
  const at::Tensor mean_square =
      sums_of_rows(rows, [](float v) { return v * v; }).div_(static_cast<float>(rows.size(1)));
  const at::Tensor normal = rows.mul(mean_square.add(workload.params.real("eps")).rsqrt());
  return {normal.view(x.sizes()).mul(tensors["w"])};
}

std::vector<at::Tensor> cross_entropy(const Workload&, const Tensors& tensors) {
  const at::Tensor& x = tensors["predictions"];
  const at::Tensor shifted = x.sub(x.amax({1}, /*keepdim=*/true));
  const at::Tensor sums = sums_of_rows(shifted, [](float v) { return std::exp(v); });
  const at::Tensor losses = sums.log().sub(shifted.gather(1, tensors["targets"].unsqueeze(1)));
  return {sums_of_rows(losses.t()).div_(static_cast<float>(x.size(0))).reshape({})};
}

const std::map<std::string, Computed>& plain_loops() {
  static const std::map<std::string, Computed> loops{
      {"mnist_linear.forward", linear_forward}, {"mnist_linear.backward", linear_backward},
      {"unet_linear.forward", linear_forward},  {"unet_linear.backward", linear_backward},
      {"unet_conv2d.forward", convolution},     {"layernorm.forward", layer_norm},
      {"llama_rmsnorm.forward", rms_norm},      {"mnist_cross_entropy.forward", cross_entropy},
  };
  return loops;
}

}  // namespace

Arithmetic in_bfloat16() {
  return {"bfloat16", of_rounded([](const at::Tensor& t) { return through(t, at::kBFloat16); }, 0)};
}

Arithmetic in_float16() {
  return {"float16", of_rounded([](const at::Tensor& t) { return through(t, at::kHalf); }, 0)};
}

Arithmetic in_tf32() {
  return {"tf32", of_rounded(to_tf32, 0)};
}

Arithmetic in_two_parts() {
  const Rounding to_parts = [](const at::Tensor& tensor) {
    const std::vector<at::Tensor> parts = parts_of(tensor, 2);
    return parts[0].add(parts[1]);
  };
  return {"two_parts", of_rounded(to_parts, 2)};
}

Arithmetic in_three_parts() {
  const Computed products = [](const Workload&, const Tensors& tensors) {
    const std::vector<at::Tensor> x = parts_of(tensors["x"], 3);
    const std::vector<at::Tensor> w = parts_of(tensors["weights"], 3);
    at::Tensor y = at::linear(x[0], w[0]);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; i + j < 3; ++j) {
        if (i + j > 0) y = y.add(at::linear(x[i], w[j]));
      }
    }
    return std::vector<at::Tensor>{y.add(tensors["biases"])};
  };
  return {"three_parts", products};
}

Arithmetic in_plain_loops() {
  return {"plain_loops", [](const Workload& workload, const Tensors& tensors) {
            const Entry entry{workload.task.name, workload.direction};
            return plain_loops().at(entry.name())(workload, tensors);
          }};
}

bool has_plain_loop(const std::string& entry) {
  return plain_loops().contains(entry);
}

}  // namespace robust_kbench
