#include "worker/glue.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "worker/boxed_library.hpp"
#include "worker/table.hpp"
#include "worker/tensor.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr std::int32_t most_step_results = 64;

// Thrown where a function returned another shape than the plan has.
struct OtherShape {
  std::string text;
};

std::string text_of(const std::vector<std::optional<GlueShape>>& shapes) {
  nlohmann::json text = nlohmann::json::array();
  for (const auto& shape : shapes) {
    text.push_back(shape ? nlohmann::json(*shape) : nlohmann::json(nullptr));
  }
  return text.dump();
}

std::optional<GlueShape> shape_of(const rkb_value& value) {
  if (value.kind != RKB_TENSOR) return std::nullopt;
  return GlueShape(value.as.tensor->sizes, value.as.tensor->sizes + value.as.tensor->dim);
}

std::vector<std::optional<GlueShape>> shapes_of(const std::vector<rkb_value>& values) {
  std::vector<std::optional<GlueShape>> shapes;
  shapes.reserve(values.size());
  for (const rkb_value& value : values) shapes.push_back(shape_of(value));
  return shapes;
}

// Plans were recorded with contiguous results, so their views are valid for such tensors only.
bool is_contiguous(const rkb_value& value) {
  if (value.kind != RKB_TENSOR) return true;
  const rkb_tensor& tensor = *value.as.tensor;
  std::int64_t stride = 1;
  for (std::int32_t i = tensor.dim; i-- > 0; stride *= tensor.sizes[i]) {
    if (tensor.sizes[i] != 1 && tensor.strides[i] != stride) return false;
  }
  return true;
}

const rkb_function* find_function(const rkb_module& module, const std::string& name) {
  const rkb_function* end = module.functions + module.function_count;
  const rkb_function* found = std::find_if(
      module.functions, end, [&](const rkb_function& function) { return name == function.name; });
  return found == end ? nullptr : found;
}

// The values of one run: arguments, which are borrowed, then results, which are owned.
class Run {
 public:
  Run(GluePlan& plan, const rkb_module& module, const std::vector<rkb_value>& arguments)
      : m_plan(plan), m_module(module), m_values(arguments), m_borrowed(arguments.size()) {
    m_values.reserve(plan.values);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    for (std::size_t i = m_borrowed; i < m_values.size(); ++i) {
      if (m_values[i].kind == RKB_TENSOR) release(m_values[i].as.tensor);
    }
  }

  std::vector<rkb_value> results() {
    for (GlueStep& step : m_plan.steps) run(step);
    std::vector<rkb_value> results;
    for (const std::size_t output : m_plan.outputs) {
      results.push_back(m_values[output]);
      if (results.back().kind == RKB_TENSOR) retain(results.back().as.tensor);
    }
    return results;
  }

 private:
  void run(GlueStep& step) {
    if (step.kind == GlueStep::Kind::view) {
      view(step);
      return;
    }
    const std::vector<rkb_value>& arguments = step.arguments->with(m_values);
    std::array<rkb_value, most_step_results> results{};
    std::int32_t count = 0;
    const auto given = static_cast<std::int32_t>(arguments.size());
    if (step.kind == GlueStep::Kind::torch) {
      throw_failure(worker_table().call(step.name.c_str(), step.overload.c_str(), arguments.data(),
                                        given, results.data(), most_step_results, &count));
    } else {
      const rkb_function* function = find_function(m_module, step.name);
      throw_failure(function->call(function, arguments.data(), given, results.data(),
                                   most_step_results, &count));
      const bool is_nothing = count == 1 && results[0].kind == RKB_NONE;
      if (is_nothing && step.outputs == 0) count = 0;  // a C++ function that returns void
    }
    m_values.insert(m_values.end(), results.begin(), results.begin() + count);
    check(step, {results.begin(), results.begin() + count});
  }

