"""Finds the possible results of a solution's functions: the guesses with which its forward
succeeds."""

import dataclasses
import time

from .refusal import Refusal

MOST_RUNS = 100  # of forward, for the problem's own shape
MOST_FURTHER_RUNS = 16  # for each other shape
MOST_SECONDS = 15.0
ENOUGH_ALIKE = 2  # other guesses with the same plan, after which a result may have any shape


@dataclasses.dataclass
class Found:
    """Knowledge from one point for others: likely guesses, and those that changed the plan."""
    origins: list
    asked: set
    plan: object


class Search:
    """`run` calls forward with the session's guesses. It returns None for wrong guesses, and raises
    if forward fails with them. It raises one of `final` if no other guesses help."""

    def __init__(self, session, run, final):
        self.session, self.run, self.final = session, run, final
        self.runs, self.began = 0, time.monotonic()

    def plans(self, known):
        """Alternatives for the point, and its knowledge for other points. `known` comes from
        another point."""
        self.session.begin(known.origins if known else [])
        plan = self.first()
        guesses, origins = self.session.guesses, self.session.origins
        found, asked = [plan], set()
        if known:
            free_results(plan, known.plan)
        for number in sorted(known.asked) if known else range(len(guesses)):
            most = MOST_FURTHER_RUNS if known else MOST_RUNS
            if is_certain(plan) or self.is_late(most) or number >= len(guesses):
                break
            others = self.others(guesses[number], number, origins, plan)
            found += others
            if any(other.key() != plan.key() for other in others):
                asked.add(number)
        found = merged(found)
        for other in found[1:]:
            free_results(other, found[0])
        # A view that changes nothing was hardly written, so plans with more steps come first.
        return sorted(found, key=lambda other: -len(other.steps)), Found(origins, asked, found[0])

    def first(self):
        """The plan of the first combination that is not wrong."""
        failure = None
        while True:
            try:
                plan = self.counted_run()
                if plan is not None:
                    return plan
            except (Refusal, *self.final):
                raise
            except Exception as error:
                failure = failure or error
            if self.is_late(MOST_RUNS) or not self.session.advance():
                break
        if failure is not None:
            raise failure
        raise Refusal("the shapes of what the extension's functions return cannot be told",
                      "let forward return what the extension returns")

    def others(self, guess, number, origins, plan):
        """Plans with other options for one guess; few of them if forward does not read the shape."""
        found = []
        for option in guess.options:
            alike = sum(other.key() == plan.key() for other in found)
            if option[0] == origins[number] or self.is_late(MOST_RUNS) or alike == ENOUGH_ALIKE:
                continue
            self.session.begin(origins[:number] + [option[0]] + origins[number + 1:])
            try:
                other = self.counted_run()
            except Exception:
                continue  # forward fails with it
            if other is not None:
                found.append(other)
        return found

    def counted_run(self):
        self.runs += 1
        return self.run()

    def is_late(self, most):
        return self.runs >= most or time.monotonic() - self.began > MOST_SECONDS


def is_certain(plan):
    """Whether all guessed results are read by no other step."""
    return all(shape is None for step in plan.steps for shape in step.get("results", []))


def free_results(plan, other):
    """Lets results have any shape, if those of a plan with the same steps may."""
    if [step.get("call") for step in plan.steps] != [step.get("call") for step in other.steps]:
        return
    for step, free in zip(plan.steps, other.steps):
        for i, shape in enumerate(free.get("results", [])):
            if shape is None:
                step["results"][i] = None


def merged(plans):
    """Merges plans that differ only in the results of functions. The merged plan lets them have any
    shape."""
    by_key = {}
    for plan in plans:
        by_key.setdefault(plan.key(), []).append(plan)
    kept = []
    for alike in by_key.values():
        plan = alike[0]
        for i, step in enumerate(plan.steps):
            for j, shape in enumerate(step.get("results", [])):
                if any(other.steps[i]["results"][j] != shape for other in alike):
                    step["results"][j] = None
        kept.append(plan)
    return kept
