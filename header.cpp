#include <torch/extension.h>
#include <torch/extension.h>
