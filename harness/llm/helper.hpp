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
// Functions throw HarnessError where the helper dies, says nothing for longer than its requests may
// take, or writes what is no event. All requests under way end so, and so does each later one.
class Helper : public Transport, public Renderer {
 public:
  // Starts it, and waits until it has opened.
  explicit Helper(const HelperStart& start);

  [[nodiscard]] std::string name() const override { return "helper"; }
  [[nodiscard]] bool is_paid() const override { return true; }
  Answer ask(const Question& question, AttemptGate& gate) override;
  Rendered render(const std::string& prompt, const nlohmann::json& data, const std::string& secret,
                  const std::string& call) override;

  // What one attempt would cost at most. Throws UserError with the helper's reason.
  // What so many tokens usually cost today, without a cache; none: the model has no price.
  std::optional<MicroDollars> usual_cost(const std::string& model, std::int64_t input_tokens,
                                         int output_tokens);
  Reservation estimate(const std::string& model, std::int64_t input_bytes, int max_output_tokens);
  // The models that a provider's endpoint offers. Throws UserError with the helper's reason.
  std::vector<std::string> models(const std::string& provider);
  // What it said when it opened: `python`, a version, and `packages`, an object of versions.
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
