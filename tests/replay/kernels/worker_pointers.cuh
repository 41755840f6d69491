#pragma once

#include <cstdint>
#include <dlfcn.h>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace {

// Replaces the worker's pointers to a function of the driver or of the C library, and keeps one in
// `kept`.
inline void replace_in_worker(const char* name, void* replacement, void** kept) {
  void* real = dlsym(dlopen("libcuda.so.1", RTLD_LAZY), name);
  if (real == nullptr) real = dlsym(RTLD_DEFAULT, name);
  *kept = real;
  const size_t page = sysconf(_SC_PAGESIZE);
  std::string line;
  bool of_worker = false;
  for (std::ifstream maps("/proc/self/maps"); std::getline(maps, line);) {
    const bool has_path = line.find('/') != std::string::npos;
    if (has_path) of_worker = line.find("rkb_worker") != std::string::npos;
    const bool is_heap = line.find("[heap]") != std::string::npos;
    if ((!of_worker && !is_heap) || line.find(" r") == std::string::npos) continue;
    size_t begin = 0;
    size_t end = 0;
    char dash = 0;
    std::istringstream(line) >> std::hex >> begin >> dash >> end;
    for (auto* at = reinterpret_cast<void**>(begin); at < reinterpret_cast<void**>(end); ++at) {
      if (*at != real || at == kept) continue;
      // A linker may have made the table of functions read-only.
      mprotect(reinterpret_cast<void*>(reinterpret_cast<size_t>(at) / page * page), page,
               PROT_READ | PROT_WRITE);
      *at = replacement;
    }
  }
}

}  // namespace
