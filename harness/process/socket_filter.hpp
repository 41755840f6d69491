#pragma once

namespace robust_kbench {

// Refuses this process, and all that it starts, every socket that it could reach another program
// by. Pairs of sockets remain. With `local` those of this machine do, too: drivers use them. Needs
// "no new privileges". Throws HarnessError.
void refuse_sockets(bool local);

}  // namespace robust_kbench
