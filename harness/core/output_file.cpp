#include "core/output_file.hpp"

#include <cerrno>
#include <fstream>
#include <system_error>

#include "core/error.hpp"
#include "core/taken_stdout.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw UserError(path.string() + " cannot be written: " + why + "; name another file");
}

// Writes the file. Returns why it could not be written, or empty on success.
std::string failure_to_write(const fs::path& path, const std::string& text) {
  errno = 0;
  std::ofstream out(path);
  out << text;
  return out.flush() ? "" : std::generic_category().message(errno);
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : m_named(path), m_path(path) {
  if (m_path.empty()) return;
  if (path == "-") {
    m_stdout = std::make_shared<const TakenStdout>();
    return;
  }
  std::error_code error;
  const fs::file_status status = fs::status(m_path, error);
  if (fs::is_directory(status)) refuse(m_named, "it is a directory");
  m_replaceable = !fs::exists(status) || fs::is_regular_file(status);
  if (!m_replaceable) return;
  if (fs::is_symlink(m_path, error)) {
    m_path = fs::canonical(m_named, error);
    if (error) {
      refuse(m_named,
             "it is a link to " + fs::read_symlink(m_named).string() + ", " + error.message());
    }
  }
  if (m_path.has_parent_path()) fs::create_directories(m_path.parent_path(), error);
  write_beside("");
  fs::remove(beside(), error);
}

void OutputFile::write(const std::string& text) const {
  if (m_path.empty()) return;
  if (m_stdout) {
    m_stdout->write(text);
    return;
  }
  if (!m_replaceable) {
    const std::string failure = failure_to_write(m_path, text);
    if (!failure.empty()) refuse(m_named, failure);
    return;
  }
  write_beside(text);
  std::error_code error;
  fs::rename(beside(), m_path, error);
  if (error) refuse(m_named, error.message());
}

void OutputFile::write(const nlohmann::json& json) const {
  if (!m_path.empty()) write(json.dump(1) + "\n");
}

void OutputFile::write_beside(const std::string& text) const {
  const std::string failure = failure_to_write(beside(), text);
  if (failure.empty()) return;
  std::error_code ignored;
  fs::remove(beside(), ignored);
  refuse(m_named, failure);
}

fs::path OutputFile::beside() const {
  return m_path.string() + ".new";
}

}  // namespace robust_kbench
