#pragma once

#include <stdexcept>

#include "llm/transport.hpp"

#include <nlohmann/json.hpp>

// Readers of the helper's events (docs/llm_helper.md). All functions throw BrokenEvent for an event
// that breaks the contract.
namespace robust_kbench {

class BrokenEvent : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

Reservation reservation_of(const nlohmann::json& event);
std::optional<MicroDollars> usual_cost_of(const nlohmann::json& event);
AttemptEnd attempt_end_of(const nlohmann::json& event);
Answer answer_of_event(const nlohmann::json& event);
Rendered rendered_of(const nlohmann::json& event);

}  // namespace robust_kbench
