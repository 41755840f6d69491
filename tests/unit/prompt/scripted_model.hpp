#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "archive/journal.hpp"
#include "llm/ledger.hpp"
#include "llm/model_client.hpp"
#include "llm/transport.hpp"
#include "prompt/model_session.hpp"

namespace robust_kbench {

// A model that answers as a function says. Each answer is an attempt that costs 300 micro-dollars.
class ScriptedTransport : public Transport {
 public:
  using Script = std::function<Answer(const Question& question)>;
  explicit ScriptedTransport(Script script) : m_script(std::move(script)) {}

  [[nodiscard]] std::string name() const override { return "scripted"; }
  [[nodiscard]] bool is_paid() const override { return true; }
  Answer ask(const Question& question, AttemptGate& gate) override {
    const Reservation most{.input_tokens = 100, .output_tokens = 50, .cost = MicroDollars{1000}};
    if (!gate.grant("stub.example", most)) return {.outcome = ModelOutcome::not_granted};
    ++asked;
    Answer answer = m_script(question);
    gate.ended({.status = "ok",
                .usage = TokenUsage{.input = 40, .output = 20},
                .cost = MicroDollars{300}});
    return answer;
  }

  std::atomic<int> asked = 0;

 private:
  const Script m_script;
};

// Renders a prompt as its name and its data.
class PlainRenderer : public Renderer {
 public:
  Rendered render(const std::string& prompt, const nlohmann::json& data, const std::string&,
                  const std::string& call) override {
    return {.messages = {{"system", prompt}, {"user", data.dump()}}, .mark = "mark of " + call};
  }
};

// The session of a run whose model is scripted, and which may make so many calls.
struct ScriptedSession {
  ScriptedSession(Journal& journal, Transport* transport, int max_calls)
      : ledger(journal.archive(), {.cap = {.calls = max_calls}}),
        client(journal, ledger, transport),
        session(
            client, journal, std::string(64, '0'), [this]() -> Renderer& { return renderer; }, 60,
            usual_scrubber(journal.archive().directory())) {}

  PlainRenderer renderer;
  Ledger ledger;
  ModelClient client;
  ModelSession session;
};

}  // namespace robust_kbench
