#pragma once

#include "core/case.hpp"
#include "core/device.hpp"
#include "core/judgement.hpp"

// A kernel may refuse a config outside of its usual set by an error, before it has launched
// anything. This does not change its verdict, but every record and table shows it.
namespace robust_kbench {

// True for a drawn config, for a probe and, on CUDA, for a small config.
bool may_refuse(const Case& c, Device device);

// The judgement of a refused case. `thrown` is that of the refused call.
Judgement refused(const Judgement& thrown);

}  // namespace robust_kbench
