#include "propose/tune_proposer.hpp"

#include <utility>

#include "source/source_error.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// The space of the parent's tunables. A proposal may lack a constant that the tuning file beside
// its start names. Then the comments of its own text alone count, which the gate has read.
TunableSpace space_of(const Candidate& parent, const std::map<std::string, long long>& facts) {
  try {
    return TunableSpace::of(parent.text, facts, parent.declarations);
  } catch (const SourceError&) {
    return TunableSpace::of(parent.text, facts);
  }
}

std::string skeleton_of(const TunableSpace& space) {
  Setting first;
  for (const Tunable& tunable : space.tunables()) first[tunable.name] = tunable.values.front();
  return space.apply(first);
}

}  // namespace

TuneProposer::TuneProposer(std::uint64_t seed, int budget,
                           std::map<std::string, long long> device_facts)
    : Proposer({.name = "tune", .works_without_profile = true}),
      m_seed(seed),
      m_budget(budget),
      m_device_facts(std::move(device_facts)) {}

void TuneProposer::look_at(const Candidate& parent) {
  if (parent.hash == m_parent) return;
  m_parent = parent.hash;
  TunableSpace space = space_of(parent, m_device_facts);
  if (space.size() <= 1) {
    m_space.reset();
    return;
  }
  std::string skeleton = skeleton_of(space);
  if (m_space && m_space->skeleton == skeleton) return;
  m_space = Space{.skeleton = std::move(skeleton),
                  .tunables = space,
                  .search = ParameterSearch(space, m_seed, m_budget)};
  m_asked.clear();
  if (!space.allows(space.current())) return;  // so the search does not begin with it
  if (const std::optional<Setting> current = m_space->search.ask()) {
    m_space->search.tell(*current, 1.0);
  }
}

std::optional<Proposer::Job> TuneProposer::begin(const ProposalRequest& request) {
  look_at(request.parent);
  if (!m_space) return std::nullopt;
  const std::optional<Setting> setting = m_space->search.ask();
  if (!setting) return std::nullopt;
  Proposal proposal{.text = m_space->tunables.apply(*setting)};
  for (const auto& [name, value] : *setting) {
    proposal.settings["tunables"][name] = value;
    if (m_space->tunables.current().at(name) == value) continue;
    proposal.strategy += (proposal.strategy.empty() ? "" : ", ") + name + " = " + value;
  }
  m_asked[proposal.text] = *setting;
  return job_of(std::move(proposal));
}

void TuneProposer::learn(const ProposalResult& result) {
  const auto asked = m_asked.find(result.text);
  if (!m_space || asked == m_asked.end()) return;
  std::optional<double> cost;
  if (result.speedup) cost = m_space->parent_cost / *result.speedup;
  m_space->search.tell(asked->second, cost);
  if (result.accepted && cost) m_space->parent_cost = *cost;
}

}  // namespace robust_kbench
