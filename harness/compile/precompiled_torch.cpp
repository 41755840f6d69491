#include "compile/precompiled_torch.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <regex>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>

#include "compile/append.hpp"
#include "compile/compile_cache.hpp"
#include "compile/depfile.hpp"
#include "compile/quoted_headers.hpp"
#include "core/cancelled.hpp"
#include "core/sha256.hpp"
#include "core/text_file.hpp"
#include "device/cpu.hpp"
#include "device/shared_file.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kept_sets = 3;
constexpr std::uintmax_t least_space = std::uintmax_t{2} << 30;  // bytes: a set, and as much again
constexpr const char* header_name = "torch.h";
constexpr const char* precompiled_name = "torch.h.gch";  // where g++ looks beside the header
constexpr const char* rule_name = "torch.d";
constexpr const char* unfinished = ".new";
constexpr const char* outdated = ".old";

bool has_space_for_sets(const fs::path& directory) {
  std::error_code error;
  const fs::space_info space = fs::space(directory, error);
  return !error && space.available >= least_space;
}

// The time of the last change of the file's content or name.
std::optional<timespec> changed(const fs::path& file) {
  struct stat facts {};
  if (stat(file.c_str(), &facts) != 0) return std::nullopt;
  return facts.st_ctim;
}

bool is_before(const timespec& a, const timespec& b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

bool is_up_to_date(const fs::path& set) {
  // The rule is the last file that the compiler writes, long after it read the headers.
  const std::optional<timespec> made = changed(set / rule_name);
  if (!made) return false;
  const std::vector<fs::path> files = prerequisite_files(set / rule_name);
  return !files.empty() && std::all_of(files.begin(), files.end(), [&](const fs::path& file) {
    if (file.parent_path().extension() == unfinished) return true;  // the header itself
    const std::optional<timespec> time = changed(file);
    return time && is_before(*time, *made);
  });
}

Descriptor lock(const fs::path& file, const std::stop_token& stop) {
  constexpr std::chrono::milliseconds pause{50};
  Descriptor fd(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  while (fd.get() >= 0 && flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR && errno != EWOULDBLOCK) return {};
    if (stop.stop_requested()) throw Cancelled();
    std::this_thread::sleep_for(pause);
  }
  return fd;
}

std::vector<fs::path> sets_in(const fs::path& root) {
  std::vector<fs::path> sets;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root, ignored)) {
    if (entry.is_directory(ignored)) sets.push_back(entry.path());
  }
  return sets;
}

}  // namespace

PrecompiledTorch::PrecompiledTorch(std::vector<std::string> command, const std::string& compiler)
    : m_command(std::move(command)) {
  const fs::path cache = CompileCache::directory();
  if (cache.empty()) return;
  m_root = cache / "torch_headers";
  std::string identity = compiler + "\n" + cpu_facts().model;
  for (const std::string& word : m_command) identity += "\n" + word;
  constexpr std::size_t digits = 16;
  m_directory = m_root / sha256(identity).substr(0, digits);
}

bool PrecompiledTorch::exists() const {
  return !m_root.empty() && fs::exists(m_directory / precompiled_name) &&
         is_up_to_date(m_directory);
}

