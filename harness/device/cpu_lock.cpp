#include "device/cpu_lock.hpp"

#include <condition_variable>
#include <mutex>

namespace robust_kbench {
namespace {

struct State {
  std::mutex mutex;
  std::condition_variable changed;
  int sharing = 0;
  int waiting = 0;  // threads that wait for exclusive use
  bool alone = false;
};

State& state() {
  static State of_process;
  return of_process;
}

}  // namespace

CpuLock::CpuLock(GpuLock::Use use) : m_use(use) {
  State& s = state();
  std::unique_lock lock(s.mutex);
  if (use == GpuLock::Use::shared) {
    s.changed.wait(lock, [&] { return !s.alone && s.waiting == 0; });
    ++s.sharing;
    return;
  }
  ++s.waiting;
  s.changed.wait(lock, [&] { return !s.alone && s.sharing == 0; });
  --s.waiting;
  s.alone = true;
}

CpuLock::~CpuLock() {
  State& s = state();
  {
    const std::scoped_lock lock(s.mutex);
    if (m_use == GpuLock::Use::shared) {
      --s.sharing;
    } else {
      s.alone = false;
    }
  }
  s.changed.notify_all();
}

bool CpuLock::is_awaited() {
  const std::scoped_lock lock(state().mutex);
  return state().waiting > 0;
}

}  // namespace robust_kbench
