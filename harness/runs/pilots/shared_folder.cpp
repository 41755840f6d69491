#include "runs/pilots/shared_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/descriptor.hpp"
#include "core/error.hpp"
#include "core/seed.hpp"
#include "core/write_all.hpp"

#include <fmt/format.h>

namespace robust_kbench {

namespace fs = std::filesystem;

namespace {

// The file by which a run directory is known. It is the last thing that make() makes.
constexpr const char* marker_file = "run_directory";
constexpr const char* marker_text = "robust_kbench run directory 1\n";
constexpr const char* unfinished_files = "tmp";

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

// Returns 0, or the error that writing met. Without fsync a file could have its name before its
// bytes are on the server's disk, and be empty after a loss of power.
int write_synced(const fs::path& file, const std::string& text) {
  constexpr mode_t readable = 0644;
  Descriptor out(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, readable));
  if (out.get() < 0) return errno;
  if (const int error = write_all(out.get(), text); error != 0) return error;
  return fsync(out.get()) == 0 ? 0 : errno;
}

// A directory cannot be renamed to one that has files. So of several processes that do this at the
// same time one makes the token, and none makes it again later.
std::error_code make_with_token(const fs::path& unfinished, const fs::path& directory,
                                const std::string& token) {
  const fs::path made = unfinished / fmt::format("{:016x}", secret_key());
  std::error_code error;
  fs::create_directory(made, error);
  if (error) return error;
  if (const int failed = write_synced(made / token, "")) return {failed, std::generic_category()};
  fs::rename(made, directory, error);
  if (error == std::errc::directory_not_empty || error == std::errc::file_exists) error.clear();
  std::error_code ignored;
  fs::remove_all(made, ignored);
  return error;
}

bool is_empty_or_missing(const fs::path& directory) {
  std::error_code error;
  return !fs::exists(directory, error) || fs::is_empty(directory, error);
}

}  // namespace

SharedFolder::SharedFolder(fs::path directory) : m_path(fs::absolute(std::move(directory))) {}

void SharedFolder::make(const std::vector<std::string>& directories,
                        const std::string& token_directory, const std::string& token) const {
  if (is_there()) return;
  if (!is_empty_or_missing(m_path) && !fs::is_directory(m_path / unfinished_files)) {
    throw UserError(fmt::format("{} holds other files; name a new or an empty folder for the run",
                                m_path.string()));
  }
  std::error_code error;
  fs::create_directories(m_path / unfinished_files, error);
  // Whoever may write here could answer for pilots.
  if (!error) fs::permissions(m_path, fs::perms::owner_all, error);
  for (const std::string& name : directories) {
    if (!error) fs::create_directories(m_path / name, error);
  }
  if (!error) error = make_with_token(m_path / unfinished_files, m_path / token_directory, token);
  if (error) {
    throw UserError(fmt::format("{} cannot be made: {}; name a folder that you may write",
                                m_path.string(), error.message()));
  }
  write(marker_file, marker_text);
}

bool SharedFolder::is_there() const {
  std::error_code error;
  return fs::exists(m_path / marker_file, error);
}

void SharedFolder::fail(const std::string& what, int error) const {
  throw FolderTrouble(fmt::format("{}: {} fails: {}", m_path.string(), what, reason_of(error)));
}

void SharedFolder::require_there(const std::string& what) const {
  if (!is_there()) fail(what + " in a folder that has vanished", ENOENT);
}

void SharedFolder::write(const std::string& name, const std::string& text) const {
  const fs::path unfinished = m_path / unfinished_files / fmt::format("{:016x}", secret_key());
  int error = write_synced(unfinished, text);
  if (error == 0 && rename(unfinished.c_str(), (m_path / name).c_str()) != 0) error = errno;
  if (error == 0) return;
  unlink(unfinished.c_str());
  fail("writing " + name, error);
}

std::optional<std::string> SharedFolder::read(const std::string& name) const {
  const Descriptor in(open((m_path / name).c_str(), O_RDONLY | O_CLOEXEC));
  if (in.get() < 0 && errno != ENOENT) fail("reading " + name, errno);
  if (in.get() < 0) {
    require_there("reading " + name);
    return std::nullopt;
  }
  std::string text;
  std::string piece(std::size_t{1} << 16, '\0');
  while (true) {
    const ssize_t n = ::read(in.get(), piece.data(), piece.size());
    if (n == 0) return text;
    if (n < 0 && errno != EINTR) fail("reading " + name, errno);
    if (n > 0) text.append(piece, 0, static_cast<std::size_t>(n));
  }
}

bool SharedFolder::move(const std::string& from, const std::string& to) const {
  const fs::path target = m_path / to;
  if (rename((m_path / from).c_str(), target.c_str()) == 0) return true;
  if (errno != ENOENT) fail("renaming " + from, errno);
  require_there("renaming " + from);
  // A file server whose answer was lost does the same again, and then finds the file gone.
  struct stat status {};
  return stat(target.c_str(), &status) == 0;
}

void SharedFolder::remove(const std::string& name) const {
  if (unlink((m_path / name).c_str()) == 0) return;
  if (errno != ENOENT) fail("removing " + name, errno);
  require_there("removing " + name);
}

std::vector<std::string> SharedFolder::list(const std::string& directory) const {
  const std::unique_ptr<DIR, int (*)(DIR*)> open_directory(opendir((m_path / directory).c_str()),
                                                           closedir);
  if (!open_directory) fail("listing " + directory, errno);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = readdir(open_directory.get())) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  if (errno != 0) fail("listing " + directory, errno);
  std::ranges::sort(names);
  return names;
}

}  // namespace robust_kbench
