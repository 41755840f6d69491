#pragma once

// Marks functions that only fail, so that the compiler moves their calls away from hot code.
#define RKB_COLD __attribute__((cold))
