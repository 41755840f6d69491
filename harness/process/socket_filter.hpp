#pragma once

namespace robust_kbench {

// Denies this process, and all that it starts, every socket by which it could reach another
// program. It also denies the kernel's keys, by which programs of one user find each other. Calls
// that trace or read other processes, or that program the kernel itself, are denied as well. Socket
// pairs remain. With `local` this machine's own sockets remain, too, which GPU drivers use. Needs
// "no new privileges". Throws HarnessError.
void refuse_sockets_and_tracing(bool local);

}  // namespace robust_kbench
