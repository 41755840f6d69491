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

// The arguments of one call in a plan. Lists keep their addresses, since values point to them.
class GlueArguments {
 public:
  // `known` is the number of values before the call. Throws HarnessError if the JSON refers to
  // others, or has anything that is no value.
  GlueArguments(const nlohmann::json& arguments, std::size_t known, bool on_gpu);
  GlueArguments(GlueArguments&&) noexcept = default;
  GlueArguments& operator=(GlueArguments&&) noexcept = default;

  // The arguments, with the plan's values filled in.
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
  std::vector<Place> m_places;  // places filled with the plan's values
};

// One step of a plan.
struct GlueStep {
  enum class Kind { kernel, torch, view };
  Kind kind = Kind::kernel;
  std::string name = {};      // name of the kernel's function or of torch's operator
  std::string overload = {};  // overload of torch's operator
  std::optional<GlueArguments> arguments = {};
  std::size_t outputs = 1;
  std::vector<std::optional<GlueShape>> results = {};  // shapes that a function must return
  // For a view: the tensor that it views, and its layout. The offset counts from that tensor's
  // first element.
  std::size_t viewed = 0;
  GlueShape sizes = {};
  GlueShape strides = {};
  std::int64_t offset = 0;
};

// The recorded steps of a solution's forward() for arguments of some shapes.
struct GluePlan {
  std::vector<std::optional<GlueShape>> shapes;  // none for an argument other than a tensor
  std::string raised;  // Python's exception for them, if any; then no steps
  std::vector<GlueStep> steps = {};
  std::vector<std::size_t> outputs = {};
  std::size_t values = 0;  // number of arguments and results of steps
};

GluePlan read_glue_plan(const nlohmann::json& plan, bool on_gpu);

}  // namespace robust_kbench
