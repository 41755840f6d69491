#include <robust_kbench/shim/table.h>

namespace rkb {

void throw_table_error(std::int32_t status) {
  const char* said = table->last_error();
  const char* message = said == nullptr ? "unknown error" : said;
  if (status == RKB_OUT_OF_MEMORY) throw OutOfMemoryError(message);
  throw Error(message);
}

}  // namespace rkb
