#include <algorithm>

#include <robust_kbench/task.hpp>

#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>

namespace robust_kbench::tasks {
namespace {

struct Sizes {
  std::int64_t batch;
  std::int64_t in;
  std::int64_t out;
  std::int64_t height;
  std::int64_t width;
  std::int64_t stride;
};

Sizes sizes_of(const Params& params) {
  return {.batch = params.integer("batch_size"),
          .in = params.integer("in_channels"),
          .out = params.integer("out_channels"),
          .height = params.integer("height"),
          .width = params.integer("width"),
          .stride = params.integer("stride")};
}

// The shortcut needs a convolution of its own where its shape would not fit.
bool has_downsample(const Params& params) {
  const Sizes s = sizes_of(params);
  return params.boolean("downsample") || s.stride != 1 || s.in != s.out;
}

// `standard` is a new torch.nn.BatchNorm2d, which does nothing; `random` one that has been trained.
void add_batch_norm(std::vector<TensorSpec>& specs, const std::string& prefix, const Params& params,
                    bool present) {
  const bool random = params.text("init_method", {"standard", "random"}) == "random";
  const std::vector<std::int64_t> shape{params.integer("out_channels")};
  const auto add = [&](const char* name, Distribution standard, Distribution trained) {
    specs.push_back({prefix + name, shape, random ? trained : standard, present});
  };
  add("weight", constant(1.0, 0.2), normal(1.0, 0.1));
  add("bias", constant(0.0, 0.2), normal(0.0, 0.1));
  add("mean", constant(0.0, 0.2), normal(0.0, 0.1));
  add("var", constant(1.0, 0.5), uniform(0.5, 1.5));
}

// ResNet's convolutions have none, but the kernel's signature does.
TensorSpec conv_bias(const char* name, const Params& params, bool convolution) {
  const bool present = convolution && params.boolean("conv_bias");
  return {name, {params.integer("out_channels")}, normal(0.0, 0.1), present};
}

std::vector<TensorSpec> weights(const Params& params) {
  const auto [batch, in, out, height, width, stride] = sizes_of(params);
  const bool downsample = has_downsample(params);
  std::vector<TensorSpec> specs{
      {"conv1_weight", {out, in, 3, 3}, kaiming_uniform({out, in, 3, 3})},
      conv_bias("conv1_bias", params, true),
      {"conv2_weight", {out, out, 3, 3}, kaiming_uniform({out, out, 3, 3})},
      conv_bias("conv2_bias", params, true),
      {"downsample_weight", {out, in, 1, 1}, kaiming_uniform({out, in, 1, 1}), downsample},
      conv_bias("downsample_bias", params, downsample)};
  add_batch_norm(specs, "bn1_", params, true);
  add_batch_norm(specs, "bn2_", params, true);
  add_batch_norm(specs, "downsample_bn_", params, downsample);
  return specs;
}

std::vector<TensorSpec> inputs(const Params& params) {
  const auto [batch, in, out, height, width, stride] = sizes_of(params);
  return {{"x", {batch, in, height, width}, normal()}};
}

at::Tensor forward(const Tensors& tensors, const Params& params) {
  const std::int64_t stride = params.integer("stride");
  const auto normalized = [&](const at::Tensor& x, const std::string& prefix) {
    return at::batch_norm(x, tensors[prefix + "weight"], tensors[prefix + "bias"],
                          tensors[prefix + "mean"], tensors[prefix + "var"], /*training=*/false,
                          /*momentum=*/0.1, params.real("eps"), /*cudnn_enabled=*/true);
  };
  const at::Tensor& x = tensors["x"];
  at::Tensor y = at::conv2d(x, tensors["conv1_weight"], tensors["conv1_bias"], stride, 1);
  y = normalized(y, "bn1_").relu();
  y = normalized(at::conv2d(y, tensors["conv2_weight"], tensors["conv2_bias"], 1, 1), "bn2_");
  at::Tensor identity = x;
  if (tensors["downsample_weight"].defined()) {
    identity = at::conv2d(x, tensors["downsample_weight"], tensors["downsample_bias"], stride);
    identity = normalized(identity, "downsample_bn_");
  }
  return y.add(identity).relu();
}

// An element of the output costs the dot products of both 3 x 3 filters and of the 1 x 1 shortcut.
// To these come 2 operations for each batch norm, 1 for each of the 2 ReLUs and 1 addition. Each
// bias of a convolution is 1 more.
Cost forward_cost(const Params& params) {
  const auto [batch, in, out, height, width, stride] = sizes_of(params);
  const std::int64_t shortcut = has_downsample(params) ? 1 : 0;
  const std::int64_t norms = 2 + shortcut;
  const std::int64_t biases = params.boolean("conv_bias") ? norms : 0;
  const std::int64_t y = batch * out * ((height - 1) / stride + 1) * ((width - 1) / stride + 1);
  const std::int64_t filters = 9 * in + 9 * out + shortcut * in;
  return {
      .flops = static_cast<double>(y) * static_cast<double>(2 * filters + 2 * norms + biases + 3),
      .bytes = 4.0 * static_cast<double>(batch * in * height * width + y + out * filters +
                                         (4 * norms + biases) * out)};
}

// The longer filter of the two convolutions.
std::vector<std::int64_t> longest_sums(const Params& params) {
  const Sizes s = sizes_of(params);
  return {9 * std::max(s.in, s.out)};
}

std::vector<Argument> arguments(const Params&) {
  std::vector<Argument> arguments;
  for (const char* name :
       {"x", "conv1_weight", "conv1_bias", "bn1_weight", "bn1_bias", "bn1_mean", "bn1_var",
        "conv2_weight", "conv2_bias", "bn2_weight", "bn2_bias", "bn2_mean", "bn2_var",
        "downsample_weight", "downsample_bias", "downsample_bn_weight", "downsample_bn_bias",
        "downsample_bn_mean", "downsample_bn_var"}) {
    arguments.push_back(tensor(name));
  }
  arguments.push_back(parameter("stride"));
  arguments.push_back(parameter("eps"));
  return arguments;
}

Shapes shapes() {
  return {.sizes = {{"batch_size", 1, 9},
                    {"in_channels", 1, 129},
                    {"out_channels", 1, 129},
                    {"stride", 1, 3},
                    {"height", 1, 65},
                    {"width", 1, 65}},
          .choices = {{"stride", {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}}},
                      {"downsample", {false, true}},
                      {"conv_bias", {false, true}},
                      {"init_method", {std::string("standard"), std::string("random")}}}};
}

}  // namespace

