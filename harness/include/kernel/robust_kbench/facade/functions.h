#pragma once

#include <robust_kbench/facade/operators.h>

// The free functions of at:: and torch:: that are no plain method call.
namespace rkb {

inline Tensor add(const Tensor& self, const Tensor& other, Scalar alpha) {
  return self.add(other, alpha);
}
inline Tensor sub(const Tensor& self, const Tensor& other, Scalar alpha) {
  return call("aten::sub", "Tensor", self, other, alpha);
}
inline Tensor pow(const Tensor& self, Scalar exponent) {
  return self.pow(exponent);
}
inline Tensor pow(const Tensor& self, const Tensor& exponent) {
  return self.pow(exponent);
}
inline Tensor clamp(const Tensor& self, const optional<Scalar>& min = nullopt,
                    const optional<Scalar>& max = nullopt) {
  return self.clamp(min, max);
}
inline Tensor clamp_min(const Tensor& self, Scalar min) {
  return self.clamp_min(min);
}
inline Tensor clamp_max(const Tensor& self, Scalar max) {
  return self.clamp_max(max);
}
inline Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other) {
  return call("aten::where", "self", condition, self, other);
}

// Activations.
inline Tensor silu(const Tensor& self) {
  return call("aten::silu", "", self);
}
inline Tensor gelu(const Tensor& self, const char* approximate = "none") {
  return call("aten::gelu", "", self, approximate);
}
inline Tensor softplus(const Tensor& self) {
  return call("aten::softplus", "", self);
}
inline Tensor leaky_relu(const Tensor& self, Scalar slope = 0.01) {
  return call("aten::leaky_relu", "", self, slope);
}
inline Tensor softmax(const Tensor& self, std::int64_t dimension,
                      optional<ScalarType> dtype = nullopt) {
  return self.softmax(dimension, dtype);
}
inline Tensor log_softmax(const Tensor& self, std::int64_t dimension,
                          optional<ScalarType> dtype = nullopt) {
  return self.log_softmax(dimension, dtype);
}
inline Tensor threshold_backward(const Tensor& grad, const Tensor& self, Scalar threshold) {
  return call("aten::threshold_backward", "", grad, self, threshold);
}

// Reductions.
inline Tensor amax(const Tensor& self, IntArrayRef dimensions = {}, bool keepdim = false) {
  return self.amax(dimensions, keepdim);
}
inline Tensor amin(const Tensor& self, IntArrayRef dimensions = {}, bool keepdim = false) {
  return self.amin(dimensions, keepdim);
}
inline Tensor argmax(const Tensor& self, optional<std::int64_t> dimension = nullopt,
                     bool keepdim = false) {
  return self.argmax(dimension, keepdim);
}
inline Tensor argmin(const Tensor& self, optional<std::int64_t> dimension = nullopt,
                     bool keepdim = false) {
  return self.argmin(dimension, keepdim);
}
inline Tensor var(const Tensor& self, IntArrayRef dimensions, bool unbiased = true,
                  bool keepdim = false) {
  return self.var(dimensions, unbiased, keepdim);
}
inline Tensor cumsum(const Tensor& self, std::int64_t dimension) {
  return self.cumsum(dimension);
}
inline Tensor logsumexp(const Tensor& self, IntArrayRef dimensions, bool keepdim = false) {
  return self.logsumexp(dimensions, keepdim);
}

// Linear algebra.
inline Tensor linear(const Tensor& input, const Tensor& weight,
                     const optional<Tensor>& bias = nullopt) {
  return call("aten::linear", "", input, weight, bias);
}
inline Tensor addmm(const Tensor& self, const Tensor& a, const Tensor& b, Scalar beta = 1,
                    Scalar alpha = 1) {
  return self.addmm(a, b, beta, alpha);
}
inline const Tensor& mm_out(const Tensor& out, const Tensor& a, const Tensor& b) {
  call("aten::mm", "out", a, b, out);
  return out;
}
inline const Tensor& bmm_out(const Tensor& out, const Tensor& a, const Tensor& b) {
  call("aten::bmm", "out", a, b, out);
  return out;
}
inline const Tensor& matmul_out(const Tensor& out, const Tensor& a, const Tensor& b) {
  call("aten::matmul", "out", a, b, out);
  return out;
}

// Convolution and pooling.
inline Tensor conv1d(const Tensor& input, const Tensor& weight,
                     const optional<Tensor>& bias = nullopt, IntArrayRef stride = 1,
                     IntArrayRef padding = 0, IntArrayRef dilation = 1, std::int64_t groups = 1) {
  return call("aten::conv1d", "", input, weight, bias, stride, padding, dilation, groups);
}
inline Tensor conv2d(const Tensor& input, const Tensor& weight,
                     const optional<Tensor>& bias = nullopt, IntArrayRef stride = 1,
                     IntArrayRef padding = 0, IntArrayRef dilation = 1, std::int64_t groups = 1) {
  return call("aten::conv2d", "", input, weight, bias, stride, padding, dilation, groups);
}
inline Tensor conv3d(const Tensor& input, const Tensor& weight,
                     const optional<Tensor>& bias = nullopt, IntArrayRef stride = 1,
                     IntArrayRef padding = 0, IntArrayRef dilation = 1, std::int64_t groups = 1) {
  return call("aten::conv3d", "", input, weight, bias, stride, padding, dilation, groups);
}
inline Tensor conv_transpose2d(const Tensor& input, const Tensor& weight,
                               const optional<Tensor>& bias = nullopt, IntArrayRef stride = 1,
                               IntArrayRef padding = 0, IntArrayRef output_padding = 0,
                               std::int64_t groups = 1, IntArrayRef dilation = 1) {
  return call("aten::conv_transpose2d", "input", input, weight, bias, stride, padding,
              output_padding, groups, dilation);
}
inline Tensor max_pool2d(const Tensor& self, IntArrayRef kernel, IntArrayRef stride = {},
                         IntArrayRef padding = 0, IntArrayRef dilation = 1,
                         bool ceil_mode = false) {
  return call("aten::max_pool2d", "", self, kernel, stride, padding, dilation, ceil_mode);
}
inline Tensor avg_pool2d(const Tensor& self, IntArrayRef kernel, IntArrayRef stride = {},
                         IntArrayRef padding = 0, bool ceil_mode = false,
                         bool count_include_pad = true) {
  return call("aten::avg_pool2d", "", self, kernel, stride, padding, ceil_mode, count_include_pad);
}
inline Tensor adaptive_avg_pool2d(const Tensor& self, IntArrayRef size) {
  return call("aten::adaptive_avg_pool2d", "", self, size);
}

