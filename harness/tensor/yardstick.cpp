#include "tensor/yardstick.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "core/seed.hpp"
#include "tensor/differences.hpp"
#include "tensor/generator.hpp"
#include "tensor/reference.hpp"
#include "tensor/root_mean_square.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/ops/allclose.h>
#include <ATen/ops/where.h>
#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr std::uint64_t draws = 3;
// The greatest error of so many elements hardly differs from draw to draw.
constexpr std::int64_t enough_elements_for_two_draws = std::int64_t{1} << 20;

constexpr double max_error_factor = 4;       // of the yardstick's greatest error beyond rtol
constexpr double rms_factor = 2.5;           // of its root mean square
constexpr double least_relative_rms = 5e-7;  // a few operations in float32, of the output
constexpr double least_atol = 1e-5;          // the paper's

constexpr std::int64_t terms_in_order = 4096;
constexpr double error_per_root_term = 0.3 * 0x1p-24;  // measured, of terms with random signs

// Positive terms that are added to a much larger one may all be lost, each with half an ulp at
// most.
constexpr double most_lost_per_term = 0x1p-25;

constexpr std::int64_t equal_terms_in_order = 512;
constexpr double error_per_equal_term = 0.122 * 0x1p-24;  // measured

// The relative change of a product when both factors move by an ulp. The ulp of a float32 is 2^-24
// to 2^-23 of it.
constexpr double move_of_product = 2.08 * 0x1p-24;
// If moved inputs change the output more than a chain of a few products would, they are much larger
// than it. Then the terms of its sum are, too.
constexpr double least_cancellation = 4;

// The error of one output, or of a part of it, in one draw.
struct Yardstick {
  double beyond = 0;  // greatest error beyond the relative tolerance
  double rms = 0;
  double output = 0;  // root mean square of the output

  void raise(const Yardstick& other) {
    beyond = std::max(beyond, other.beyond);
    rms = std::max(rms, other.rms);
    output = std::max(output, other.output);
  }
};

bool is_measured(const Output& output) {
  return output.dtype == at::kFloat || output.dtype == at::kHalf || output.dtype == at::kBFloat16;
}

// The root mean square error of rounding a right result to the dtype, relative to the result.
// Errors are uniform up to half a unit in the last place, and mantissas are spread evenly over
// their logarithms. Float32 sums round in the model of a loop already.
double relative_rounding(at::ScalarType dtype) {
  constexpr double of_unit_roundoff = 0.4247;
  if (dtype == at::kHalf) return of_unit_roundoff * 0x1p-11;
  return dtype == at::kBFloat16 ? of_unit_roundoff * 0x1p-8 : 0.0;
}

// Moves every element to the next float32 up or down, at random, and returns float64. Zeros and
// values that are not finite stay.
at::Tensor moved(const at::Tensor& tensor, std::uint64_t key) {
  const at::Tensor x = tensor.to(at::kFloat).contiguous();
  const TensorSpec signs{
      .name = "signs", .shape = x.sizes().vec(), .distribution = uniform(-1.0, 1.0)};
  at::Tensor steps = generate(signs, key, x.device()).mul_(x).sign_();
  if (!std::isfinite(x.sum().item<float>())) {
    steps.masked_fill_(x.isfinite().logical_not_(), 0.0);
  }
  return steps.to(at::kInt).add_(x.view(at::kInt)).view(at::kFloat).to(at::kDouble);
}

// Incoming gradients are 0 near a kink and stay so. Such small moves cross none elsewhere.
Tensors moved(const Tensors& tensors, std::uint64_t key) {
  Tensors result;
  for (const auto& [name, tensor] : tensors.all()) {
    const bool moves = tensor.defined() && tensor.is_floating_point();
    result.set(name, moves ? moved(tensor, derived_key(key, name)) : tensor);
  }
  return result;
}

// Leaves out elements that are not finite in float32. They would make the limit infinite, and let
// everything pass.
Differences finite_differences(const at::Tensor& result, const at::Tensor& reference, double rtol) {
  const Differences all = differences(result, reference, rtol);
  if (all.beyond < std::numeric_limits<double>::infinity()) return all;
  return differences(at::where(result.isfinite(), result.to(at::kDouble), reference), reference,
                     rtol);
}

// An output, or a part of one.
struct Measured {
  std::size_t output = 0;
  const OutputPart* part = nullptr;  // none: the whole output

  [[nodiscard]] at::Tensor of(const at::Tensor& tensor) const {
    return part == nullptr ? tensor : tensor.masked_select(part->mask);
  }
};

