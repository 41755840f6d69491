#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <kernel/robust_kbench_abi.h>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

using GlueShape = std::vector<std::int64_t>;

// The arguments of one call of a plan. Lists keep their places, since values point into them.
class GlueArguments {
 public:
  // `known`: how many values there are before the call. Throws HarnessError where the JSON refers
  // to others, or holds what no value is.
  GlueArguments(const nlohmann::json& arguments, std::size_t known, bool on_gpu);
  GlueArguments(GlueArguments&&) noexcept = default;
  GlueArguments& operator=(GlueArguments&&) noexcept = default;

  // With the plan's values in their places.
  const std::vector<rkb_value>& with(const std::vector<rkb_value>& values);

 private:
  struct Place {
    std::size_t list;
    std::size_t item;
    std::size_t value;
  };
  rkb_value read(const nlohmann::json& argument, std::size_t list, std::size_t item);
  rkb_value read_list(const nlohmann::json& argument);

  std::size_t m_known;
  bool m_on_gpu;
  std::deque<std::vector<rkb_value>> m_lists;  // the arguments first, then tuples among them
  std::deque<std::vector<std::int64_t>> m_integers;
  std::deque<std::vector<double>> m_reals;
  std::deque<std::string> m_texts;
  std::vector<Place> m_places;  // that take a value of the plan
};

// One step of a plan.
struct GlueStep {
  enum class Kind { kernel, torch, view };
  Kind kind = Kind::kernel;
  std::string name = {};      // of the kernel's function, or of torch's operator
  std::string overload = {};  // of torch's operator
  std::optional<GlueArguments> arguments = {};
  std::size_t outputs = 1;
  std::vector<std::optional<GlueShape>> results = {};  // what a function must return
  // A view's tensor, and its layout. The offset counts from that tensor's first element.
  std::size_t viewed = 0;
  GlueShape sizes = {};
  GlueShape strides = {};
  std::int64_t offset = 0;
};

// What a solution's forward did for arguments of some shapes.
struct GluePlan {
  std::vector<std::optional<GlueShape>> shapes;  // none for an argument that is no tensor
  std::string raised;                            // what Python raised for them; then nothing else
  std::vector<GlueStep> steps = {};
  std::vector<std::size_t> outputs = {};
  std::size_t values = 0;  // arguments and results of steps
};

GluePlan read_glue_plan(const nlohmann::json& plan, bool on_gpu);

}  // namespace robust_kbench