// Normalisation and loss.
inline Tensor batch_norm(const Tensor& input, const optional<Tensor>& weight,
                         const optional<Tensor>& bias, const optional<Tensor>& running_mean,
                         const optional<Tensor>& running_var, bool training, double momentum,
                         double eps, bool cudnn_enabled) {
  return call("aten::batch_norm", "", input, weight, bias, running_mean, running_var, training,
              momentum, eps, cudnn_enabled);
}
inline Tensor layer_norm(const Tensor& input, IntArrayRef shape,
                         const optional<Tensor>& weight = nullopt,
                         const optional<Tensor>& bias = nullopt, double eps = 1e-5) {
  return call("aten::layer_norm", "", input, shape, weight, bias, eps);
}
inline Tensor cross_entropy_loss(const Tensor& self, const Tensor& target,
                                 const optional<Tensor>& weight = nullopt,
                                 std::int64_t reduction = 1, std::int64_t ignore_index = -100) {
  return call("aten::cross_entropy_loss", "", self, target, weight, reduction, ignore_index);
}
inline Tensor nll_loss(const Tensor& self, const Tensor& target,
                       const optional<Tensor>& weight = nullopt, std::int64_t reduction = 1,
                       std::int64_t ignore_index = -100) {
  return call("aten::nll_loss", "", self, target, weight, reduction, ignore_index);
}

// Joining and cutting.
inline Tensor cat(TensorList tensors, std::int64_t dimension = 0) {
  return call("aten::cat", "", to_values(tensors), dimension);
}
inline Tensor stack(TensorList tensors, std::int64_t dimension = 0) {
  return call("aten::stack", "", to_values(tensors), dimension);
}
inline std::vector<Tensor> chunk(const Tensor& self, std::int64_t chunks,
                                 std::int64_t dimension = 0) {
  return call_for_list("aten::chunk", "", self, chunks, dimension);
}
inline std::vector<Tensor> split(const Tensor& self, std::int64_t size,
                                 std::int64_t dimension = 0) {
  return call_for_list("aten::split", "Tensor", self, size, dimension);
}
inline Tensor gather(const Tensor& self, std::int64_t dimension, const Tensor& index) {
  return self.gather(dimension, index);
}
inline Tensor index_select(const Tensor& self, std::int64_t dimension, const Tensor& index) {
  return self.index_select(dimension, index);
}
inline Tensor one_hot(const Tensor& self, std::int64_t classes = -1) {
  return call("aten::one_hot", "", self, classes);
}
inline Tensor embedding(const Tensor& weight, const Tensor& indices) {
  return call("aten::embedding", "", weight, indices);
}

// Views as functions.
inline Tensor reshape(const Tensor& self, IntArrayRef shape) {
  return self.reshape(shape);
}
inline Tensor flatten(const Tensor& self, std::int64_t first = 0, std::int64_t last = -1) {
  return self.flatten(first, last);
}
inline Tensor transpose(const Tensor& self, std::int64_t a, std::int64_t b) {
  return self.transpose(a, b);
}
inline Tensor permute(const Tensor& self, IntArrayRef order) {
  return self.permute(order);
}
inline Tensor unsqueeze(const Tensor& self, std::int64_t dim) {
  return self.unsqueeze(dim);
}
inline Tensor squeeze(const Tensor& self) {
  return self.squeeze();
}
inline Tensor clone(const Tensor& self) {
  return self.clone();
}

// Sequences and random numbers; layout and pinned memory take the schema's defaults.
inline Tensor arange(Scalar start, Scalar end, Scalar step, TensorOptions options = {}) {
  const bool whole = start.isIntegral(false) && end.isIntegral(false) && step.isIntegral(false);
  const ScalarType dtype = options.has_dtype() ? options.dtype() : whole ? kLong : kFloat;
  return call("aten::arange", "start_step", start, end, step, optional<ScalarType>(dtype),
              optional<Tensor>(), options.device());
}
inline Tensor arange(Scalar start, Scalar end, TensorOptions options = {}) {
  return arange(start, end, 1, options);
}
inline Tensor arange(Scalar end, TensorOptions options = {}) {
  return arange(0, end, 1, options);
}
inline Tensor rand(IntArrayRef sizes, TensorOptions options = {}) {
  return call("aten::rand", "", sizes, options.dtype(), optional<Tensor>(), options.device());
}
inline Tensor randn(IntArrayRef sizes, TensorOptions options = {}) {
  return call("aten::randn", "", sizes, options.dtype(), optional<Tensor>(), options.device());
}
inline Tensor rand_like(const Tensor& like) {
  return rand(like.sizes(), like.options());
}
inline Tensor randn_like(const Tensor& like) {
  return randn(like.sizes(), like.options());
}
inline Tensor eye(std::int64_t n, TensorOptions options = {}) {
  return call("aten::eye", "", n, options.dtype(), optional<Tensor>(), options.device());
}

}  // namespace rkb
