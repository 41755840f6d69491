#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "archive/journal.hpp"
#include "core/scrub.hpp"
#include "llm/model_client.hpp"
#include "llm/question.hpp"
#include "llm/transport.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// A model, and the settings with which it is asked.
struct ModelChoice {
  std::string model;  // "provider/name"
  std::optional<double> temperature = {};
  std::string effort = {};  // low, medium or high; empty: the endpoint's own
  int max_output_tokens = 8192;
  std::string output_setting = {};  // that this limit is from, for messages; empty: none

  friend bool operator==(const ModelChoice&, const ModelChoice&) = default;
};

// The choice that settings make: `auto` leaves temperature or effort to the endpoint.
// `output_setting` names the setting with the limit of the output.
ModelChoice model_choice(const std::string& model, const std::string& temperature,
                         const std::string& effort, int max_output_tokens,
                         const std::string& output_setting);

void to_json(nlohmann::json& json, const ModelChoice& choice);

// A question by one of the prompts of docs/prompts.md.
struct ModelRequest {
  std::string call;            // unique in the run: "propose/12"
  std::string stage;           // by which costs are summed
  std::string purpose = {};    // within the stage
  std::int64_t proposal = 0;   // ProposalRow::id; 0: none
  std::string prompt;          // the template's name
  nlohmann::json data;         // for it
  nlohmann::json schema = {};  // JSON schema of the answer; null: free text
  // Whether the run goes on after a failure, which is kept then. Else the question is asked again
  // when the run is resumed.
  bool keep_failure = true;
  bool keep_refusal = true;  // the same of one that the cap did not allow
};

struct ModelReply {
  Answer answer;
  std::string mark;  // of the prompt
};

// The listener of a conversation. Threads call it, one at a time.
struct ModelListener {
  std::function<void(const std::string& call)> answered = {};
  std::function<void(const std::string& note)> noted = {};  // none: notes go to stderr
};

// The conversation of a run with language models. Prompts and answers are effects of the run, so a
// run that goes on or is replayed asks nothing twice. Any thread may ask, several at a time. All
// that a prompt is filled in with is scrubbed first.
class ModelSession {
 public:
  // Gets the renderer when there is a prompt that the journal does not know. It may start a
  // program.
  using RendererOf = std::function<Renderer&()>;

  // The references outlive this object. `secret` makes the marks of prompts (llm/mark_secret.hpp).
  ModelSession(ModelClient& client, Journal& journal, std::string secret, RendererOf renderer_of,
               double timeout_s, Scrubber scrubber);

  // The listener hears of each later call of ask(), so what it refers to outlives them.
  void listen(ModelListener listener);
  // Asks, and returns whatever becomes of the question. A note says so the first time that a
  // model's endpoint ignores a setting, has to be asked in another way, or gives no text. Throws
  // UserError for a prompt that cannot be rendered.
  ModelReply ask(const ModelRequest& request, const ModelChoice& choice);

 private:
  Rendered rendered(const ModelRequest& request);
  Renderer& renderer();
  void note(const std::string& text) const;
  void tell(const std::string& call, const std::string& model, const Answer& answer);

  ModelClient& m_client;
  Journal& m_journal;
  const std::string m_secret;
  const RendererOf m_renderer_of;
  const double m_timeout_s;
  const Scrubber m_scrubber;
  std::mutex m_starting;
  Renderer* m_renderer = nullptr;
  std::mutex m_telling;
  ModelListener m_listener;
  std::set<std::pair<std::string, std::string>> m_ignored;  // settings by model
  std::set<std::pair<std::string, std::string>> m_noted;    // notes by model
  std::set<std::string> m_failed;                           // models
};

}  // namespace robust_kbench
