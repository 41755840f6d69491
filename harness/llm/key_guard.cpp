#include "llm/key_guard.hpp"

#include <array>
#include <cstring>
#include <mutex>
#include <sys/prctl.h>

#include "core/error.hpp"
#include "llm/keys.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t stack_bytes = 64 << 10;  // more than functions that handle keys use

std::mutex mutex;
int guards = 0;
bool was_dumpable = false;  // before the first guard

void hide() {
  const std::scoped_lock lock(mutex);
  if (guards == 0) {
    was_dumpable = prctl(PR_GET_DUMPABLE) == 1;
    if (prctl(PR_SET_DUMPABLE, 0) != 0) throw system_failure("prctl(PR_SET_DUMPABLE, 0)");
  }
  ++guards;
}

// Functions that have ended leave copies of keys below, such as vector registers that were saved.
[[gnu::noinline]] void wipe_stack() {
  std::array<char, stack_bytes> below;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  explicit_bzero(below.data(), below.size());
}

// The process is made dumpable again, since other code reads its own files in /proc.
void show() {
  const std::scoped_lock lock(mutex);
  if (--guards == 0 && was_dumpable) prctl(PR_SET_DUMPABLE, 1);
}

}  // namespace

KeyGuard::KeyGuard(std::map<std::string, std::string>& keys) : m_keys(keys) {
  hide();
}

KeyGuard::~KeyGuard() {
  forget_others(m_keys, {});
  wipe_stack();
  show();
}

}  // namespace robust_kbench
