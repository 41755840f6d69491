#pragma once

#include <functional>
#include <string>
#include <vector>

#include "llm/helper_process.hpp"
#include "llm/transport.hpp"

namespace robust_kbench {

// The Python program that fills in prompts and asks endpoints (docs/llm_helper.md), as a child of
// this process. It ends with this object, and also when this process is killed. Any thread may call
// any function, several at a time.
//
// Functions throw HarnessError if the helper dies, stays silent for longer than its requests may
// take, or writes an invalid event. All current requests then fail, and so does each later one.
class Helper : public Transport, public Renderer {
 public:
  // Starts it, and waits until it is ready.
  explicit Helper(const HelperStart& start);

  [[nodiscard]] std::string name() const override { return "helper"; }
  [[nodiscard]] bool is_paid() const override { return true; }
  Answer ask(const Question& question, AttemptGate& gate) override;
  Rendered render(const std::string& prompt, const nlohmann::json& data, const std::string& secret,
                  const std::string& call) override;

  // The usual cost of so many tokens today, without a cache; nullopt: the model has no price.
  std::optional<MicroDollars> usual_cost(const std::string& model, std::int64_t input_tokens,
                                         int output_tokens);
  // The highest possible cost of one attempt. Throws UserError with the helper's reason.
  Reservation estimate(const std::string& model, std::int64_t input_bytes, int max_output_tokens);
  // The models that a provider's endpoint offers. Throws UserError with the helper's reason.
  std::vector<std::string> models(const std::string& provider);
  // The versions that it reported when it started: `python`, a version, and `packages`, an object
  // of versions.
  [[nodiscard]] const nlohmann::json& versions() const { return m_versions; }

 private:
  // The result of a request that one event answers.
  template <typename Result>
  Result once(const nlohmann::json& request, const char* expected,
              const std::function<Result(const nlohmann::json&)>& read);

  HelperProcess m_process;
  const HelperLimits m_limits;
  nlohmann::json m_versions;
};

}  // namespace robust_kbench
