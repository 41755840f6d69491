#include "llm/helper.hpp"

#include <chrono>

#include "core/error.hpp"
#include "llm/helper_events.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;
using Seconds = HelperProcess::Seconds;

json request_of(const Question& question) {
  json messages = json::array();
  for (const Message& message : question.messages) {
    messages.push_back({{"role", message.role}, {"content", message.content}});
  }
  json request{{"op", "ask"},
               {"model", question.model},
               {"messages", messages},
               {"max_output_tokens", question.max_output_tokens},
               {"timeout_s", question.timeout_s}};
  if (question.temperature) request["temperature"] = *question.temperature;
  if (!question.effort.empty()) request["effort"] = question.effort;
  if (!question.schema.is_null()) request["schema"] = question.schema;
  if (!question.output_setting.empty()) request["output_setting"] = question.output_setting;
  return request;
}

bool is(const json& event, const char* name) {
  return event.contains("event") && event["event"] == name;
}

std::string reason_of(const json& event) {
  return event.value("reason", "the helper gave no reason");
}

// The attempts of one question, between the helper and the gate.
class Attempts {
 public:
  Attempts(HelperProcess::Request& request, AttemptGate& gate, Seconds timeout)
      : m_request(request), m_gate(gate), m_timeout(timeout) {}

  void begin(const json& event) {
    const json& number = event.at("attempt");
    const auto leave = [&](bool granted) {
      m_request.send({{"op", "leave"}, {"attempt", number}, {"granted", granted}});
    };
    try {
      m_is_open = m_gate.grant(event.at("host"), reservation_of(event));
    } catch (...) {
      leave(false);  // or it would wait for ever, and keep others from its host
      throw;
    }
    leave(m_is_open);
  }

  void end(const json& event) {
    const json retry = event.value("retry_in_s", json(nullptr));
    const Seconds pause{retry.is_number() ? retry.get<double>() : 0};
    m_request.be_patient(pause + m_timeout);
    if (m_is_open) m_gate.ended(attempt_end_of(event));
    m_is_open = false;
  }

  [[nodiscard]] bool is_open() const { return m_is_open; }

 private:
  HelperProcess::Request& m_request;
  AttemptGate& m_gate;
  const Seconds m_timeout;
  bool m_is_open = false;
};

}  // namespace

Helper::Helper(const HelperStart& start) : m_process(start), m_limits(start.limits) {
  const json request{{"op", "open"},
                     {"version", 1},
                     {"providers", start.providers},
                     {"concurrency", start.concurrency}};
  m_versions = once<json>(request, "opened", [](const json& event) {
    return json{{"python", event.at("python")}, {"packages", event.at("packages")}};
  });
}

Answer Helper::ask(const Question& question, AttemptGate& gate) {
  const Seconds timeout = Seconds(question.timeout_s) + m_limits.grace;
  HelperProcess::Request request(m_process, request_of(question), timeout);
  Attempts attempts(request, gate, timeout);
  while (true) {
    const json event = request.next();
    try {
      if (is(event, "attempt")) {
        attempts.begin(event);
      } else if (is(event, "attempt_ended")) {
        attempts.end(event);
      } else if (is(event, "failed")) {
        return {.outcome = ModelOutcome::error, .message = reason_of(event)};
      } else if (is(event, "answer") && !attempts.is_open()) {
        return answer_of_event(event);
      } else {
        throw BrokenEvent("its event " + event.value("event", json()).dump() +
                          " is none that may come now");
      }
    } catch (const json::exception& error) {
      m_process.refuse(error.what());
    } catch (const BrokenEvent& error) {
      m_process.refuse(error.what());
    }
  }
}

Rendered Helper::render(const std::string& prompt, const json& data, const std::string& secret,
                        const std::string& call) {
  const json request{
      {"op", "render"}, {"prompt", prompt}, {"data", data}, {"secret", secret}, {"call", call}};
  return once<Rendered>(request, "rendered", rendered_of);
}

std::optional<MicroDollars> Helper::usual_cost(const std::string& model, std::int64_t input_tokens,
                                               int output_tokens) {
  const json request{{"op", "estimate"},
                     {"model", model},
                     {"input_bytes", input_tokens},
                     {"max_output_tokens", output_tokens}};
  return once<std::optional<MicroDollars>>(request, "estimated", usual_cost_of);
}

Reservation Helper::estimate(const std::string& model, std::int64_t input_bytes,
                             int max_output_tokens) {
  const json request{{"op", "estimate"},
                     {"model", model},
                     {"input_bytes", input_bytes},
                     {"max_output_tokens", max_output_tokens}};
  return once<Reservation>(request, "estimated", reservation_of);
}

std::vector<std::string> Helper::models(const std::string& provider) {
  using Names = std::vector<std::string>;
  return once<Names>({{"op", "models"}, {"provider", provider}}, "models",
                     [](const json& event) { return event.at("names").get<Names>(); });
}

template <typename Result>
Result Helper::once(const json& request, const char* expected,
                    const std::function<Result(const json&)>& read) {
  HelperProcess::Request sent(m_process, request, m_limits.own_work);
  const json event = sent.next();
  if (is(event, "failed")) throw UserError(reason_of(event));
  if (!is(event, expected)) {
    m_process.refuse("it has written no event '" + std::string(expected) + "'");
  }
  try {
    return read(event);
  } catch (const json::exception& error) {
    m_process.refuse(error.what());
  } catch (const BrokenEvent& error) {
    m_process.refuse(error.what());
  }
}

}  // namespace robust_kbench
