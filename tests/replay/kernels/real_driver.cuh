#pragma once

#include <dlfcn.h>
#include <fstream>
#include <string>

namespace {

// The driver's own library among the mappings of this process, behind the recorder's.
inline void* real_driver() {
  std::string line;
  for (std::ifstream maps("/proc/self/maps"); std::getline(maps, line);) {
    const size_t path = line.find('/');
    if (path == std::string::npos || line.find("libcuda.so", path) == std::string::npos ||
        line.find("recorder", path) != std::string::npos) {
      continue;
    }
    return dlopen(line.c_str() + path, RTLD_NOW);
  }
  return nullptr;
}

}  // namespace
