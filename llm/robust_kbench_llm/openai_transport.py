"""Asks endpoints that speak OpenAI's chat completions, through the SDK `openai`."""

import decimal
import os

from robust_kbench_llm import http_client, http_status
from robust_kbench_llm.content_text import add_content, add_thoughts
from robust_kbench_llm.event_stream import events_of
from robust_kbench_llm.transport import AttemptFailed, Body, without_system
from robust_kbench_llm.usage import make_usage

OUTPUT_LIMITS = ("max_tokens", "max_completion_tokens")


def make_body(question, capability, dropped=frozenset()):
    """The Body for a question. Parameters in `dropped` were rejected before."""
    members = {"model": question.name, "messages": question.messages, "stream": True}
    droppable, ignored = {}, set()
    if http_status.SYSTEM in dropped:
        members["messages"] = without_system(question.messages)
    elif any(message["role"] == "system" for message in question.messages):
        droppable[http_status.SYSTEM] = None

    def add(parameter, value, setting):
        if parameter in dropped:
            ignored.update({setting} - {None})
        else:
            members[parameter] = value
            droppable[parameter] = setting

    limit = capability.output_limit
    if limit in dropped:
        limit = OUTPUT_LIMITS[1 - OUTPUT_LIMITS.index(limit)]
    members[limit] = question.max_output_tokens
    # The limit is part of the reservation, so it may change its name once but is never left out.
    droppable |= {} if dropped & set(OUTPUT_LIMITS) else {limit: None}
    add("stream_options", {"include_usage": True}, None)
    for parameter, value in capability.extra.items():
        add(parameter, value, None)
    if question.temperature is not None:
        if capability.temperature:
            add("temperature", question.temperature, "temperature")
        else:
            ignored.add("temperature")
    if question.effort is not None:
        if capability.effort == "reasoning_effort":
            add("reasoning_effort", question.effort, "effort")
        elif capability.effort == "reasoning":
            add("reasoning", {"effort": question.effort}, "effort")
        else:
            ignored.add("effort")
    if question.schema is not None:
        if capability.schema:
            add("response_format", {"type": "json_schema", "json_schema": {
                "name": "answer", "schema": question.schema, "strict": True}}, "schema")
        else:
            ignored.add("schema")
    return Body(members, frozenset(ignored), droppable)


def usage_of(reported):
    """A Usage of the object `usage` that an endpoint sends, or None."""
    if not isinstance(reported, dict):
        return None
    details = reported.get("prompt_tokens_details") or {}
    thoughts = reported.get("completion_tokens_details") or {}
    prompt, completion = reported.get("prompt_tokens"), reported.get("completion_tokens")
    reasoning = thoughts.get("reasoning_tokens")
    total = reported.get("total_tokens")
    # Tokens of the total beyond the prompt are output, such as thoughts that are counted apart.
    if all(isinstance(count, int) for count in (prompt, completion, total)):
        completion = max(completion, total - prompt)
    return make_usage(input=prompt, cached_input=details.get("cached_tokens"),
                      cache_write=details.get("cache_write_tokens"), output=completion,
                      reasoning=reasoning)


def reported_usd_of(reported):
    """The cost of a call in dollars that an endpoint reports, or None."""
    if not isinstance(reported, dict):
        return None
    cost = dollars(reported.get("cost"))
    if cost is None or not reported.get("is_byok"):
        return cost
    # The answer itself tells that a person's own key was used. Its bill at the maker is added.
    details = reported.get("cost_details") or {}
    return cost + (dollars(details.get("upstream_inference_cost")) or 0)


def dollars(value):
    """A JSON number as a Decimal with its exact digits, or None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    amount = decimal.Decimal(str(value))
    return amount if amount.is_finite() and amount >= 0 else None


class OpenaiTransport:
    def __init__(self, provider, key):
        # The SDK would take further headers and addresses from these variables.
        for name in [name for name in os.environ if name.startswith("OPENAI_")]:
            del os.environ[name]
        import openai

        self._sdk = openai
        self._host = provider.host
        self._listed_prefix = provider.listed_prefix
        # The SDK insists on a key, but an endpoint without one gets no header for it.
        self._headers = {} if key else {"Authorization": openai.Omit()}
        # Azure, whose addresses have this parameter, expects keys in a header of its own.
        if key and "api-version" in provider.query:
            self._headers["api-key"] = key
        self._client = openai.AsyncOpenAI(
            api_key=key or "none", base_url=provider.base_url, max_retries=0,
            default_query=provider.query, timeout=http_client.LIST_S,
            http_client=http_client.make_client(provider))

    make_body = staticmethod(make_body)

    async def ask(self, body, timeout_s, reply):
        """Sends a Body and fills the Reply. Raises AttemptFailed."""
        import httpx2

        openai = self._sdk
        timeout = openai.Timeout(timeout_s, connect=http_client.CONNECT_S)
        has_begun = False
        try:
            stream = await self._client.post(
                "/chat/completions", cast_to=object, body=body.members, stream=True,
                stream_cls=openai.AsyncStream[object],
                options={"timeout": timeout, "headers": self._headers})
            has_begun = True
            async with stream:
                await self._read(stream.response, body, reply)
        except openai.APIStatusError as error:
            raise http_status.failure_of_status(
                error.status_code, error.response.headers, error.body, self._host,
                body.droppable) from None
        except (openai.APIConnectionError, httpx2.HTTPError) as error:
            raise http_client.failure_of(error, self._host, has_begun) from None
        if reply.finish_reason is None:
            raise AttemptFailed("truncated_body", f"{self._host} ended its answer without a "
                                "finish_reason")

    async def _read(self, response, body, reply):
        """Reads the events. The SDK's own reader accepts only a stream, and drops the rest."""
        try:
            async for chunk in events_of(response, self._host):
                if chunk.get("error"):
                    raise http_status.failure_in_answer(
                        http_status.error_of(chunk), self._host, reply.has_output, body.droppable)
                take_chunk(reply, chunk)
        except (ValueError, TypeError, AttributeError) as error:
            raise AttemptFailed("truncated_body", f"{self._host} sent what is no chat completion: "
                                f"{error}") from None

    async def models(self):
        """The names of the models that the endpoint offers."""
        page = await self._client.get("/models", cast_to=object,
                                      options={"headers": self._headers})
        return [entry["id"].removeprefix(self._listed_prefix) for entry in page["data"]]


def take_chunk(reply, chunk):
    """Adds a chunk of the stream to the reply. A whole answer is one chunk."""
    for choice in chunk.get("choices") or ():
        if choice.get("index"):
            continue
        message = choice.get("delta") or choice.get("message") or {}
        add_content(reply, message.get("content"))
        add_thoughts(reply, message.get("reasoning_content") or message.get("reasoning"))
        end = choice.get("finish_reason") or ("stop" if "message" in choice else None)
        reply.finish_reason = reply.finish_reason or end
        if message.get("refusal"):
            reply.refuse(message["refusal"])
    # A usage before the end is that of a part of the answer.
    if chunk.get("usage") and reply.finish_reason is not None:
        reply.usage = usage_of(chunk["usage"])
        reply.reported_usd = reported_usd_of(chunk["usage"])
