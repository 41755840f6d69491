"""Asks a model, attempt by attempt. Each attempt is sent only after rkb has granted it."""

import asyncio
import dataclasses
import json
import math
import time

from robust_kbench_llm import prices, retry
from robust_kbench_llm.http_client import LIST_S
from robust_kbench_llm.http_status import SYSTEM
from robust_kbench_llm.models import capability_of, replacement_of
from robust_kbench_llm.protocol import RequestError, member, optional, positive
from robust_kbench_llm.room import LEAST_OUTPUT
from robust_kbench_llm.transport import AttemptFailed, Question, Reply
from robust_kbench_llm.usage import GREATEST

EFFORTS = ("low", "medium", "high")
ROLES = ("system", "user", "assistant")
MOST_NAMED = 20  # most models of an endpoint in a message
OUTCOMES = {"length": "length", "max_tokens": "length", "model_context_window_exceeded": "length",
            "refusal": "refusal", "content_filter": "refusal", "safety": "refusal",
            "error": "error"}
# Statuses which show that an endpoint is at work.
ALIVE = {"ok", "rate_limited", "bad_request", "unauthorized", "unknown_model"}


def make_question(request, name):
    """The Question of a request `ask`. Raises RequestError for an invalid one."""
    messages = member(request, "messages", list)
    for message in messages:
        if (not isinstance(message, dict) or message.get("role") not in ROLES
                or not isinstance(message.get("content"), str)):
            raise RequestError("each of `messages` needs a `content` and a `role` out of "
                               f"{', '.join(ROLES)}")
    if not any(message["role"] != "system" for message in messages):
        raise RequestError("`messages` has none of a user")
    effort = optional(request, "effort", str)
    if effort is not None and effort not in EFFORTS:
        raise RequestError(f"`effort` is {effort!r}; known: {', '.join(EFFORTS)}")
    temperature = optional(request, "temperature", (int, float))
    if temperature is not None and not 0 <= temperature <= 2:
        raise RequestError(f"`temperature` is {temperature}; it lies between 0 and 2")
    return Question(
        name, [{"role": message["role"], "content": message["content"]} for message in messages],
        positive(request, "max_output_tokens"), temperature, effort,
        optional(request, "schema", dict),
        optional(request, "output_setting", str) or Question.output_setting)


def size_of(body):
    """The number of bytes of a request, each of which holds at most one token."""
    return len(json.dumps(body.members, ensure_ascii=False).encode())


