#include "llm/helper_events.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;

// A number of tokens of one call, or of millionths of a dollar, that exceeds every cap. Sums of a
// million such numbers do not overflow.
constexpr std::int64_t beyond_each_cap = most_micro_dollars.count + 1;

// A count that an endpoint reports. However large it is, it is no fault of the helper's, so
// `beyond_each_cap` replaces a larger one. Throws json::exception where the event lacks the member.
std::int64_t reported_count(const json& event, const char* name) {
  const json& value = event.at(name);
  // An integer of more than 64 bits is read as a double.
  if (value.is_number() && value.get<double>() >= static_cast<double>(beyond_each_cap)) {
    return beyond_each_cap;
  }
  const bool is_count = value.is_number_integer() && value >= 0;
  if (!is_count) throw BrokenEvent("'" + std::string(name) + "' is " + value.dump());
  return value.get<std::int64_t>();
}

json price_of(const json& event) {
  json price = event.value("price", json());
  if (!price.is_null() && !price.is_object()) throw BrokenEvent("'price' is " + price.dump());
  return price;
}

std::optional<MicroDollars> amount_of(const json& event, const char* name) {
  if (!event.contains(name) || event[name].is_null()) return std::nullopt;
  return MicroDollars{reported_count(event, name)};
}

std::optional<TokenUsage> usage_of(const json& event) {
  if (event.at("usage").is_null()) return std::nullopt;
  const json& usage = event["usage"];
  return TokenUsage{.input = reported_count(usage, "input_tokens"),
                    .cached_input = reported_count(usage, "cached_input_tokens"),
                    .output = reported_count(usage, "output_tokens"),
                    .reasoning = reported_count(usage, "reasoning_tokens")};
}

template <typename Read>
auto read_event(const json& event, const Read& read) {
  try {
    return read();
  } catch (const std::exception& error) {
    throw BrokenEvent("its event '" + event.value("event", "") +
                      "' breaks the contract: " + error.what());
  }
}

}  // namespace

Reservation reservation_of(const json& event) {
  return read_event(event, [&] {
    return Reservation{.input_tokens = reported_count(event, "input_tokens"),
                       .output_tokens = reported_count(event, "output_tokens"),
                       .cost = amount_of(event, "micro_usd"),
                       .price = price_of(event)};
  });
}

std::optional<MicroDollars> usual_cost_of(const json& event) {
  return read_event(event, [&] { return amount_of(event, "usual_micro_usd"); });
}

AttemptEnd attempt_end_of(const json& event) {
  return read_event(event, [&] {
    AttemptEnd end{.status = event.at("status"),
                   .seconds = event.at("seconds"),
                   .is_billable = event.at("billable"),
                   .usage = usage_of(event),
                   .cost = amount_of(event, "micro_usd"),
                   .message = event.value("message", "")};
    if (event.contains("at_most") && !event["at_most"].is_null()) {
      end.at_most = reservation_of(event["at_most"]);
    }
    // The price list and the endpoint may disagree. The higher cost is charged.
    const auto reported = amount_of(event, "reported_micro_usd");
    if (reported && (!end.cost || *reported > *end.cost)) end.cost = reported;
    return end;
  });
}

Answer answer_of_event(const json& event) {
  return read_event(event, [&] {
    return Answer{.outcome = parse_outcome(event.at("outcome").get<std::string>()),
                  .text = event.at("text"),
                  .finish_reason = event.value("finish_reason", ""),
                  .ignored = event.value("ignored", std::vector<std::string>()),
                  .message = event.value("message", ""),
                  .notes = event.value("notes", std::vector<std::string>())};
  });
}

Rendered rendered_of(const json& event) {
  return read_event(event, [&] {
    Rendered rendered{.messages = {}, .mark = event.at("mark")};
    for (const json& message : event.at("messages")) {
      rendered.messages.push_back({message.at("role"), message.at("content")});
    }
    return rendered;
  });
}

}  // namespace robust_kbench