  static void check(const GlueStep& step, const std::vector<rkb_value>& results) {
    const auto fail = [&](const std::string& what) {
      throw OtherShape{step.name + "() returned " + what};
    };
    if (results.size() != step.outputs) {
      fail(std::to_string(results.size()) + " results, expected " + std::to_string(step.outputs));
    }
    if (step.kind == GlueStep::Kind::torch) return;
    const auto shapes = shapes_of(results);
    for (std::size_t i = 0; i < step.results.size(); ++i) {
      if (!step.results[i]) continue;  // no later step uses this result
      if (shapes.at(i) != step.results[i]) {
        fail(text_of(shapes) + ", expected " + text_of(step.results));
      }
      if (!is_contiguous(results[i])) fail("a tensor that is not contiguous");
    }
  }

  void view(const GlueStep& step) {
    const rkb_value& viewed = m_values[step.viewed];
    if (viewed.kind != RKB_TENSOR) throw OtherShape{"a view is taken of what is no tensor"};
    rkb_tensor* tensor = viewed.as.tensor;
    rkb_value value{};
    value.kind = RKB_TENSOR;
    value.as.tensor = worker_table().as_strided(tensor, step.sizes.data(), step.strides.data(),
                                                static_cast<std::int32_t>(step.sizes.size()),
                                                tensor->storage_offset + step.offset);
    if (value.as.tensor == nullptr) throw_failure(RKB_EXCEPTION);
    m_values.push_back(value);
  }

  GluePlan& m_plan;
  const rkb_module& m_module;
  std::vector<rkb_value> m_values;
  std::size_t m_borrowed;
};

}  // namespace

void throw_failure(std::int32_t status) {
  switch (status) {
    case RKB_OK:
      return;
    case RKB_OUT_OF_MEMORY:
      throw SubjectError(Failure::out_of_memory, last_error());
    case RKB_BAD_ARGUMENTS:
      throw SubjectError(Failure::load_error, last_error());
    default:
      throw SubjectError(Failure::exception, last_error());
  }
}

Glue::Glue(std::string_view text, const rkb_module& module, bool on_gpu) : m_module(module) {
  try {
    const nlohmann::json glue = parse_json(text);
    for (const nlohmann::json& plan : glue.at("plans")) {
      m_plans.push_back(read_glue_plan(plan, on_gpu));
      for (const GlueStep& step : m_plans.back().steps) {
        if (step.kind == GlueStep::Kind::kernel && find_function(module, step.name) == nullptr) {
          throw HarnessError("the glue calls " + step.name + "(), which the module does not have");
        }
      }
    }
    for (const nlohmann::json& parameter : glue.at("parameters")) {
      m_parameters.push_back({.name = parameter.at("name").get<std::string>(),
                              .kind = parameter.at("kind").get<int>(),
                              .optional = parameter.at("optional").get<bool>(),
                              .has_default = false});
    }
  } catch (const std::exception& error) {
    throw SubjectError(Failure::load_error, std::string("the kernel's glue: ") + error.what());
  }
}

// Loads torch early, since the first call would take that long otherwise.
void Glue::load_torch() const {
  const auto calls_torch = [](const GluePlan& plan) {
    return std::ranges::any_of(
        plan.steps, [](const GlueStep& step) { return step.kind == GlueStep::Kind::torch; });
  };
  if (!std::ranges::any_of(m_plans, calls_torch)) return;
  try {
    (void)boxed_call(worker_table());
  } catch (const HarnessError&) {  // the call will report the error
  }
}

std::vector<rkb_value> Glue::call(const std::vector<rkb_value>& arguments) {
  const auto shapes = shapes_of(arguments);
  std::string other;
  for (std::size_t i = 0; i < m_plans.size(); ++i) {
    if (m_plans[i].shapes != shapes) continue;
    if (!m_plans[i].raised.empty()) {
      throw SubjectError(Failure::exception,
                         "forward() raises for these shapes: " + m_plans[i].raised);
    }
    try {
      std::vector<rkb_value> results = Run(m_plans[i], m_module, arguments).results();
      // Most calls have the same shapes as the last one, so its plan is searched first.
      std::swap(m_plans[i], m_plans.front());
      return results;
    } catch (const OtherShape& shape) {
      if (other.empty()) other = shape.text;
    }
  }
  if (other.empty()) {
    throw SubjectError(Failure::exception, "forward() was not recorded for the shapes " +
                                               text_of(shapes) + "; import the problem with them");
  }
  throw SubjectError(Failure::exception, other + ": forward() was not recorded for that");
}

}  // namespace robust_kbench
