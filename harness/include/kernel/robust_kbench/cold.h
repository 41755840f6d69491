#pragma once

// Functions that only fail: calls of them lie out of the way of the code around them.
#define RKB_COLD __attribute__((cold))
