#include "process/stop_filter.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/syscall.h>
#include <vector>

#include "process/seccomp.hpp"

namespace robust_kbench {
namespace {

using namespace seccomp;

const std::vector<unsigned> refused_calls{
    SYS_timer_create,  SYS_timerfd_create, SYS_setitimer,       SYS_flock,
    SYS_shmget,        SYS_semget,         SYS_msgget,          SYS_mq_open,
    SYS_inotify_init1, SYS_fanotify_init,  SYS_perf_event_open,
#ifdef SYS_alarm
    SYS_alarm,         SYS_inotify_init,
#endif
};

const std::vector<unsigned> refused_commands{
    F_SETLK,     F_SETLKW, F_GETLK,    F_OFD_SETLK, F_OFD_SETLKW,
    F_OFD_GETLK, F_SETSIG, F_SETLEASE, F_NOTIFY,
};

}  // namespace

void refuse_what_outlasts_a_stop() {
  std::vector<sock_filter> program{load(offsetof(seccomp_data, nr))};
  for (const unsigned call : refused_calls) {
    program.insert(program.end(), {unless_equal(call, 1), answer(refuse_with(EPERM))});
  }
  const auto commands = static_cast<unsigned char>(2 * refused_commands.size() + 1);
  program.insert(program.end(),
                 {unless_equal(SYS_fcntl, commands), load(offsetof(seccomp_data, args[1]))});
  for (const unsigned command : refused_commands) {
    program.insert(program.end(), {unless_equal(command, 1), answer(refuse_with(EPERM))});
  }
  program.push_back(answer(SECCOMP_RET_ALLOW));
  install(program);
}

}  // namespace robust_kbench
