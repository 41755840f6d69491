#pragma once

#include <robust_kbench/shim/factories.h>
#include <robust_kbench/shim/operators.h>

// The free functions of at:: and torch:: that do more than call a method.
namespace rkb {

Tensor add(const Tensor& self, const Tensor& other, Scalar alpha);
Tensor sub(const Tensor& self, const Tensor& other, Scalar alpha);
Tensor pow(const Tensor& self, Scalar exponent);
Tensor pow(const Tensor& self, const Tensor& exponent);
Tensor clamp(const Tensor& self, const optional<Scalar>& min = nullopt,
             const optional<Scalar>& max = nullopt);
Tensor clamp_min(const Tensor& self, Scalar min);
Tensor clamp_max(const Tensor& self, Scalar max);
Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other);

// Activations.
Tensor silu(const Tensor& self);
Tensor gelu(const Tensor& self, const char* approximate = "none");
Tensor softplus(const Tensor& self);
Tensor leaky_relu(const Tensor& self, Scalar slope = 0.01);
Tensor softmax(const Tensor& self, std::int64_t dimension, optional<ScalarType> dtype = nullopt);
Tensor log_softmax(const Tensor& self, std::int64_t dimension,
                   optional<ScalarType> dtype = nullopt);
Tensor threshold_backward(const Tensor& grad, const Tensor& self, Scalar threshold);

// Reductions.
Tensor amax(const Tensor& self, IntArrayRef dimensions = {}, bool keepdim = false);
Tensor amin(const Tensor& self, IntArrayRef dimensions = {}, bool keepdim = false);
Tensor argmax(const Tensor& self, optional<std::int64_t> dimension = nullopt, bool keepdim = false);
Tensor argmin(const Tensor& self, optional<std::int64_t> dimension = nullopt, bool keepdim = false);
Tensor var(const Tensor& self, IntArrayRef dimensions, bool unbiased = true, bool keepdim = false);
Tensor cumsum(const Tensor& self, std::int64_t dimension);
Tensor logsumexp(const Tensor& self, IntArrayRef dimensions, bool keepdim = false);

// Linear algebra.
Tensor linear(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias = nullopt);
Tensor addmm(const Tensor& self, const Tensor& a, const Tensor& b, Scalar beta = 1,
             Scalar alpha = 1);
const Tensor& mm_out(const Tensor& out, const Tensor& a, const Tensor& b);
const Tensor& bmm_out(const Tensor& out, const Tensor& a, const Tensor& b);
const Tensor& matmul_out(const Tensor& out, const Tensor& a, const Tensor& b);

// Convolution and pooling.
Tensor conv1d(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias = nullopt,
              IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef dilation = 1,
              std::int64_t groups = 1);
Tensor conv2d(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias = nullopt,
              IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef dilation = 1,
              std::int64_t groups = 1);
Tensor conv3d(const Tensor& input, const Tensor& weight, const optional<Tensor>& bias = nullopt,
              IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef dilation = 1,
              std::int64_t groups = 1);
Tensor conv_transpose2d(const Tensor& input, const Tensor& weight,
                        const optional<Tensor>& bias = nullopt, IntArrayRef stride = 1,
                        IntArrayRef padding = 0, IntArrayRef output_padding = 0,
                        std::int64_t groups = 1, IntArrayRef dilation = 1);
Tensor max_pool2d(const Tensor& self, IntArrayRef kernel, IntArrayRef stride = {},
                  IntArrayRef padding = 0, IntArrayRef dilation = 1, bool ceil_mode = false);
Tensor avg_pool2d(const Tensor& self, IntArrayRef kernel, IntArrayRef stride = {},
                  IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true);
Tensor adaptive_avg_pool2d(const Tensor& self, IntArrayRef size);

// Normalisation and loss.
Tensor batch_norm(const Tensor& input, const optional<Tensor>& weight, const optional<Tensor>& bias,
                  const optional<Tensor>& running_mean, const optional<Tensor>& running_var,
                  bool training, double momentum, double eps, bool cudnn_enabled);
Tensor layer_norm(const Tensor& input, IntArrayRef shape, const optional<Tensor>& weight = nullopt,
                  const optional<Tensor>& bias = nullopt, double eps = 1e-5);
Tensor cross_entropy_loss(const Tensor& self, const Tensor& target,
                          const optional<Tensor>& weight = nullopt, std::int64_t reduction = 1,
                          std::int64_t ignore_index = -100);
Tensor nll_loss(const Tensor& self, const Tensor& target, const optional<Tensor>& weight = nullopt,
                std::int64_t reduction = 1, std::int64_t ignore_index = -100);

// Joining and splitting.
Tensor cat(TensorList tensors, std::int64_t dimension = 0);
Tensor stack(TensorList tensors, std::int64_t dimension = 0);
#ifndef RKB_WITHOUT_VECTOR
std::vector<Tensor> chunk(const Tensor& self, std::int64_t chunks, std::int64_t dimension = 0);
std::vector<Tensor> split(const Tensor& self, std::int64_t size, std::int64_t dimension = 0);
#endif
Tensor gather(const Tensor& self, std::int64_t dimension, const Tensor& index);
Tensor index_select(const Tensor& self, std::int64_t dimension, const Tensor& index);
Tensor one_hot(const Tensor& self, std::int64_t classes = -1);
Tensor embedding(const Tensor& weight, const Tensor& indices);

// Views as functions.
Tensor reshape(const Tensor& self, IntArrayRef shape);
Tensor flatten(const Tensor& self, std::int64_t first = 0, std::int64_t last = -1);
Tensor transpose(const Tensor& self, std::int64_t a, std::int64_t b);
Tensor permute(const Tensor& self, IntArrayRef order);
Tensor unsqueeze(const Tensor& self, std::int64_t dim);
Tensor squeeze(const Tensor& self);
Tensor clone(const Tensor& self);

// Sequences and random numbers. Layout and pinned memory have the schema's defaults.
Tensor arange(Scalar start, Scalar end, Scalar step, TensorOptions options = {});
Tensor arange(Scalar start, Scalar end, TensorOptions options = {});
Tensor arange(Scalar end, TensorOptions options = {});
Tensor rand(IntArrayRef sizes, TensorOptions options = {});
Tensor randn(IntArrayRef sizes, TensorOptions options = {});
Tensor rand_like(const Tensor& like);
Tensor randn_like(const Tensor& like);
Tensor eye(std::int64_t n, TensorOptions options = {});

}  // namespace rkb
