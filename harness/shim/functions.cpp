#include "shim/boxed.hpp"
#include <robust_kbench/shim/functions.h>

// The free functions of at:: and torch:: that do more than call a method.
namespace rkb {

Tensor add(const Tensor& self, const Tensor& other, Scalar alpha) {
  return self.add(other, alpha);
}

Tensor sub(const Tensor& self, const Tensor& other, Scalar alpha) {
  return call("aten::sub", "Tensor", self, other, alpha);
}

Tensor pow(const Tensor& self, Scalar exponent) {
  return self.pow(exponent);
}

Tensor pow(const Tensor& self, const Tensor& exponent) {
  return self.pow(exponent);
}

Tensor clamp(const Tensor& self, const optional<Scalar>& min, const optional<Scalar>& max) {
  return self.clamp(min, max);
}

Tensor clamp_min(const Tensor& self, Scalar min) {
  return self.clamp_min(min);
}

Tensor clamp_max(const Tensor& self, Scalar max) {
  return self.clamp_max(max);
}

Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other) {
  return call("aten::where", "self", condition, self, other);
}

// Activations.
Tensor silu(const Tensor& self) {
  return call("aten::silu", "", self);
}

Tensor gelu(const Tensor& self, const char* approximate) {
  return call("aten::gelu", "", self, approximate);
}

Tensor softplus(const Tensor& self) {
  return call("aten::softplus", "", self);
}

Tensor leaky_relu(const Tensor& self, Scalar slope) {
  return call("aten::leaky_relu", "", self, slope);
}

Tensor softmax(const Tensor& self, std::int64_t dimension, optional<ScalarType> dtype) {
  return self.softmax(dimension, dtype);
}

Tensor log_softmax(const Tensor& self, std::int64_t dimension, optional<ScalarType> dtype) {
  return self.log_softmax(dimension, dtype);
}

Tensor threshold_backward(const Tensor& grad, const Tensor& self, Scalar threshold) {
  return call("aten::threshold_backward", "", grad, self, threshold);
}

// Reductions.
Tensor amax(const Tensor& self, IntArrayRef dimensions, bool keepdim) {
  return self.amax(dimensions, keepdim);
}

Tensor amin(const Tensor& self, IntArrayRef dimensions, bool keepdim) {
  return self.amin(dimensions, keepdim);
}

Tensor argmax(const Tensor& self, optional<std::int64_t> dimension, bool keepdim) {
  return self.argmax(dimension, keepdim);
}

Tensor argmin(const Tensor& self, optional<std::int64_t> dimension, bool keepdim) {
  return self.argmin(dimension, keepdim);
}

Tensor var(const Tensor& self, IntArrayRef dimensions, bool unbiased, bool keepdim) {
  return self.var(dimensions, unbiased, keepdim);
}

Tensor cumsum(const Tensor& self, std::int64_t dimension) {
  return self.cumsum(dimension);
}

Tensor logsumexp(const Tensor& self, IntArrayRef dimensions, bool keepdim) {
  return self.logsumexp(dimensions, keepdim);
}

// Linear algebra.
Tensor linear(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias) {
  return call("aten::linear", "", input, weight, bias);
}

Tensor addmm(const Tensor& self, const Tensor& a, const Tensor& b, Scalar beta, Scalar alpha) {
  return self.addmm(a, b, beta, alpha);
}

const Tensor& mm_out(const Tensor& out, const Tensor& a, const Tensor& b) {
  call("aten::mm", "out", a, b, out);
  return out;
}

const Tensor& bmm_out(const Tensor& out, const Tensor& a, const Tensor& b) {
  call("aten::bmm", "out", a, b, out);
  return out;
}

const Tensor& matmul_out(const Tensor& out, const Tensor& a, const Tensor& b) {
  call("aten::matmul", "out", a, b, out);
  return out;
}

// Convolution and pooling.
Tensor conv1d(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias,
              IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, std::int64_t groups) {
  return call("aten::conv1d", "", input, weight, bias, stride, padding, dilation, groups);
}

Tensor conv2d(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias,
              IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, std::int64_t groups) {
  return call("aten::conv2d", "", input, weight, bias, stride, padding, dilation, groups);
}

Tensor conv3d(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias,
              IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, std::int64_t groups) {
  return call("aten::conv3d", "", input, weight, bias, stride, padding, dilation, groups);
}

Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias,
                        IntArrayRef stride, IntArrayRef padding, IntArrayRef output_padding,
                        std::int64_t groups, IntArrayRef dilation) {
  return call("aten::conv_transpose2d", "input", input, weight, bias, stride, padding,
              output_padding, groups, dilation);
}

Tensor max_pool2d(const Tensor& self, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding,
                  IntArrayRef dilation, bool ceil_mode) {
  return call("aten::max_pool2d", "", self, kernel, stride, padding, dilation, ceil_mode);
}

