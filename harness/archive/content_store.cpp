#include "archive/content_store.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "archive/write_failure.hpp"
#include "core/descriptor.hpp"
#include "core/error.hpp"
#include "core/sha256.hpp"
#include "core/text_file.hpp"
#include "core/write_all.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

bool is_hash(const std::string& text) {
  constexpr std::size_t digits = 64;
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

void sync(const fs::path& directory) {
  const Descriptor file(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.get() < 0 || fsync(file.get()) != 0) throw write_failure(directory);
}

void make_directories(const fs::path& directory) {
  std::error_code error;
  if (!fs::create_directories(directory, error) && error) {
    throw write_failure(directory, error.value());
  }
}

// The temporary name is unique, since several processes may store the same text at the same time.
void write_durably(const fs::path& path, std::string_view text) {
  std::string name = path.string() + ".new-XXXXXX";
  const Descriptor file(mkostemp(name.data(), O_CLOEXEC));
  if (file.get() < 0) throw write_failure(path);
  try {
    if (const int error = write_all(file.get(), text); error != 0) throw write_failure(path, error);
    constexpr mode_t readable = 0644;  // mkostemp makes files that only their owner may read
    if (fchmod(file.get(), readable) != 0 || fsync(file.get()) != 0 ||
        rename(name.c_str(), path.c_str()) != 0) {
      throw write_failure(path);
    }
  } catch (...) {
    unlink(name.c_str());
    throw;
  }
}

}  // namespace

std::string ContentStore::put(std::string_view text) const {
  std::string hash = sha256(text);
  const fs::path file = path(hash);
  if (fs::exists(file)) return hash;
  make_directories(file.parent_path());
  write_durably(file, text);
  sync(file.parent_path());
  sync(m_directory);
  return hash;
}

std::string ContentStore::get(const std::string& hash) const {
  const fs::path file = path(hash);
  std::optional<std::string> text = read_text(file);
  if (!text) {
    throw UserError("the archive's " + file.string() +
                    " cannot be read; copy content/ again from where the archive came from");
  }
  if (sha256(*text) != hash) {
    throw UserError("the archive's " + file.string() +
                    " is damaged: its text has another SHA-256 than its name; replace the file");
  }
  return *std::move(text);
}

fs::path ContentStore::path(const std::string& hash) const {
  if (!is_hash(hash)) {
    throw UserError("'" + hash + "' is no content of an archive; give 64 hexadecimal digits");
  }
  constexpr std::size_t directory_digits = 2;  // at most 256 directories
  return m_directory / hash.substr(0, directory_digits) / hash.substr(directory_digits);
}

}  // namespace robust_kbench
