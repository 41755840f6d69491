#include "cli/kept_records.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/sha256.hpp"
#include "evaluate/evaluator.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

std::filesystem::path file_of_kept_records(const std::string& file) {
  return file + ".part";
}

std::string hash_of_sources(const KernelSource& kernel) {
  std::ostringstream text;
  for (const std::string& path : kernel.sources) text << std::ifstream(path).rdbuf();
  return sha256(text.str());
}

struct KeptLine {
  std::string command;
  std::string sources;  // their hash
  KernelRecord record;
};

// A run may have been killed in the middle of the last line, which then has no end.
std::vector<KeptLine> kept_lines(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<KeptLine> lines;
  for (std::string text; std::getline(file, text) && !file.eof();) {
    const json line = parse_json_if_any(text);
    if (!line.is_object() || !line.contains("record")) continue;
    lines.push_back({.command = line.at("command").get<std::string>(),
                     .sources = line.at("sources").get<std::string>(),
                     .record = line.at("record").get<KernelRecord>()});
  }
  return lines;
}

bool is_of(const KernelRecord& record, const KernelSource& kernel) {
  return record.path == kernel.sources.front();
}

const KernelSource* find_kernel(const std::vector<KernelSource>& kernels,
                                const KernelRecord& record) {
  const auto found = std::ranges::find_if(
      kernels, [&](const KernelSource& kernel) { return is_of(record, kernel); });
  return found == kernels.end() ? nullptr : &*found;
}

}  // namespace

std::vector<KernelSource> without(const std::vector<KernelSource>& kernels,
                                  const std::vector<KernelRecord>& records) {
  std::vector<KernelSource> left;
  for (const KernelSource& kernel : kernels) {
    const bool is_kept = std::ranges::any_of(
        records, [&](const KernelRecord& record) { return is_of(record, kernel); });
    if (!is_kept) left.push_back(kernel);
  }
  return left;
}

std::vector<KernelRecord> in_order_of(const std::vector<KernelSource>& kernels,
                                      const std::vector<KernelRecord>& kept,
                                      std::vector<KernelRecord> rest) {
  std::vector<KernelRecord> all;
  auto next = rest.begin();
  for (const KernelSource& kernel : kernels) {
    const auto found = std::ranges::find_if(
        kept, [&](const KernelRecord& record) { return is_of(record, kernel); });
    all.push_back(found != kept.end() ? *found : std::move(*next++));
  }
  return all;
}

void forget_kept_records(const std::string& json_file) {
  std::error_code ignored;
  std::filesystem::remove(file_of_kept_records(json_file), ignored);
}

RecordKeeper::RecordKeeper(const std::string& json_file, std::string command,
                           const std::vector<KernelSource>& kernels, bool resumes)
    : m_file(file_of_kept_records(json_file)), m_command(std::move(command)), m_kernels(kernels) {
  std::vector<KeptLine> lines = kept_lines(m_file);
  if (lines.empty()) {
    forget_kept_records(json_file);  // it may have a torn line
    return;
  }
  if (lines.front().command != m_command) {
    throw UserError(m_file.string() + " has records of another command:\n  " +
                    lines.front().command +
                    "\ngive that one with --resume, name another file by --json, or remove this");
  }
  if (!resumes) {
    throw UserError(m_file.string() + " has records (" + std::to_string(lines.size()) +
                    ") of this command, which was ended early; add --resume to go on with them, or "
                    "remove the file");
  }
  for (KeptLine& line : lines) {
    const KernelSource* kernel = find_kernel(m_kernels, line.record);
    if (kernel != nullptr && hash_of_sources(*kernel) == line.sources) {
      m_kept.push_back(std::move(line.record));
    }
  }
}

void RecordKeeper::finished(const KernelRecord& record) {
  if (record.judgement.reason == cancelled) return;
  const KernelSource* kernel = find_kernel(m_kernels, record);
  if (kernel == nullptr) return;
  const json line{
      {"command", m_command}, {"sources", hash_of_sources(*kernel)}, {"record", record}};
  std::ofstream file(m_file, std::ios::app);
  // The line begins anew where a killed run has left half of one.
  file << '\n' << line.dump(-1, ' ', false, json::error_handler_t::replace) << '\n' << std::flush;
  if (file) return;
  throw UserError(m_file.string() +
                  " cannot be written; free space on its disk, or name another file by --json");
}

}  // namespace robust_kbench
