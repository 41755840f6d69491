#include "evolve/lineage.hpp"

#include <algorithm>
#include <utility>

#include "evolve/context_kernels.hpp"

namespace robust_kbench {

void Lineage::begin(std::vector<Candidate> right_seeds, Candidate first_parent) {
  m_right_seeds = std::move(right_seeds);
  m_accepted.push_back(std::move(first_parent));
  m_parents.push_back(&m_accepted.back());
}

std::vector<const Candidate*> Lineage::context() const {
  return context_kernels(m_parents, m_right_seeds, m_outraced);
}

void Lineage::accept(Candidate child) {
  m_accepted.push_back(std::move(child));
  const Candidate& accepted = m_accepted.back();
  const auto place =
      std::find_if(m_parents.begin() + 1, m_parents.end(),
                   [&](const Candidate* other) { return other->cost < accepted.cost; });
  m_parents.insert(place, &accepted);
}

void Lineage::add_outraced(Candidate child) {
  m_outraced.push_back(std::move(child));
}

}  // namespace robust_kbench
