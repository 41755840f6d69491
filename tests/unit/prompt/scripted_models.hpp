#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../archive/archive_directory.hpp"
#include "archive/archive.hpp"
#include "archive/journal.hpp"
#include "llm/ledger.hpp"
#include "llm/model_client.hpp"
#include "prompt/model_session.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// A question as a scripted model sees it: its name, its prompt and the data of that, and its mark.
struct ScriptedQuestion {
  std::string call;
  std::string prompt;
  nlohmann::json data;
  std::string mark;
};

// A model that answers with a function. It keeps what it was asked. With a reservation it is paid:
// each attempt reserves so much, and costs `bill` times as much.
class ScriptedModel : public Transport {
 public:
  using Script = std::function<Answer(const ScriptedQuestion&)>;
  explicit ScriptedModel(Script script) : m_script(std::move(script)) {}

  [[nodiscard]] std::string name() const override { return "scripted"; }
  [[nodiscard]] bool is_paid() const override { return reservation.has_value(); }
  Answer ask(const Question& question, AttemptGate& gate) override {
    if (reservation && !gate.grant("stub.example", *reservation)) {
      return {.outcome = ModelOutcome::not_granted};
    }
    const auto content = nlohmann::json::parse(question.messages.at(0).content);
    const ScriptedQuestion scripted{question.call, content["prompt"], content["data"],
                                    content["mark"]};
    {
      const std::lock_guard lock(m_mutex);
      asked.push_back(question);
      questions.push_back(scripted);
    }
    Answer answer = m_script(scripted);
    if (reservation) {
      gate.ended({.status = "ok",
                  .usage = TokenUsage{.input = bill * reservation->input_tokens,
                                      .output = bill * reservation->output_tokens}});
    }
    return answer;
  }

  std::optional<Reservation> reservation;
  std::int64_t bill = 1;
  std::vector<Question> asked;
  std::vector<ScriptedQuestion> questions;

 private:
  const Script m_script;
  std::mutex m_mutex;
};

// Renders a prompt as JSON of its name, its data and its mark.
class JsonRenderer : public Renderer {
 public:
  Rendered render(const std::string& prompt, const nlohmann::json& data, const std::string& secret,
                  const std::string& call) override {
    const std::string mark = "mark-of-" + call + secret;
    const nlohmann::json content{{"prompt", prompt}, {"data", data}, {"mark", mark}};
    return {{{"user", content.dump()}}, mark};
  }
};

// A run of an archive in which a scripted model is asked. A second one of the same directory goes
// on with the run.
class ScriptedRun {
 public:
  ScriptedRun(const std::filesystem::path& place, ScriptedModel::Script script)
      : model(std::move(script)),
        archive(place, Archive::Mode::create),
        m_run(held_run(archive)),
        m_journal(archive, m_run),
        m_ledger(archive, {.cap = {}}),
        m_client(m_journal, m_ledger, &model),
        session(
            m_client, m_journal, "", [this]() -> Renderer& { return m_renderer; }, 1,
            usual_scrubber(place)) {}

  ScriptedModel model;
  Archive archive;

 private:
  static std::string held_run(Archive& archive) {
    if (archive.runs().empty()) {
      archive.begin_run({"scaling", Direction::forward}, Device::cpu, 1, nlohmann::json::object());
    }
    archive.hold(archive.runs().front().id);
    return archive.runs().front().id;
  }

  const std::string m_run;
  Journal m_journal;
  Ledger m_ledger;
  ModelClient m_client;
  JsonRenderer m_renderer;

 public:
  ModelSession session;
  [[nodiscard]] const std::string& run() const { return m_run; }
};

// A verifier's answer that keeps to its form.
inline Answer verdict_answer(const std::string& mark, bool valid, const std::string& error_class,
                             const std::string& reason = "so it is") {
  const nlohmann::json object{{"mark", mark},
                              {"valid", valid},
                              {"class", valid ? "none" : error_class},
                              {"reasons", {reason}},
                              {"line", valid ? 0 : 3}};
  return {.text = "I have looked.\n" + object.dump()};
}

}  // namespace robust_kbench
