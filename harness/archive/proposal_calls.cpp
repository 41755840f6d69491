#include "archive/proposal_calls.hpp"

#include <set>

#include "core/error.hpp"
#include "core/parse_json.hpp"

namespace robust_kbench {
namespace {

using nlohmann::json;

// A sum is nullopt if any part is.
class Sum {
 public:
  void add(std::optional<MicroDollars> amount) {
    m_is_known = m_is_known && amount;
    m_amount = m_amount + amount.value_or(MicroDollars{});
  }
  [[nodiscard]] std::optional<MicroDollars> amount() const {
    return m_is_known ? std::optional(m_amount) : std::nullopt;
  }

 private:
  MicroDollars m_amount;
  bool m_is_known = true;
};

void append(json& messages, const CallIdentity& identity, const std::string& request_text,
            const json& answer) {
  try {
    const json request = parse_json(request_text);
    // If the model failed, rules wrote the feedback, and the request is no part of it.
    const bool is_profile = identity.stage == profile_stage;
    if (is_profile && answer.value("outcome", "") != "ok") return;
    for (const json& message : request.at("messages")) messages.push_back(message);
    messages.push_back({{"role", "assistant"}, {"content", answer.at("text")}});
  } catch (const json::exception& error) {
    throw UserError("the call " + identity.call + " of run " + identity.run +
                    " cannot be read: " + error.what());
  }
}

}  // namespace

std::map<std::int64_t, ProposalCosts> proposal_costs(const std::vector<CallRow>& calls) {
  std::map<std::int64_t, Sum> proposing;
  std::map<std::int64_t, std::map<std::string, Sum>> verifying;
  for (const CallRow& call : calls) {
    const CallIdentity& identity = call.identity;
    const bool is_open = call.state == CallState::reserved;
    Sum& sum = identity.stage == verify_stage ? verifying[identity.proposal][identity.purpose]
                                              : proposing[identity.proposal];
    sum.add(is_open ? call.reserved : call.charged);
  }
  std::map<std::int64_t, ProposalCosts> costs;
  for (const auto& [proposal, sum] : proposing) costs[proposal].proposing = sum.amount();
  for (const auto& [proposal, sums] : verifying) {
    for (const auto& [purpose, sum] : sums) costs[proposal].by_verifier[purpose] = sum.amount();
  }
  return costs;
}

ProposalMessages proposal_messages(const Archive& archive, const std::vector<CallRow>& calls,
                                   std::int64_t proposal) {
  ProposalMessages messages;
  std::set<std::string> seen;  // a question has a row for each attempt
  for (const CallRow& call : calls) {
    const CallIdentity& identity = call.identity;
    if (identity.proposal != proposal || !seen.insert(identity.request_hash).second) continue;
    const std::optional<json> answer = archive.effect(identity.run, identity.answer_key());
    if (!answer) continue;
    json& list = identity.stage == verify_stage    ? messages.by_verifier[identity.purpose]
                 : identity.stage == profile_stage ? messages.profiling
                                                   : messages.proposing;
    if (list.is_null()) list = json::array();
    append(list, identity, archive.content(identity.request_hash), *answer);
  }
  return messages;
}

}  // namespace robust_kbench
