#pragma once

#include <filesystem>
#include <functional>

#include "llm/transport.hpp"

namespace robust_kbench {

// Asks a person or an agent. It writes `requests/<call>.md` in a directory, with each '/' of the
// call's name as '-', and waits for `answers/<call>.md`, which must be renamed into place.
class ManualTransport : public Transport {
 public:
  // `give_up` is called during the wait. If it returns true, the answer is an error.
  ManualTransport(std::filesystem::path directory, std::function<bool()> give_up);

  [[nodiscard]] std::string name() const override { return "manual"; }
  [[nodiscard]] bool is_paid() const override { return false; }
  Answer ask(const Question& question, AttemptGate& gate) override;

 private:
  const std::filesystem::path m_directory;
  const std::function<bool()> m_give_up;
};

}  // namespace robust_kbench
