#include "propose/proposer_round.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace robust_kbench {
namespace {

std::string begun_key(std::int64_t id) {
  return fmt::format("begun/{}", id);
}

bool any_takes_long(const std::vector<std::unique_ptr<Proposer>>& proposers) {
  return std::ranges::any_of(proposers, [](const auto& each) { return each->facts().takes_long; });
}

}  // namespace

ProposerRound::ProposerRound(std::vector<std::unique_ptr<Proposer>> proposers, Journal& journal)
    : m_proposers(std::move(proposers)),
      m_journal(journal),
      m_takes_long(any_takes_long(m_proposers)) {
  std::vector<double> shares;
  for (const auto& proposer : m_proposers) {
    if (proposer->facts().comes_first) continue;
    m_sharing.push_back(proposer.get());
    shares.push_back(proposer->facts().share);
  }
  m_turns = Turns(std::move(shares));
}

bool ProposerRound::works_without_profile() const {
  return std::ranges::all_of(m_proposers,
                             [](const auto& each) { return each->facts().works_without_profile; });
}

bool ProposerRound::has_begun(std::int64_t id) const {
  return m_takes_long && m_journal.find(begun_key(id)).has_value();
}

std::optional<BegunProposal> ProposerRound::begin_by(Proposer& proposer,
                                                     const ProposalRequest& request) {
  if (proposer.facts().takes_long) {
    const std::optional<nlohmann::json> known = m_journal.find(begun_key(request.id));
    if (known ? *known != proposer.facts().name : m_journal.replays()) return std::nullopt;
  }
  std::optional<Proposer::Job> job = proposer.begin(request);
  if (!job) return std::nullopt;
  return BegunProposal{.proposer = &proposer, .job = *std::move(job)};
}

std::optional<BegunProposal> ProposerRound::begin(const ProposalRequest& request) {
  std::optional<BegunProposal> begun;
  const auto begins = [&](Proposer& proposer) {
    begun = begin_by(proposer, request);
    return begun.has_value();
  };
  const bool found = std::ranges::any_of(m_proposers, [&](const auto& proposer) {
    return proposer->facts().comes_first && begins(*proposer);
  });
  if (!found) (void)m_turns.offer([&](std::size_t index) { return begins(*m_sharing[index]); });
  if (begun && m_takes_long) {
    (void)m_journal.once(begun_key(request.id),
                         [&] { return nlohmann::json(begun->proposer->facts().name); });
  }
  return begun;
}

std::optional<std::string> ProposerRound::foresee(const ProposalRequest& request,
                                                  const std::string& refused) const {
  std::optional<std::string> text;
  Turns later = m_turns;
  (void)later.offer([&](std::size_t index) {
    const std::unique_ptr<Proposer> next = m_sharing[index]->copy();
    if (!next) return false;
    next->learn({.text = refused});
    const std::optional<Proposer::Job> job = next->begin(request);
    if (job) text = (*job)().text;
    return text.has_value();
  });
  return text;
}

std::string ProposerRound::nothing_more(int step) const {
  std::string reason = "nothing more to propose";
  for (const auto& proposer : m_proposers) {
    const std::string said = proposer->silence().reason;
    if (!said.empty()) reason += "; " + said;
  }
  if (!m_takes_long) return reason;
  return m_journal.once(fmt::format("nothing_more/{}", step),
                        [&] { return nlohmann::json(reason); });
}

// A run that was resumed after it ended by a proposer has gone on with the next proposal.
std::optional<std::string> ProposerRound::reason_to_end(std::int64_t next_id, int step) const {
  if (!m_takes_long || has_begun(next_id)) return std::nullopt;
  const std::string key = fmt::format("ended_by_proposers/{}", step);
  if (m_journal.replays()) {
    const auto reason = m_journal.find(key);
    return reason ? std::optional(reason->get<std::string>()) : std::nullopt;
  }
  for (const auto& proposer : m_proposers) {
    const Silence silence = proposer->silence();
    if (silence.ends_run)
      return m_journal.once(key, [&] { return nlohmann::json(silence.reason); });
  }
  return std::nullopt;
}

}  // namespace robust_kbench