class Asker:
    """Makes the attempts of all calls.

    It remembers which parameters an endpoint rejects, and its most tokens of output.
    """

    def __init__(self, writer, hosts, transport_of):
        self._writer = writer
        self._hosts = hosts
        self._transport_of = transport_of
        self._dropped = {}
        self._most_output = {}
        self._leaves = {}

    def leave(self, call, attempt, granted):
        """Receives rkb's decision on an announced attempt."""
        future = self._leaves.get((call, attempt))
        if future and not future.done():
            future.set_result(granted)

    async def ask(self, call, request, provider, name):
        """Answers one request `ask`."""
        question = make_question(request, name)
        timeout_s = positive(request, "timeout_s", (int, float))
        transport = self._transport_of(provider)
        call = Call(call, provider, question, timeout_s, transport)
        attempt = made = 0
        while True:
            attempt += 1
            call.question = self._that_fits(call.model, question)
            body = transport.make_body(call.question, capability_of(call.kind),
                                       self._dropped_by(call.model))
            reply, failure, pause = await self._attempt(call, attempt, body, made)
            if pause is None:
                self._answer(call, body, reply, failure)
                return
            # An attempt that is only repeated in another form does not count.
            made += 0 if failure.rejected or failure.room else 1
            await asyncio.sleep(pause)

    async def _attempt(self, call, attempt, body, made):
        """Makes one attempt. Returns the reply, the failure or None, and pause_s()'s result."""
        host = self._hosts.find(call.provider.host)
        async with host.places:
            price = prices.find_price(call.provider, call.question.name)
            reservation = prices.estimate(price, size_of(body), call.question.max_output_tokens)
            granted = self._leaves[call.id, attempt] = asyncio.get_running_loop().create_future()
            self._writer.write("attempt", id=call.id, attempt=attempt, model=call.model,
                               host=call.provider.host, **reservation)
            try:
                is_granted = await granted
            finally:
                del self._leaves[call.id, attempt]
            start = time.monotonic()
            reply, failure = await self._send(call, body, host, is_granted)
            seconds = time.monotonic() - start
        pause = None
        if failure and failure.rejected:
            self._drop(call, failure)
            pause = 0.0
        elif failure and failure.room:
            pause = self._make_room(call, failure, size_of(body))
        elif failure:
            if failure.status == "unknown_model":
                failure.message += await self._offered(call)
            pause = retry.pause_s(failure, made + 1)
        self._writer.write("attempt_ended", id=call.id, attempt=attempt, seconds=seconds,
                           status=failure.status if failure else "ok",
                           retry_in_s=pause, message=failure.message if failure else "",
                           **bill(price, reply, failure, size_of(body)))
        return reply, failure, pause

    async def _send(self, call, body, host, is_granted):
        """Sends a request that was granted. Returns the reply, and the failure or None."""
        reply, failure = Reply(), None
        if not is_granted:
            return reply, AttemptFailed("not_granted", "rkb did not grant it", billable=False,
                                       is_final=True)
        if not host.breaker.allows():
            return reply, AttemptFailed(
                "circuit_open", f"{call.provider.host} failed again and again; nothing is sent to "
                f"it for a while; its last failure: {host.last_failure}", billable=False,
                retry_after_s=host.breaker.remaining_s())
        try:
            async with asyncio.timeout(call.timeout_s):
                await call.transport.ask(body, call.timeout_s, reply)
        except TimeoutError:
            failure = AttemptFailed("timeout", f"{call.provider.host} did not end its answer in "
                                    f"{call.timeout_s:g} s; raise the timeout or lower "
                                    f"{call.question.output_setting}")
        except AttemptFailed as error:
            failure = error
        except Exception as error:  # an announced attempt has to end, even if a package fails
            failure = AttemptFailed("connection", f"{call.provider.host}: "
                                    f"{type(error).__name__}: {error}", is_final=True)
        host.breaker.note((failure.status if failure else "ok") in ALIVE)
        host.last_failure = failure.message if failure else ""
        return reply, failure

    def _dropped_by(self, model):
        return frozenset(self._dropped.get(model, ()))

    def _drop(self, call, failure):
        self._dropped.setdefault(call.model, set()).add(failure.rejected)
        if failure.rejected == SYSTEM:
            call.notes.append("its endpoint takes no system's message, which goes into the user's")
            failure.message += "; asked again with the system's message in the user's"
        else:
            failure.message += f"; asked again without {failure.rejected}"

    def _that_fits(self, model, question):
        """The question, with its tokens of output limited to the model's most."""
        most = self._most_output.get(model, question.max_output_tokens)
        return dataclasses.replace(question,
                                   max_output_tokens=min(most, question.max_output_tokens))

    def _make_room(self, call, failure, input_bytes):
        """Lowers the limit of output once for a call whose request does not fit.

        Returns 0 where the call is made again, else None. The failure describes the change.
        """
        setting, limit = call.question.output_setting, call.question.max_output_tokens
        most = failure.room.output_beside(input_bytes)
        if call.has_made_room or most is None or not LEAST_OUTPUT <= most < limit:
            failure.message += (f"; the prompt does not fit beside {limit} tokens of output: lower "
                                f"{setting}, show less (context_size), or serve the model with a "
                                "larger context")
            return None
        call.has_made_room = True
        self._most_output[call.model] = min(most, self._most_output.get(call.model, most))
        lowered = f"{setting} lowered from {limit} to {most}"
        failure.message += f"; asked again with {lowered}"
        call.notes.append(f"it is asked with {lowered}, since its context is too small")
        return 0.0

    async def _offered(self, call):
        """The remedy for a model that an endpoint lacks."""
        replacement = replacement_of(call.kind)
        advice = f"; {replacement} replaces {call.kind}" if replacement else ""
        try:
            async with asyncio.timeout(LIST_S):
                names = await call.transport.models()
        except Exception as error:  # the list is only for a message, and any endpoint may be odd
            return f"{advice}; its list of models did not come ({type(error).__name__})"
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        return f"{advice}; it offers {', '.join(sorted(names)[:MOST_NAMED])}{more}"

    def _answer(self, call, body, reply, failure):
        message = failure.message if failure else why_empty(reply, call.question)
        self._writer.write("answer", id=call.id, outcome=outcome_of(reply, failure),
                           text=reply.text, finish_reason=reply.finish_reason or "",
                           ignored=sorted(body.ignored), message=message,
                           notes=call.notes)


class Call:
    """The constant part of a call's attempts.

    `model` is the name in rkb, `kind` that in the table of models. `question` may get a lower limit
    of output, once, as `has_made_room` records. `notes` tell people how it was asked.
    """

    def __init__(self, call, provider, question, timeout_s, transport):
        self.id = call
        self.model = f"{provider.name}/{question.name}"
        self.kind = f"{provider.like}/{question.name}"
        self.provider = provider
        self.question = question
        self.timeout_s = timeout_s
        self.transport = transport
        self.has_made_room = False
        self.notes = []


def why_empty(reply, question):
    """The reason why an answer has no text, and a setting that helps; empty where it has one."""
    if reply.text.strip():
        return ""
    limit = f"{question.output_setting} ({question.max_output_tokens})"
    if reply.thought or (reply.usage and reply.usage.reasoning):
        return (f"the content was empty, and {reply.thought} characters of reasoning came; raise "
                f"{limit} or lower the effort, so that an answer follows what is thought")
    if OUTCOMES.get(reply.finish_reason.lower()) == "length":
        return f"the content was empty at the limit of output tokens; raise {limit}"
    return "the content was empty"


def outcome_of(reply, failure):
    """The outcome of an answer: that of a failure, or the endpoint's own reason for its end."""
    if failure:
        return "not_granted" if failure.status == "not_granted" else "error"
    return OUTCOMES.get(reply.finish_reason.lower(), "ok")


def bill(price, reply, failure, input_bytes):
    """The members of `attempt_ended` about tokens and money. `price` is a Price or None.

    A report before an attempt failed may be a running figure, so it does not count. `at_most` is
    the cost of an attempt that failed before any output; None: its reservation.
    """
    usage = listed = reported = at_most = None
    if failure is None and reply.usage:
        usage = reply.usage.bounded()
        listed = min(price.cost(usage), GREATEST) if price else None
    if failure is None and reply.reported_usd is not None:
        reported = min(math.ceil(reply.reported_usd * prices.MICRO), GREATEST)
    if failure and failure.billable and failure.charges_input_alone:
        at_most = prices.estimate(price, input_bytes, 0)
        del at_most["price"]
    return {"billable": failure is None or failure.billable,
            "usage": usage.as_json() if usage else None, "at_most": at_most,
            "micro_usd": reported if listed is None else listed, "reported_micro_usd": reported}
