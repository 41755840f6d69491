#pragma once

#include <optional>
#include <string>

#include "llm/question.hpp"

namespace robust_kbench {

// The highest possible cost of an attempt.
struct Reservation {
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::optional<MicroDollars> cost;  // nullopt: the model has no price
  nlohmann::json price = {};         // the entry of the price list behind it; null: none

  [[nodiscard]] std::int64_t tokens() const { return input_tokens + output_tokens; }
};

// The result of an attempt.
struct AttemptEnd {
  std::string status;  // ok, rate_limited, timeout and so on, as docs/llm_helper.md lists them
  double seconds = 0;
  bool is_billable = true;           // false: nothing was sent, or it was refused before an answer
  std::optional<TokenUsage> usage;   // nullopt: the endpoint reported none
  std::optional<MicroDollars> cost;  // nullopt: neither a usage with a price nor a reported cost
  std::string message;
  // The highest possible cost where there is no usage; nullopt: the reservation.
  std::optional<Reservation> at_most = {};
};

// Decides whether an attempt may be made, and receives its end. Each granted attempt ends once.
class AttemptGate {
 public:
  virtual ~AttemptGate() = default;
  virtual bool grant(const std::string& host, const Reservation& reservation) = 0;
  virtual void ended(const AttemptEnd& end) = 0;
};

// A way to get answers. Any thread may ask, several at a time.
class Transport {
 public:
  virtual ~Transport() = default;
  // "helper" or "manual".
  [[nodiscard]] virtual std::string name() const = 0;
  // Whether its attempts may cost something, so that it asks the gate before each.
  [[nodiscard]] virtual bool is_paid() const = 0;
  // Returns an answer for each outcome of the question. Throws only where the transport itself
  // fails.
  virtual Answer ask(const Question& question, AttemptGate& gate) = 0;
};

// A prompt as messages. `mark` is the line that fences foreign text in it.
struct Rendered {
  std::vector<Message> messages;
  std::string mark;
};

// Fills in prompts. Any thread may call it.
class Renderer {
 public:
  virtual ~Renderer() = default;
  // `prompt` names a template, `data` is an object, and `call` and `secret` (64 hexadecimal digits)
  // make the mark. Throws UserError with the renderer's reason.
  virtual Rendered render(const std::string& prompt, const nlohmann::json& data,
                          const std::string& secret, const std::string& call) = 0;
};

}  // namespace robust_kbench
