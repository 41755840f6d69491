#pragma once

#include <memory>
#include <optional>

#include "ipc/arena.hpp"
#include "runner/serve.hpp"
#include "runner/sweep_graph.hpp"

namespace robust_kbench {

// Another subject's calls as CUDA graphs. `prepare` captures a graph of each call, and `call`
// launches it. All calls of a batch can run together, behind the process's sweeps, which are made
// when they are first needed. The subject works on torch's current stream of GPU 0.
std::unique_ptr<Subject> make_graph_subject(std::unique_ptr<Subject> captured, const Arena& arena,
                                            std::optional<SweepGraph>& sweep);

}  // namespace robust_kbench
