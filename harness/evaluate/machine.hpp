#pragma once

#include "core/machine_record.hpp"

namespace robust_kbench {

// This machine at the present time. Queries the driver if `gpu` is true.
MachineRecord machine_record(bool gpu);

}  // namespace robust_kbench
