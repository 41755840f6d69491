"""Whether and when a failed attempt is made again."""

import random

# A request that the endpoint may have worked on in vain costs time and money, so it gets one more.
MOST_ATTEMPTS = {"rate_limited": 4, "overloaded": 4, "server_error": 4, "connection": 4,
                 "circuit_open": 4, "timeout": 2, "truncated_body": 2}
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 30.0
LONGEST_RETRY_AFTER_S = 120.0  # an endpoint that asks for more has run out of a quota
JITTER = 0.25  # so that calls that failed together do not return together


def pause_s(failure, attempt, random_number=random.random):
    """Seconds until the next attempt, or None where there is none. `attempt` counts from 1."""
    if failure.is_final or attempt >= MOST_ATTEMPTS.get(failure.status, 1):
        return None
    if failure.retry_after_s is not None:
        if failure.retry_after_s > LONGEST_RETRY_AFTER_S:
            return None
        return failure.retry_after_s * (1 + JITTER * random_number())
    pause = min(FIRST_PAUSE_S * 2 ** (attempt - 1), LONGEST_PAUSE_S)
    return pause * (1 - JITTER * random_number())
