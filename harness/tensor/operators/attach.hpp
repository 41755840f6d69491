#pragma once

#include <kernel/robust_kbench_abi.h>

// What rkb_table::call of the worker forwards to. From then on torch's memory of the CPU is the
// worker's while an operator or a kernel over torch runs.
extern "C" __attribute__((visibility("default"))) decltype(rkb_table::call) rkb_operators_attach(
    const rkb_table* table);
