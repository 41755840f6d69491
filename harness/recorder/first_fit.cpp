#include "recorder/first_fit.hpp"

#include <algorithm>

namespace robust_kbench::recorder {
namespace {

constexpr std::uint64_t scratch_alignment = 512;  // as cudaMalloc's at least

}  // namespace

std::optional<std::uint64_t> FirstFit::take(std::uint64_t bytes) {
  if (bytes > m_bytes) return std::nullopt;
  const std::uint64_t size = (std::max<std::uint64_t>(bytes, 1) + scratch_alignment - 1) /
                             scratch_alignment * scratch_alignment;
  std::uint64_t begin = 0;
  for (const auto& [offset, end] : m_taken) {
    if (offset - begin >= size) break;
    begin = end;
  }
  if (begin > m_bytes || size > m_bytes - begin) return std::nullopt;
  m_taken[begin] = begin + size;
  m_most = std::max(m_most, begin + size);
  return begin;
}

bool FirstFit::give(std::uint64_t offset) {
  if (!m_taken.contains(offset)) return false;
  m_given.push_back(offset);
  return true;
}

void FirstFit::settle() {
  for (const std::uint64_t offset : m_given) m_taken.erase(offset);
  m_given.clear();
}

}  // namespace robust_kbench::recorder