std::optional<PrecompiledTorch::Header> PrecompiledTorch::take() const {
  Descriptor directory(open(m_directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0 || flock(directory.get(), LOCK_SH | LOCK_NB) != 0 ||
      !is_still_at(directory.get(), m_directory) || !is_up_to_date(m_directory)) {
    return std::nullopt;
  }
  futimens(directory.get(), nullptr);  // marks it as used last
  return Header{m_directory / header_name, std::move(directory)};
}

std::optional<PrecompiledTorch::Header> PrecompiledTorch::header(
    const RunCommand& run, const std::stop_token& stop) const {
  std::error_code error;
  if (m_root.empty() || (fs::create_directories(m_root, error), error)) return std::nullopt;
  std::optional<Header> found = take();
  if (!found) {
    const Descriptor alone = lock(m_root / "lock", stop);
    if (alone.get() < 0) return std::nullopt;
    found = take();
    if (!found) {
      make(run);
      found = take();
    }
  }
  // A set that the compiler refused is kept without its precompiled header, so that no process
  // tries again.
  if (found && !fs::exists(m_directory / precompiled_name)) return std::nullopt;
  return found;
}

void PrecompiledTorch::make(const RunCommand& run) const {
  std::error_code ignored;
  // The process that left them has ended, since it held the lock.
  for (const fs::path& set : sets_in(m_root)) {
    if (set.extension() == unfinished || set.extension() == outdated) fs::remove_all(set, ignored);
  }
  if (!has_space_for_sets(m_root) || !remove_unused(m_directory)) return;
  const fs::path fresh = m_directory.string() + unfinished;
  if (!fs::create_directory(fresh, ignored)) return;
  std::ofstream(fresh / header_name) << "#include <torch/extension.h>\n";
  std::vector<std::string> command = m_command;
  append(command, {"-MD", "-MF", fresh / rule_name, "-x", "c++-header", fresh / header_name, "-o",
                   fresh / precompiled_name});
  const Outcome outcome = run(command, fresh);
  if (outcome == Outcome::refused) {
    fs::remove(fresh / precompiled_name, ignored);
    std::ofstream(fresh / rule_name) << header_name << ": " << (fresh / header_name).string();
  }
  if (outcome == Outcome::failed || !fs::exists(fresh / rule_name)) {
    fs::remove_all(fresh, ignored);
    return;
  }
  // ccache reads this short text instead of the header. No other set has the same.
  std::ofstream(fresh / (std::string(precompiled_name) + ".sum"))
      << m_directory.filename().string() << " "
      << std::chrono::system_clock::now().time_since_epoch().count() << "\n";
  fs::rename(fresh, m_directory, ignored);
  keep_few();
}

// Returns false if a compiler still reads the set.
bool PrecompiledTorch::remove_unused(const fs::path& set) const {
  const Descriptor directory(open(set.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0) return true;
  if (flock(directory.get(), LOCK_EX | LOCK_NB) != 0) return false;
  const fs::path aside = set.string() + outdated;
  std::error_code error;
  fs::rename(set, aside, error);
  fs::remove_all(aside, error);
  return !error;
}

void PrecompiledTorch::keep_few() const {
  std::vector<fs::path> sets = sets_in(m_root);
  const auto used = [](const fs::path& set) {
    std::error_code ignored;
    return fs::last_write_time(set, ignored);
  };
  std::sort(sets.begin(), sets.end(),
            [&](const fs::path& a, const fs::path& b) { return used(a) > used(b); });
  for (std::size_t i = kept_sets; i < sets.size(); ++i) (void)remove_unused(sets[i]);
}

namespace {

bool defines_before_it_includes(const std::string& text) {
  static const std::regex define(R"(#[ \t]*(define|undef)\b)");
  static const std::regex include(R"(#[ \t]*include[ \t]*[<"](torch|ATen|c10|pybind11)/)");
  std::smatch first;
  return std::regex_search(text, first, define) &&
         std::regex_search(first.suffix().first, text.end(), include);
}

}  // namespace

bool may_precompile_torch(const KernelSource& kernel) {
  static const std::regex harmless(R"(-(O\w*|g\d?|W[\w=-]*|[fm](?!plugin|pch|dump)[\w=.,+-]+))");
  const bool plain =
      std::all_of(kernel.options.begin(), kernel.options.end(),
                  [](const std::string& option) { return std::regex_match(option, harmless); });
  const std::set<fs::path> files = quoted_files(kernel);
  return plain && std::none_of(files.begin(), files.end(), [](const fs::path& file) {
           return defines_before_it_includes(read_text(file).value_or(""));
         });
}

}  // namespace robust_kbench
