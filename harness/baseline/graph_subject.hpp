#pragma once

#include <memory>

#include "runner/serve.hpp"

namespace robust_kbench {

// Another subject's calls as CUDA graphs. `prepare` captures a graph of each call, and `call`
// launches it. The subject works on torch's current stream of GPU 0.
std::unique_ptr<Subject> make_graph_subject(std::unique_ptr<Subject> captured);

}  // namespace robust_kbench
