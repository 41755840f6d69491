"""State that calls to one host share: a limited number of places, and a circuit breaker."""

import asyncio
import time

FAILURES_TO_OPEN = 5  # in a row: one more than the attempts of a call
OPEN_S = 20.0  # a server that restarts takes about as long


class Breaker:
    """Stops sending to a host that fails repeatedly, and tries it from time to time."""

    def __init__(self, clock=time.monotonic):
        self._clock = clock
        self._failures = 0
        self._open_until = 0.0

    def allows(self):
        """Whether a request may be sent now. After a pause a single request may try the host."""
        if self._failures < FAILURES_TO_OPEN:
            return True
        if self._clock() < self._open_until:
            return False
        self._open_until = self._clock() + OPEN_S
        return True

    def remaining_s(self):
        """The seconds for which nothing is sent."""
        return max(0.0, self._open_until - self._clock())

    def note(self, is_alive):
        """Records how a request ended."""
        self._failures = 0 if is_alive else self._failures + 1
        if self._failures >= FAILURES_TO_OPEN:
            self._open_until = self._clock() + OPEN_S


class Host:
    """A host with its places, its breaker and its last failure, which is empty at first."""

    def __init__(self, concurrency):
        self.last_failure = ""
        self.places = asyncio.Semaphore(concurrency)
        self.breaker = Breaker()


class Hosts:
    """All hosts, each made when it is first asked for."""

    def __init__(self, concurrency):
        self._concurrency = concurrency
        self._by_name = {}

    def find(self, name):
        return self._by_name.setdefault(name, Host(self._concurrency))