Tensor avg_pool2d(const Tensor& self, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding,
                  bool ceil_mode, bool count_include_pad) {
  return call("aten::avg_pool2d", "", self, kernel, stride, padding, ceil_mode, count_include_pad);
}

Tensor adaptive_avg_pool2d(const Tensor& self, IntArrayRef size) {
  return call("aten::adaptive_avg_pool2d", "", self, size);
}

// Normalisation and loss.
Tensor batch_norm(const Tensor& input, const optional<Tensor>& weight, const optional<Tensor>& bias,
                  const optional<Tensor>& running_mean, const optional<Tensor>& running_var,
                  bool training, double momentum, double eps, bool cudnn_enabled) {
  return call("aten::batch_norm", "", input, weight, bias, running_mean, running_var, training,
              momentum, eps, cudnn_enabled);
}

Tensor layer_norm(const Tensor& input, IntArrayRef shape, const optional<Tensor>& weight,
                  const optional<Tensor>& bias, double eps) {
  return call("aten::layer_norm", "", input, shape, weight, bias, eps);
}

Tensor cross_entropy_loss(const Tensor& self, const Tensor& target, const optional<Tensor>& weight,
                          std::int64_t reduction, std::int64_t ignore_index) {
  return call("aten::cross_entropy_loss", "", self, target, weight, reduction, ignore_index);
}

Tensor nll_loss(const Tensor& self, const Tensor& target, const optional<Tensor>& weight,
                std::int64_t reduction, std::int64_t ignore_index) {
  return call("aten::nll_loss", "", self, target, weight, reduction, ignore_index);
}

// Joining and splitting.
Tensor cat(TensorList tensors, std::int64_t dimension) {
  return call("aten::cat", "", to_values(tensors), dimension);
}

Tensor stack(TensorList tensors, std::int64_t dimension) {
  return call("aten::stack", "", to_values(tensors), dimension);
}

std::vector<Tensor> chunk(const Tensor& self, std::int64_t chunks, std::int64_t dimension) {
  return call_for_list("aten::chunk", "", self, chunks, dimension);
}

std::vector<Tensor> split(const Tensor& self, std::int64_t size, std::int64_t dimension) {
  return call_for_list("aten::split", "Tensor", self, size, dimension);
}

Tensor gather(const Tensor& self, std::int64_t dimension, const Tensor& index) {
  return self.gather(dimension, index);
}

Tensor index_select(const Tensor& self, std::int64_t dimension, const Tensor& index) {
  return self.index_select(dimension, index);
}

Tensor one_hot(const Tensor& self, std::int64_t classes) {
  return call("aten::one_hot", "", self, classes);
}

Tensor embedding(const Tensor& weight, const Tensor& indices) {
  return call("aten::embedding", "", weight, indices);
}

// Views as functions.
Tensor reshape(const Tensor& self, IntArrayRef shape) {
  return self.reshape(shape);
}

Tensor flatten(const Tensor& self, std::int64_t first, std::int64_t last) {
  return self.flatten(first, last);
}

Tensor transpose(const Tensor& self, std::int64_t a, std::int64_t b) {
  return self.transpose(a, b);
}

Tensor permute(const Tensor& self, IntArrayRef order) {
  return self.permute(order);
}

Tensor unsqueeze(const Tensor& self, std::int64_t dim) {
  return self.unsqueeze(dim);
}

Tensor squeeze(const Tensor& self) {
  return self.squeeze();
}

Tensor clone(const Tensor& self) {
  return self.clone();
}

// Sequences and random numbers. Layout and pinned memory have the schema's defaults.
Tensor arange(Scalar start, Scalar end, Scalar step, TensorOptions options) {
  const bool whole = start.isIntegral(false) && end.isIntegral(false) && step.isIntegral(false);
  const ScalarType dtype = options.has_dtype() ? options.dtype() : whole ? kLong : kFloat;
  return call("aten::arange", "start_step", start, end, step, optional<ScalarType>(dtype),
              optional<Tensor>(), options.device());
}

Tensor arange(Scalar start, Scalar end, TensorOptions options) {
  return arange(start, end, 1, options);
}

Tensor arange(Scalar end, TensorOptions options) {
  return arange(0, end, 1, options);
}

Tensor rand(IntArrayRef sizes, TensorOptions options) {
  return call("aten::rand", "", sizes, options.dtype(), optional<Tensor>(), options.device());
}

Tensor randn(IntArrayRef sizes, TensorOptions options) {
  return call("aten::randn", "", sizes, options.dtype(), optional<Tensor>(), options.device());
}

Tensor rand_like(const Tensor& like) {
  return rand(like.sizes(), like.options());
}

Tensor randn_like(const Tensor& like) {
  return randn(like.sizes(), like.options());
}

Tensor eye(std::int64_t n, TensorOptions options) {
  return call("aten::eye", "", n, options.dtype(), optional<Tensor>(), options.device());
}

}  // namespace rkb
