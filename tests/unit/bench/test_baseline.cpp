#include "baseline/baseline_worker.hpp"
#include "doubling_task.hpp"
#include "parts_task.hpp"

// Serves torch's eager mode of the test tasks.
int main() {
  return robust_kbench::baseline_worker(
      {robust_kbench::doubling_task(), robust_kbench::parts_task()}, /*gpu=*/false);
}
