#pragma once

#include <memory>
#include <string>

#include "baseline/arena_allocator.hpp"
#include "runner/serve.hpp"

namespace robust_kbench {

// A torch.compile package (AOTInductor) run without Python. Its inputs are the tensors of a call
// that the config defines. `allocator` is null on a GPU. If its calls are to be captured, it makes
// no events, which no capture may ask about. Throws SubjectError if torch cannot load the package.
std::unique_ptr<Subject> make_compile_subject(const std::string& package, bool captured,
                                              Arena& arena, ArenaAllocator* allocator);

}  // namespace robust_kbench
