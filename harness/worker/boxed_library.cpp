#include "worker/boxed_library.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

std::string library_path() {
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  return program.parent_path().parent_path() / "lib" / "librkb_operators.so";
}

BoxedCall load(const rkb_table& table) {
  const std::string path = library_path();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw HarnessError(std::string("torch's operators cannot be loaded: ") + dlerror() +
                       "; build the target rkb_operators");
  }
  using Attach = BoxedCall (*)(const rkb_table*);
  const auto attach = reinterpret_cast<Attach>(dlsym(library, "rkb_operators_attach"));
  if (attach == nullptr) throw HarnessError(path + " does not export rkb_operators_attach");
  return attach(&table);
}

}  // namespace

BoxedCall boxed_call(const rkb_table& table) {
  static const BoxedCall call = load(table);
  return call;
}

}  // namespace robust_kbench