// Every measured output, each followed by its parts.
std::vector<Measured> measured(const std::vector<Output>& outputs, const OutputParts& parts) {
  std::vector<Measured> all;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!is_measured(outputs[i])) continue;
    all.push_back({.output = i});
    if (i >= parts.size()) continue;
    for (const OutputPart& part : parts[i]) all.push_back({.output = i, .part = &part});
  }
  return all;
}

// The differences of each result from its reference.
std::vector<Differences> differences_of(const std::vector<Output>& outputs,
                                        const std::vector<Measured>& all,
                                        const std::vector<at::Tensor>& results,
                                        const std::vector<at::Tensor>& references) {
  std::vector<Differences> found;
  for (const Measured& one : all) {
    const at::Tensor result = one.of(results[one.output].contiguous());
    found.push_back(finite_differences(result.element_size() == 2 ? result.to(at::kFloat) : result,
                                       one.of(references[one.output]),
                                       own_limits(outputs[one.output]).rtol));
  }
  return found;
}

// About the greatest of `count` normal numbers.
double greatest_of(std::int64_t count) {
  return std::sqrt(std::max(1.0, 2.0 * std::log(static_cast<double>(count))));
}

// Whether an output has a row for each row of the inputs, rather than sums over rows. Then equal
// rows of inputs give equal rows of the output.
bool repeats_rows(const at::Tensor& reference, std::int64_t rows) {
  if (reference.dim() == 0 || reference.size(0) != rows) return false;
  constexpr double rounding = 1e-9;  // of float64, where rows are computed in parts
  return at::allclose(reference, reference.narrow(0, 0, 1).expand_as(reference), rounding, 0);
}

// The error of a plain loop over `terms` terms by the model. A sum over equal rows has equal terms.
double relative_error_of_loop(std::int64_t terms, std::int64_t rows, const at::Tensor& reference,
                              std::optional<Probe> probe, const OutputPart* part) {
  const double usual = relative_error_of_sum(terms);
  if (probe == Probe::outlier && (part == nullptr || part->has_outliers)) {
    const auto in_order = static_cast<double>(std::min(terms, terms_in_order));
    return std::max(usual, most_lost_per_term * in_order);
  }
  if (probe != Probe::repeated_row || repeats_rows(reference, rows)) return usual;
  return std::max(usual, relative_error_of_equal_terms(std::min(terms, rows)));
}

// The error of a plain loop, where `relative` comes from the model. It is relative to the output,
// unless moved inputs show that the terms are much larger than their sum.
Yardstick of_loop(double relative, at::ScalarType dtype, const SquaredErrors& output,
                  const std::optional<Differences>& moved) {
  const double summed = moved ? moved->squares.rms() / move_of_product : 0;
  const double size = output.reference_rms();
  const double rms = relative * (summed > least_cancellation * size ? summed : size);
  return {.beyond = rms * greatest_of(output.elements),
          .rms = std::hypot(rms, relative_rounding(dtype) * size),
          .output = size};
}

std::vector<Yardstick> of_draw(const Workload& workload, const std::vector<std::int64_t>& terms,
                               const Draw& draw, std::optional<Probe> probe, std::uint64_t key) {
  const std::vector<Output>& outputs = workload.contract().outputs;
  const std::vector<Measured> all = measured(outputs, draw.parts);
  const auto measure = [&](const std::vector<at::Tensor>& results) {
    return differences_of(outputs, all, results, draw.references);
  };
  const std::vector<Differences> of_eager = measure(eager(workload, draw.tensors));
  std::vector<Differences> of_moved;
  // Moved inputs would break ties, on which gradients depend.
  const bool moves = probe != Probe::ties &&
                     (probe != Probe::near_ties || workload.direction == Direction::forward);
  if (moves) of_moved = measure(reference(workload, moved(draw.tensors, key)));
  std::vector<Yardstick> found(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t output = all[i].output;
    const Differences& own = of_eager[i];
    std::optional<Differences> moved;
    if (moves) moved = of_moved[i];
    const double loop = relative_error_of_loop(terms[output], workload.rows(),
                                               draw.references[output], probe, all[i].part);
    found[i].raise(of_loop(loop, outputs[output].dtype, own.squares, moved));
    found[i].raise({.beyond = own.beyond, .rms = own.squares.rms()});
    if (moved) found[i].raise({.beyond = moved->beyond, .rms = moved->squares.rms()});
  }
  return found;
}

