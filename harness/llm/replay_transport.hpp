#pragma once

#include <string>

#include "archive/call_store.hpp"
#include "llm/transport.hpp"

namespace robust_kbench {

// Gives the answers of a recorded run. No call is made.
class ReplayTransport : public Transport {
 public:
  // The store outlives this object.
  ReplayTransport(const CallStore& recorded, std::string run);

  [[nodiscard]] std::string name() const override { return "replay"; }
  [[nodiscard]] bool is_paid() const override { return false; }
  // Throws UserError where the recorded run has asked no such question.
  Answer ask(const Question& question, AttemptGate& gate) override;

 private:
  const CallStore& m_recorded;
  const std::string m_run;
};

}  // namespace robust_kbench