Task resnet_block() {
  return {
      .name = "resnet_block",
      .summary = "Residual block of ResNet: two 3 x 3 convolutions with batch norm in inference.",
      // robust-kbench fixes height, width, eps and the initialization of batch norm to these.
      .defaults = {{"batch_size", std::int64_t{10}},
                   {"in_channels", std::int64_t{64}},
                   {"out_channels", std::int64_t{64}},
                   {"stride", std::int64_t{1}},
                   {"downsample", false},
                   {"conv_bias", false},
                   {"height", std::int64_t{224}},
                   {"width", std::int64_t{224}},
                   {"eps", 1e-5},
                   {"init_method", std::string("standard")}},
      .weights = weights,
      .inputs = inputs,
      .forward = forward,
      .forward_contract = {.arguments = arguments,
                           .outputs = {{"y"}},
                           .cost = forward_cost,
                           .longest_sums = longest_sums},
      .shapes = shapes(),
      .domain = Domain{.inapplicable = {{Probe::masked, "nothing of it is exponentiated or chosen"},
                                        {Probe::near_ties, "ReLU goes through 0 without a jump"},
                                        {Probe::large_logits, "nothing of it is exponentiated"},
                                        {Probe::ties, "ReLU gives 0 for a zero of either sign"},
                                        {Probe::repeated_row, "no result is a sum over rows"}}},
  };
}

}  // namespace robust_kbench::tasks
