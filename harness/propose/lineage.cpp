#include "propose/lineage.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace robust_kbench {
namespace {

// Twice as many as the paper draws its random ones from in a prompt.
constexpr std::size_t most_outraced = 20;

void sort_by_cost(std::vector<const Candidate*>& kernels) {
  std::ranges::stable_sort(kernels, {}, &Candidate::cost);
}

}  // namespace

void Lineage::begin(std::vector<Candidate> right_starts, Candidate first_parent) {
  m_right_starts = std::move(right_starts);
  m_accepted.push_back(std::move(first_parent));
  m_parents.push_back(&m_accepted.back());
}

std::vector<const Candidate*> Lineage::context() const {
  std::vector<const Candidate*> others;
  for (const Candidate& kernel : m_outraced) others.push_back(&kernel);
  sort_by_cost(others);
  others.resize(std::min(others.size(), most_outraced));
  others.insert(others.end(), m_parents.begin(), m_parents.end() - 1);
  for (const Candidate& start : m_right_starts) {
    if (start.id != first().id) others.push_back(&start);
  }
  sort_by_cost(others);
  return others;
}

void Lineage::accept(Candidate child) {
  m_accepted.push_back(std::move(child));
  const Candidate& accepted = m_accepted.back();
  const auto place =
      std::find_if(m_parents.begin() + 1, m_parents.end(),
                   [&](const Candidate* other) { return other->cost < accepted.cost; });
  m_parents.insert(place, &accepted);
}

const Candidate& Lineage::accepted(std::int64_t id) const {
  return *std::ranges::find(m_accepted, id, &Candidate::id);
}

std::set<std::int64_t> Lineage::line_of(const Candidate& kernel) const {
  std::set<std::int64_t> line{kernel.id};
  for (const std::int64_t id : kernel.parents) line.merge(line_of(accepted(id)));
  return line;
}

const Candidate& Lineage::last_in(const std::set<std::int64_t>& line,
                                  const Candidate& kernel) const {
  if (line.contains(kernel.id)) return kernel;
  return last_in(line, accepted(kernel.parents.front()));
}

std::vector<MissedGain> Lineage::missed_gains() const {
  const std::set<std::int64_t> line = line_of(parent());
  std::vector<MissedGain> missed;
  for (const Candidate& kernel : m_accepted) {
    const bool is_dropped = std::ranges::find(m_parents, &kernel) == m_parents.end();
    if (is_dropped || line.contains(kernel.id)) continue;
    missed.push_back({.gain = &kernel, .base = &last_in(line, kernel)});
  }
  return missed;
}

void Lineage::keep_profile(std::int64_t id, std::optional<ProfileRecord> profile) {
  std::ranges::find(m_accepted, id, &Candidate::id)->profile = std::move(profile);
}

void Lineage::add_outraced(Candidate child) {
  m_outraced.push_back(std::move(child));
}

}  // namespace robust_kbench
