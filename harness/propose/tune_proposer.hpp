#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "propose/proposer.hpp"
#include "tune/parameter_search.hpp"

namespace robust_kbench {

// Proposes other values of the parent's tunables. The search begins anew with each parent that has
// other tunables than the one before.
class TuneProposer : public Proposer {
 public:
  // At most `budget` settings of a parent are tried. Restrictions may name `device_facts`.
  TuneProposer(std::uint64_t seed, int budget, std::map<std::string, long long> device_facts);

  std::optional<Job> begin(const ProposalRequest& request) override;
  void learn(const ProposalResult& result) override;
  [[nodiscard]] std::unique_ptr<Proposer> copy() const override {
    return std::make_unique<TuneProposer>(*this);
  }

 private:
  struct Space {
    std::string skeleton;  // the source with the first value of each tunable: what they vary
    TunableSpace tunables;
    ParameterSearch search;
    double parent_cost = 1;  // in units of the first parent of this search
  };

  void look_at(const Candidate& parent);

  const std::uint64_t m_seed;
  const int m_budget;
  const std::map<std::string, long long> m_device_facts;
  std::string m_parent;  // the hash of the source that was looked at last
  std::optional<Space> m_space;
  std::map<std::string, Setting> m_asked;  // by source
};

}  // namespace robust_kbench
