#include "worker/glue_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

// The CPU's device index -1 is in the high half. A worker's only GPU has index 0.
constexpr auto cpu_device = static_cast<std::int64_t>(0xffffffff00000000U);

double named_number(const std::string& name) {
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  return name == "-inf" ? -infinity : infinity;
}

std::vector<std::optional<GlueShape>> read_shapes(const json& shapes) {
  std::vector<std::optional<GlueShape>> read;
  for (const json& shape : shapes) {
    read.push_back(shape.is_null() ? std::nullopt : std::optional(shape.get<GlueShape>()));
  }
  return read;
}

GlueStep read_step(const json& step, std::size_t known, bool on_gpu) {
  if (step.contains("view")) {
    GlueStep view{.kind = GlueStep::Kind::view,
                  .viewed = step.at("view").get<std::size_t>(),
                  .sizes = step.at("sizes").get<GlueShape>(),
                  .strides = step.at("strides").get<GlueShape>(),
                  .offset = step.at("offset").get<std::int64_t>()};
    if (view.viewed >= known || view.sizes.size() != view.strides.size()) {
      throw HarnessError("the glue of the kernel has a malformed view");
    }
    return view;
  }
  const bool is_torch = step.contains("op");
  return {.kind = is_torch ? GlueStep::Kind::torch : GlueStep::Kind::kernel,
          .name = step.at(is_torch ? "op" : "call").get<std::string>(),
          .overload = step.value("overload", std::string()),
          .arguments = GlueArguments(step.at("args"), known, on_gpu),
          .outputs = step.at("outputs").get<std::size_t>(),
          .results =
              is_torch ? std::vector<std::optional<GlueShape>>() : read_shapes(step.at("results"))};
}

}  // namespace

GlueArguments::GlueArguments(const json& arguments, std::size_t known, bool on_gpu)
    : m_known(known), m_on_gpu(on_gpu) {
  m_lists.emplace_back(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) m_lists[0][i] = read(arguments[i], 0, i);
}

rkb_value GlueArguments::read(const json& argument, std::size_t list, std::size_t item) {
  rkb_value value{};
  const auto integer = [&](rkb_kind kind, std::int64_t number) {
    value.kind = kind;
    value.as.integer = number;
  };
  const auto real = [&](double number) {
    value.kind = RKB_DOUBLE;
    value.as.real = number;
  };
  if (argument.is_boolean()) {
    integer(RKB_BOOLEAN, argument.get<bool>() ? 1 : 0);
  } else if (argument.is_number_integer()) {
    integer(RKB_INT, argument.get<std::int64_t>());
  } else if (argument.is_number()) {
    real(argument.get<double>());
  } else if (argument.is_string()) {
    value.kind = RKB_STRING;
    value.as.string = m_texts.emplace_back(argument.get<std::string>()).c_str();
  } else if (argument.is_array()) {
    value = read_list(argument);
  } else if (argument.is_object() && argument.contains("t")) {
    m_places.push_back({list, item, argument.at("t").get<std::size_t>()});
    if (m_places.back().value >= m_known) {
      throw HarnessError("the glue of the kernel refers to a value that does not exist");
    }
  } else if (argument.is_object() && argument.contains("float")) {
    real(named_number(argument.at("float").get<std::string>()));
  } else if (argument.is_object() && argument.contains("dtype")) {
    integer(RKB_DTYPE, argument.at("dtype").get<std::int64_t>());
  } else if (argument.is_object() && argument.contains("device")) {
    integer(RKB_DEVICE, m_on_gpu ? std::int64_t{RKB_CUDA} : cpu_device);
  } else if (!argument.is_null()) {
    throw HarnessError("the glue of the kernel passes " + argument.dump() + ", which is no value");
  }
  return value;
}

rkb_value GlueArguments::read_list(const json& argument) {
  const auto all = [&](auto is) { return std::all_of(argument.begin(), argument.end(), is); };
  rkb_value value{};
  value.length = static_cast<std::int32_t>(argument.size());
  if (all([](const json& item) { return item.is_number_integer(); })) {
    value.kind = RKB_INT_LIST;
    value.as.integers = m_integers.emplace_back(argument.get<std::vector<std::int64_t>>()).data();
  } else if (all([](const json& item) { return item.is_number(); })) {
    value.kind = RKB_DOUBLE_LIST;
    value.as.reals = m_reals.emplace_back(argument.get<std::vector<double>>()).data();
  } else {
    const std::size_t list = m_lists.size();
    m_lists.emplace_back(argument.size());
    for (std::size_t i = 0; i < argument.size(); ++i) m_lists[list][i] = read(argument[i], list, i);
    value.kind = RKB_TUPLE;
    value.as.items = m_lists[list].data();
  }
  return value;
}

const std::vector<rkb_value>& GlueArguments::with(const std::vector<rkb_value>& values) {
  for (const Place& place : m_places) m_lists[place.list][place.item] = values[place.value];
  return m_lists[0];
}

GluePlan read_glue_plan(const json& plan, bool on_gpu) {
  GluePlan read{.shapes = read_shapes(plan.at("shapes")),
                .raised = plan.value("raised", std::string())};
  read.values = read.shapes.size();
  if (!read.raised.empty()) return read;
  for (const json& step : plan.at("steps")) {
    read.steps.push_back(read_step(step, read.values, on_gpu));
    read.values += read.steps.back().outputs;
  }
  read.outputs = plan.at("outputs").get<std::vector<std::size_t>>();
  if (std::ranges::any_of(read.outputs, [&](std::size_t i) { return i >= read.values; })) {
    throw HarnessError("the glue of the kernel returns a value that does not exist");
  }
  return read;
}

}  // namespace robust_kbench
