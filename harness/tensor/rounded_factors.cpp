#include "tensor/rounded_factors.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/error.hpp"

#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/where.h>
#include <c10/core/GradMode.h>

namespace robust_kbench {
namespace {

// The key lies above autograd, so that gradients are those of a product of rounded factors. Torch
// keeps it for test modes, and registers nothing there itself.
constexpr c10::DispatchKey mode_key = c10::DispatchKey::TESTING_ONLY_GenericMode;

std::atomic<RoundedFactors*> current = nullptr;

struct Product {
  std::string_view name;
  std::vector<std::size_t> factors;  // positions of arguments
};

// The basic products, none of which calls another. Other operators, such as aten::linear, call
// them.
const std::vector<Product>& products() {
  static const std::vector<Product> known{
      {"aten::mm", {0, 1}},
      {"aten::bmm", {0, 1}},
      {"aten::mv", {0, 1}},
      {"aten::dot", {0, 1}},
      {"aten::vdot", {0, 1}},
      {"aten::addmm", {1, 2}},
      {"aten::addmm_", {1, 2}},
      {"aten::_addmm_activation", {1, 2}},
      {"aten::addbmm", {1, 2}},
      {"aten::baddbmm", {1, 2}},
      {"aten::baddbmm_", {1, 2}},
      {"aten::addmv", {1, 2}},
      {"aten::addmv_", {1, 2}},
      {"aten::_trilinear", {0, 1, 2}},
      {"aten::convolution", {0, 1}},
      {"aten::convolution_backward", {0, 1, 2}},
      {"aten::conv_tbc", {0, 1}},
      {"aten::mkldnn_rnn_layer", {0, 1, 2, 5}},
      {"aten::_scaled_dot_product_flash_attention_for_cpu", {0, 1, 2}},
      {"aten::_scaled_dot_product_flash_attention_for_cpu_backward", {0, 1, 2, 3}},
      {"aten::_scaled_dot_product_efficient_attention", {0, 1, 2}},
      {"aten::_scaled_dot_product_efficient_attention_backward", {0, 1, 2, 3}},
  };
  return known;
}

// Rounds a factor to 11 significant bits by Veltkamp's product, which is exact in float64.
at::Tensor to_tf32(const at::Tensor& x) {
  constexpr double lost_bits = 0x1p42;  // of the 53 of a float64
  const at::Tensor wide = x.to(at::kDouble);
  const at::Tensor scaled = wide.mul(lost_bits + 1.0);
  return at::where(wide.isfinite(), scaled.sub(scaled.sub(wide)), wide).to(at::kFloat);
}

// Rounds a factor and leaves its gradient as it is.
at::Tensor rounded(const at::Tensor& x, Rounding rounding) {
  const c10::impl::ExcludeDispatchKeyGuard not_again(mode_key);
  at::Tensor change;
  {
    const c10::AutoGradMode no_grad(false);
    const at::Tensor coarse =
        rounding == Rounding::tf32 ? to_tf32(x) : x.to(at::kBFloat16).to(at::kFloat);
    if (!x.requires_grad()) return coarse;
    change = at::where(x.isfinite(), coarse.sub(x), 0.0);
  }
  return x.add(change);  // exact: both have the magnitude of x
}

}  // namespace

struct RoundedFactors::Calls {
  static void round_and_call(const c10::OperatorHandle& call, c10::DispatchKeySet keys,
                             torch::jit::Stack* stack) {
    static const c10::DispatchKeySet below(c10::DispatchKeySet::FULL_AFTER, mode_key);
    RoundedFactors* const scope = current;
    const auto product = std::ranges::find(products(), call.operator_name().name, &Product::name);
    if (scope != nullptr && product != products().end()) {
      const std::size_t first = stack->size() - call.schema().arguments().size();
      for (const std::size_t position : product->factors) scope->round(stack->at(first + position));
    }
    call.redispatchBoxed(keys & below, stack);
  }
};

void RoundedFactors::round(c10::IValue& argument) {
  if (!argument.isTensor()) return;
  const at::Tensor factor = argument.toTensor();
  if (!factor.defined() || factor.scalar_type() != at::kFloat) return;
  argument = rounded(factor, m_rounding);
  m_any = true;
}

RoundedFactors::RoundedFactors(Rounding rounding) : m_rounding(rounding) {
  static const c10::RegistrationHandleRAII registered =
      c10::Dispatcher::singleton().registerFallback(
          mode_key, c10::KernelFunction::makeFromBoxedFunction<&Calls::round_and_call>(),
          "robust_kbench");
  RoundedFactors* none = nullptr;
  if (!current.compare_exchange_strong(none, this)) {
    throw HarnessError("factors are rounded by another scope already");
  }
  m_guard.emplace(mode_key);
}

RoundedFactors::~RoundedFactors() {
  m_guard.reset();
  current = nullptr;
}

}  // namespace robust_kbench