PrecisionLimits limits_of(const Output& output, const Yardstick& yardstick, std::int64_t terms,
                          bool probe) {
  const double floor = least_atol * (probe ? std::min(1.0, yardstick.output) : 1.0);
  return {.atol = std::max(floor, max_error_factor * yardstick.beyond),
          .rtol = own_limits(output).rtol,
          .rms = RmsLimit{
              .most = std::max(rms_factor * yardstick.rms, least_relative_rms * yardstick.output),
              .float32 = yardstick.rms,
              .output = yardstick.output,
              .terms = terms}};
}

// Scales absolute tolerances, which are meant for outputs around 1, by the outputs' root mean
// square.
void follow_magnitude(std::vector<PrecisionLimits>& limits,
                      const std::function<Draw(std::uint64_t seed)>& draw) {
  std::vector<double> magnitudes(limits.size());
  for (std::uint64_t seed = 1; seed <= draws; ++seed) {
    const Draw drawn = draw(seed);
    for (std::size_t i = 0; i < limits.size(); ++i) {
      if (!drawn.references[i].defined() || !drawn.references[i].is_floating_point()) continue;
      magnitudes[i] = std::max(magnitudes[i], root_mean_square(drawn.references[i]));
    }
  }
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (magnitudes[i] > 0) limits[i].atol *= magnitudes[i];
  }
}

std::uint64_t draws_of(const std::vector<at::Tensor>& references) {
  const auto is_large = [](const at::Tensor& reference) {
    return reference.defined() && reference.numel() >= enough_elements_for_two_draws;
  };
  return std::all_of(references.begin(), references.end(), is_large) ? draws - 1 : draws;
}

std::vector<std::int64_t> longest_sums(const Workload& workload) {
  const std::vector<Output>& outputs = workload.contract().outputs;
  std::vector<std::int64_t> terms = workload.contract().longest_sums(workload.params);
  const bool positive = std::all_of(terms.begin(), terms.end(), [](auto n) { return n >= 1; });
  if (positive && terms.size() == outputs.size()) return terms;
  throw UserError(fmt::format(
      "task '{}': longest_sums of {} must give the terms of the longest sum, at least 1, for each "
      "of the {} outputs; it gave [{}]",
      workload.task.name, to_string(workload.direction), outputs.size(), fmt::join(terms, ", ")));
}

}  // namespace

double relative_error_of_sum(std::int64_t terms) {
  const auto n = static_cast<double>(terms);
  const double in_order = std::min<double>(n, terms_in_order);
  const double parts = terms > terms_in_order ? n / terms_in_order : 0;
  return error_per_root_term * std::sqrt(in_order + parts);
}

double relative_error_of_equal_terms(std::int64_t terms) {
  return error_per_equal_term *
         static_cast<double>(std::min<std::int64_t>(terms, equal_terms_in_order));
}

std::vector<PrecisionLimits> measure_limits(const Workload& workload, std::optional<Probe> probe,
                                            const std::function<Draw(std::uint64_t seed)>& draw) {
  const std::vector<Output>& outputs = workload.contract().outputs;
  std::vector<PrecisionLimits> limits;
  for (const Output& output : outputs) limits.push_back(own_limits(output));
  if (!workload.contract().longest_sums) {
    if (probe) follow_magnitude(limits, draw);
    return limits;
  }
  const std::vector<std::int64_t> terms = longest_sums(workload);
  std::vector<Yardstick> largest;
  OutputParts parts;
  std::uint64_t needed = draws;
  for (std::uint64_t seed = 1; seed <= needed; ++seed) {
    const Draw drawn = draw(seed);
    needed = draws_of(drawn.references);
    const auto measure = [&] { return of_draw(workload, terms, drawn, probe, seed); };
    const bool on_gpu = drawn.references.front().is_cuda();
    const std::vector<Yardstick> found = on_gpu ? with_gpu_memory(measure) : measure();
    largest.resize(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) largest[i].raise(found[i]);
    parts = drawn.parts;
  }
  const std::vector<Measured> all = measured(outputs, parts);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [output, part] = all[i];
    PrecisionLimits own = limits_of(outputs[output], largest[i], terms[output], probe.has_value());
    if (part == nullptr) {
      limits[output] = std::move(own);
      continue;
    }
    // Draws without an element of the part, or with zeros alone, say nothing of it.
    if (largest[i].output == 0) own = limits[output].of_whole();
    own.part = part->name;
    limits[output].parts.push_back(std::move(own));
  }
  return limits;
}

}  // namespace robust_kbench
