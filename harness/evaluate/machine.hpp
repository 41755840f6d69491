#pragma once

#include "core/machine_record.hpp"

namespace robust_kbench {

// This machine, now. The driver is told where `gpu`.
MachineRecord machine_record(bool gpu);

}  // namespace robust_kbench
