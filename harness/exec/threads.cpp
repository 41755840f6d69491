#include "exec/threads.hpp"

#include <cstdio>
#include <dirent.h>
#include <linux/futex.h>
#include <string>
#include <sys/syscall.h>
#include <vector>

#include "exec/proc_file.hpp"

namespace robust_kbench {
namespace {

std::vector<std::string> thread_directories(pid_t process) {
  const std::string path = "/proc/" + std::to_string(process) + "/task";
  std::vector<std::string> threads;
  DIR* directory = opendir(path.c_str());
  if (directory == nullptr) return threads;
  while (const dirent* entry = readdir(directory)) {
    if (entry->d_name[0] != '.') threads.push_back(path + "/" + entry->d_name);
  }
  closedir(directory);
  return threads;
}

// "number argument0 ... argument5 stack program-counter" of the system call that a thread sleeps
// in, or "running".
bool parked(const std::string& thread) {
  const std::string line = proc_file(thread + "/syscall");
  long number = -1;
  unsigned long address = 0;
  unsigned long operation = 0;
  unsigned long value = 0;
  unsigned long timeout = 0;
  const int fields = std::sscanf(line.c_str(), "%ld %lx %lx %lx %lx", &number, &address, &operation,
                                 &value, &timeout);
  if (fields != 5 || number != SYS_futex || timeout != 0) return false;
  const unsigned long command = operation & FUTEX_CMD_MASK;
  return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
}

}  // namespace

int thread_count(pid_t process) {
  return static_cast<int>(thread_directories(process).size());
}

bool threads_parked(pid_t process) {
  const std::string first = "/" + std::to_string(process);
  for (const std::string& thread : thread_directories(process)) {
    if (!thread.ends_with("/task" + first) && !parked(thread)) return false;
  }
  return true;
}

}  // namespace robust_kbench
