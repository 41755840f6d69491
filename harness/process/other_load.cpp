#include "process/other_load.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>

namespace robust_kbench {
namespace {

// The columns of a processor's line in /proc/stat: user, nice, system, idle, iowait, irq, softirq
// and steal. Guests are part of user and nice.
constexpr std::size_t stat_columns = 8;
constexpr std::size_t idle_column = 3;
constexpr std::size_t iowait_column = 4;

using Columns = std::array<std::uint64_t, stat_columns>;

// The columns of a line "cpu3 1 2 3 ...", or nothing for a processor that is not in `cpus`.
std::optional<Columns> columns_of(const std::string& line, const std::vector<int>& cpus) {
  std::istringstream words(line);
  std::string name;
  words >> name;
  const bool wanted =
      std::ranges::any_of(cpus, [&](int cpu) { return name == "cpu" + std::to_string(cpu); });
  if (!wanted) return std::nullopt;
  Columns columns{};
  for (std::uint64_t& column : columns) words >> column;
  return words ? std::optional(columns) : std::nullopt;
}

}  // namespace

OtherLoad::OtherLoad(std::vector<int> cpus, std::vector<pid_t> own, std::filesystem::path proc)
    : m_cpus(std::move(cpus)), m_own(std::move(own)), m_proc(std::move(proc)), m_begin(now()) {}

std::optional<double> OtherLoad::busy_cpus() const {
  const std::optional<Ticks> end = now();
  if (!m_begin || !end || end->all <= m_begin->all) return std::nullopt;
  const auto since = [&](std::uint64_t Ticks::*count) {
    return static_cast<double>(*end.*count) - static_cast<double>(*m_begin.*count);
  };
  const double ticks_of_each = since(&Ticks::all) / static_cast<double>(m_cpus.size());
  return std::max(0.0, (since(&Ticks::busy) - since(&Ticks::own)) / ticks_of_each);
}

std::optional<OtherLoad::Ticks> OtherLoad::now() const {
  Ticks ticks;
  std::ifstream stat(m_proc / "stat");
  for (std::string line; std::getline(stat, line) && line.starts_with("cpu");) {
    const std::optional<Columns> columns = columns_of(line, m_cpus);
    if (!columns) continue;
    const auto all = std::accumulate(columns->begin(), columns->end(), std::uint64_t{0});
    ticks.all += all;
    ticks.busy += all - (*columns)[idle_column] - (*columns)[iowait_column];
  }
  if (ticks.all == 0) return std::nullopt;
  for (const pid_t process : m_own) ticks.own += ticks_of(process);
  return ticks;
}

// The processor time of its threads and of the children that it has reaped. 0 once it has ended.
std::uint64_t OtherLoad::ticks_of(pid_t process) const {
  std::ifstream in(m_proc / std::to_string(process) / "stat");
  std::string line;
  std::getline(in, line);
  // The process's name, in parentheses, may contain anything. After it come eleven other fields,
  // then the times.
  constexpr int fields_before = 11;
  std::istringstream fields(line.substr(std::min(line.size(), line.rfind(')') + 1)));
  std::string skipped;
  for (int i = 0; i < fields_before; ++i) fields >> skipped;
  std::uint64_t ticks = 0;
  std::uint64_t time = 0;
  for (int i = 0; i < 4 && fields >> time; ++i) ticks += time;
  return ticks;
}

}  // namespace robust_kbench
