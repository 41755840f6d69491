"""What the server tells of a kernel."""

from __future__ import annotations

import dataclasses
from typing import Any, Mapping, Optional


@dataclasses.dataclass(frozen=True)
class Progress:
    """How far a stage is: `done` of `total` steps. A `total` of 0 is not known."""

    stage: str
    done: int
    total: int
    text: str


@dataclasses.dataclass(frozen=True)
class Stage:
    """The end of a stage, `compile`, `test` or `time`, with the verdict so far.

    Where a rival failed while it was timed, `rival` is its name, and the verdict is the rival's.
    """

    stage: str
    verdict: str
    cheat_class: Optional[str]
    reason: str
    rival: Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Evaluation:
    """The verdict on a kernel, its speed-up, and the whole record.

    `stage` is the last stage that was begun. The speed-up is the geometric mean over all timed
    configs, with its 95 % interval, over the baseline `against`. These four are None for a kernel
    that was not timed. `speedup_replayed` is the ratio of replays, in which no host code of the
    kernel takes part. It is None on a CPU, and where the kernel or the baseline was not replayed on
    each config. `record` is what `rkb evaluate --json` writes (docs/records.md).
    """

    verdict: str
    cheat_class: Optional[str]
    reason: str
    stage: Optional[str]
    speedup: Optional[float]
    speedup_low: Optional[float]
    speedup_high: Optional[float]
    speedup_replayed: Optional[float]
    against: Optional[str]
    record: Mapping[str, Any] = dataclasses.field(repr=False)

    @property
    def passed(self) -> bool:
        """Whether the kernel is right, and plays no tricks."""
        return self.verdict == "pass"

    @property
    def score(self) -> float:
        """The figure that a search should raise: the lower end of the speed-up's interval.

        The ratio of replays takes its place where that is lower. It is 0 for a kernel that was
        rejected or not timed. Neither a wrong kernel nor noise makes it good, and where there is a
        ratio of replays, host code of the kernel does not either.
        """
        if not self.passed or self.speedup_low is None:
            return 0.0
        if self.speedup_replayed is None:
            return self.speedup_low
        return min(self.speedup_low, self.speedup_replayed)
