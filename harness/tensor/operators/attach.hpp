#pragma once

#include <kernel/robust_kbench_abi.h>

// The function that the worker's rkb_table::call forwards to. Once attached, torch takes CPU memory
// from the worker while an operator or a kernel over torch runs.
extern "C" __attribute__((visibility("default"))) decltype(rkb_table::call) rkb_operators_attach(
    const rkb_table* table);
