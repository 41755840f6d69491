#include "prompt/model_session.hpp"

#include <cstdio>
#include <utility>

#include "process/escape.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

nlohmann::json json_of(const Rendered& rendered) {
  nlohmann::json messages = nlohmann::json::array();
  for (const Message& message : rendered.messages) {
    messages.push_back({{"role", message.role}, {"content", message.content}});
  }
  return {{"messages", messages}, {"mark", rendered.mark}};
}

Rendered rendered_prompt(const nlohmann::json& json) {
  Rendered rendered{.messages = {}, .mark = json.at("mark")};
  for (const nlohmann::json& message : json.at("messages")) {
    rendered.messages.push_back({.role = message.at("role"), .content = message.at("content")});
  }
  return rendered;
}

}  // namespace

ModelChoice model_choice(const std::string& model, const std::string& temperature,
                         const std::string& effort, int max_output_tokens,
                         const std::string& output_setting) {
  ModelChoice choice{
      .model = model, .max_output_tokens = max_output_tokens, .output_setting = output_setting};
  if (temperature != "auto") choice.temperature = std::stod(temperature);
  if (effort != "auto") choice.effort = effort;
  return choice;
}

void to_json(nlohmann::json& json, const ModelChoice& choice) {
  json = {{"model", choice.model}, {"max_output_tokens", choice.max_output_tokens}};
  if (choice.temperature) json["temperature"] = *choice.temperature;
  if (!choice.effort.empty()) json["effort"] = choice.effort;
}

ModelSession::ModelSession(ModelClient& client, Journal& journal, std::string secret,
                           RendererOf renderer_of, double timeout_s, Scrubber scrubber)
    : m_client(client),
      m_journal(journal),
      m_secret(std::move(secret)),
      m_renderer_of(std::move(renderer_of)),
      m_timeout_s(timeout_s),
      m_scrubber(std::move(scrubber)) {}

Rendered ModelSession::rendered(const ModelRequest& request) {
  return rendered_prompt(m_journal.once("prompt/" + request.call, [&] {
    const nlohmann::json data = m_scrubber.scrubbed(request.data);
    return json_of(renderer().render(request.prompt, data, m_secret, request.call));
  }));
}

Renderer& ModelSession::renderer() {
  const std::lock_guard lock(m_starting);
  if (m_renderer == nullptr) m_renderer = &m_renderer_of();
  return *m_renderer;
}

void ModelSession::listen(ModelListener listener) {
  const std::lock_guard lock(m_telling);
  m_listener = std::move(listener);
}

void ModelSession::note(const std::string& text) const {
  if (m_listener.noted) {
    m_listener.noted(text);
  } else {
    std::fprintf(stderr, "%s\n", escaped_line(text).c_str());
  }
}

void ModelSession::tell(const std::string& call, const std::string& model, const Answer& answer) {
  const std::lock_guard lock(m_telling);
  for (const std::string& setting : answer.ignored) {
    if (!m_ignored.emplace(model, setting).second) continue;
    note(fmt::format("rkb: {} is asked without '{}', which its endpoint ignores", model, setting));
  }
  for (const std::string& told : answer.notes) {
    if (m_noted.emplace(model, told).second) note(fmt::format("rkb: {}: {}", model, told));
  }
  const bool has_failed = answer.outcome != ModelOutcome::not_granted && !answer.message.empty();
  if (has_failed && m_failed.insert(model).second) {
    note(fmt::format("rkb: {} gave no answer: {}", model, answer.message));
  }
  if (m_listener.answered) m_listener.answered(call);
}

ModelReply ModelSession::ask(const ModelRequest& request, const ModelChoice& choice) {
  Rendered prompt = rendered(request);
  const Question question{.call = request.call,
                          .stage = request.stage,
                          .purpose = request.purpose,
                          .proposal = request.proposal,
                          .model = choice.model,
                          .messages = std::move(prompt.messages),
                          .max_output_tokens = choice.max_output_tokens,
                          .temperature = choice.temperature,
                          .effort = choice.effort,
                          .schema = request.schema,
                          .timeout_s = m_timeout_s,
                          .output_setting = choice.output_setting};
  ModelReply reply{.answer = m_client.ask(question), .mark = std::move(prompt.mark)};
  tell(request.call, choice.model, reply.answer);
  const ModelOutcome outcome = reply.answer.outcome;
  const bool is_refused = outcome == ModelOutcome::not_granted && request.keep_refusal;
  if (request.keep_failure && (is_refused || outcome == ModelOutcome::error)) {
    m_client.keep_failure(question, reply.answer);
  }
  return reply;
}

}  // namespace robust_kbench
