#include "tensor/tensor_spec.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"

#include <ATen/ops/stack.h>
#include <fmt/format.h>

namespace robust_kbench {
namespace {

using Kind = Distribution::Kind;

// A dtype that kernels know. It holds each integer from `least` to `most`.
struct KnownDtype {
  at::ScalarType dtype;
  std::string_view name;  // torch.float16 is c10's Half: users know Python's names
  double least;
  double most;
};

constexpr std::array<KnownDtype, 10> known_dtypes{{
    {at::kFloat, "float32", -0x1p24, 0x1p24},
    {at::kDouble, "float64", -0x1p53, 0x1p53},
    {at::kHalf, "float16", -0x1p11, 0x1p11},
    {at::kBFloat16, "bfloat16", -0x1p8, 0x1p8},
    {at::kLong, "int64", -0x1p53, 0x1p53},  // a distribution has its limits as doubles
    {at::kInt, "int32", -0x1p31, 0x1p31 - 1},
    {at::kShort, "int16", -0x1p15, 0x1p15 - 1},
    {at::kChar, "int8", -0x1p7, 0x1p7 - 1},
    {at::kByte, "uint8", 0, 255},
    {at::kBool, "bool", 0, 1},
}};

const KnownDtype* find_known(at::ScalarType dtype) {
  const auto found = std::find_if(known_dtypes.begin(), known_dtypes.end(),
                                  [&](const KnownDtype& known) { return known.dtype == dtype; });
  return found == known_dtypes.end() ? nullptr : found;
}

[[noreturn]] void refuse(const TensorSpec& spec, const std::string& reason) {
  throw UserError("tensor '" + spec.name + "': " + reason);
}

const KnownDtype& known_dtype(const TensorSpec& spec, at::ScalarType dtype) {
  if (const KnownDtype* known = find_known(dtype)) return *known;
  std::string names;
  for (const KnownDtype& known : known_dtypes) {
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  }
  refuse(spec, "no kernel can be handed dtype " + dtype_name(dtype) + "; known: " + names);
}

void require_within(const TensorSpec& spec, const KnownDtype& dtype, double least, double most) {
  if (least >= dtype.least && most <= dtype.most) return;
  refuse(spec, fmt::format("{} holds each integer from {} to {}, and {} to {} are to be drawn; "
                           "give it another dtype or other limits",
                           dtype.name, dtype.least, dtype.most, least, most));
}

void require_drawable(const TensorSpec& spec, const KnownDtype& dtype) {
  const auto& [kind, a, b, spread] = spec.distribution;
  const bool floating = c10::isFloatingType(dtype.dtype);
  if (kind == Kind::integers) return require_within(spec, dtype, a, b - 1);
  if (floating || kind == Kind::zero) return;
  if (kind != Kind::constant) {
    refuse(spec, fmt::format("normal() and uniform() draw no {}; use integers(low, high), or give "
                             "it a floating dtype",
                             dtype.name));
  }
  if (a != std::floor(a)) {
    refuse(spec, fmt::format("{} cannot hold the constant {}; give it an integer or a floating "
                             "dtype",
                             dtype.name, a));
  }
  if (spread != 0) {
    refuse(spec, fmt::format("a spread of {} draws no {}; leave it out, or give the tensor a "
                             "floating dtype",
                             spread, dtype.name));
  }
  require_within(spec, dtype, a, a);
}

}  // namespace

std::string dtype_name(at::ScalarType dtype) {
  const KnownDtype* known = find_known(dtype);
  return known != nullptr ? std::string(known->name) : c10::toString(dtype);
}

at::ScalarType dtype_of(const TensorSpec& spec) {
  const bool integral = spec.distribution.kind == Kind::integers;
  const KnownDtype& dtype =
      known_dtype(spec, spec.dtype.value_or(integral ? at::kLong : at::kFloat));
  if (!spec.then) require_drawable(spec, dtype);
  return dtype.dtype;
}

bool has_spread(const TensorSpec& spec) {
  const Distribution& d = spec.distribution;
  return spec.present && d.kind == Kind::constant && d.spread != 0;
}

TensorSpec varied(TensorSpec spec) {
  const Distribution& d = spec.distribution;
  if (has_spread(spec)) spec.distribution = uniform(d.a - d.spread, d.a + d.spread);
  return spec;
}

TensorSpec drawn_part(TensorSpec spec) {
  if (!spec.then) return spec;
  spec.then = {};
  spec.dtype.reset();
  return spec;
}

TensorSpec for_calls(TensorSpec spec, std::int64_t calls) {
  spec.shape.insert(spec.shape.begin(), calls);
  if (!spec.then) return spec;
  spec.then = [of_call = std::move(spec.then)](const at::Tensor& drawn) {
    std::vector<at::Tensor> tensors;
    for (const at::Tensor& call : drawn.unbind()) tensors.push_back(of_call(call));
    return at::stack(tensors);
  };
  return spec;
}

std::uint64_t bytes_of(const TensorSpec& spec) {
  if (!spec.present) return 0;
  std::uint64_t bytes = c10::elementSize(dtype_of(spec));
  for (const std::int64_t size : spec.shape) bytes *= static_cast<std::uint64_t>(size);
  return bytes;
}

}  // namespace robust_kbench
