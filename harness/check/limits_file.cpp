#include "check/limits_file.hpp"

#include <algorithm>
#include <cmath>
#include <fcntl.h>
#include <sys/mman.h>

#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/write_all.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

// JSON has no infinity.
bool is_finite(const PrecisionLimits& limits) {
  const bool rms =
      !limits.rms || (std::isfinite(limits.rms->most) && std::isfinite(limits.rms->float32) &&
                      std::isfinite(limits.rms->output));
  return rms && std::isfinite(limits.atol) && std::isfinite(limits.rtol) &&
         std::ranges::all_of(limits.parts, is_finite);
}

json json_of(const PrecisionLimits& limits) {
  json parts = json::array();
  for (const PrecisionLimits& part : limits.parts) parts.push_back(json_of(part));
  json rms;
  if (limits.rms) {
    rms = {limits.rms->most, limits.rms->float32, limits.rms->output, limits.rms->terms};
  }
  return {{"atol", limits.atol},
          {"rtol", limits.rtol},
          {"rms", std::move(rms)},
          {"parts", std::move(parts)},
          {"part", limits.part}};
}

PrecisionLimits limits_of(const json& object) {
  PrecisionLimits limits{.atol = object.at("atol"), .rtol = object.at("rtol")};
  const json& rms = object.at("rms");
  if (!rms.is_null()) {
    limits.rms =
        RmsLimit{.most = rms.at(0), .float32 = rms.at(1), .output = rms.at(2), .terms = rms.at(3)};
  }
  for (const json& part : object.at("parts")) limits.parts.push_back(limits_of(part));
  limits.part = object.at("part");
  return limits;
}

}  // namespace

// Each write is one append, so lines of several processes do not mix.
LimitsFile::LimitsFile() : m_file(memfd_create("robust_kbench_limits", MFD_CLOEXEC)) {
  if (m_file.get() < 0 || fcntl(m_file.get(), F_SETFL, O_APPEND) != 0) {
    throw system_failure("limits: memfd_create");
  }
}

std::optional<std::vector<PrecisionLimits>> LimitsFile::find(const std::string& key) {
  const std::scoped_lock lock(m_mutex);
  if (!m_found.contains(key)) read_further();
  const auto found = m_found.find(key);
  return found == m_found.end() ? std::nullopt : std::optional(found->second);
}

void LimitsFile::add(const std::string& key, const std::vector<PrecisionLimits>& limits) {
  if (!std::ranges::all_of(limits, is_finite)) return;
  json all = json::array();
  for (const PrecisionLimits& each : limits) all.push_back(json_of(each));
  write_all(m_file.get(), json({{"key", key}, {"limits", std::move(all)}}).dump() + "\n");
}

void LimitsFile::read_further() {
  const off_t size = lseek(m_file.get(), 0, SEEK_END);
  if (size < 0 || static_cast<std::size_t>(size) <= m_read) return;
  std::string text(static_cast<std::size_t>(size) - m_read, '\0');
  const ssize_t count = pread(m_file.get(), text.data(), text.size(), static_cast<off_t>(m_read));
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  // A line without its end is still being written.
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos;
       begin = end + 1, end = text.find('\n', begin)) {
    const json line = parse_json(std::string_view(text).substr(begin, end - begin));
    std::vector<PrecisionLimits> limits;
    for (const json& each : line.at("limits")) limits.push_back(limits_of(each));
    m_found.insert_or_assign(line.at("key"), std::move(limits));
  }
  m_read += begin;
}

}  // namespace robust_kbench
