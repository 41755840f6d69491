#pragma once

namespace robust_kbench {

// Denies this process, and all that it starts, every socket by which it could reach another
// program. It also denies the kernel's keys, by which programs of one user find each other. Socket
// pairs remain. With `local` this machine's own sockets remain, too, which GPU drivers use. Needs
// "no new privileges". Throws HarnessError.
void refuse_sockets_and_keys(bool local);

}  // namespace robust_kbench
