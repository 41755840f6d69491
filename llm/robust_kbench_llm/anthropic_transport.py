"""Asks endpoints that speak Anthropic's Messages, on the SDK's client of HTTP."""

import json

from robust_kbench_llm import http_client, http_status
from robust_kbench_llm.content_text import add_content, add_part, add_thoughts
from robust_kbench_llm.event_stream import events_of
from robust_kbench_llm.transport import AttemptFailed, Body, without_system
from robust_kbench_llm.usage import make_usage

API_VERSION = "2023-06-01"
LEAST_BUDGET = 1024  # tokens of thinking, by Anthropic's documentation
# Thinking counts against the output limit, so a budget is a share of it.
BUDGET_SHARE = {"low": 8, "medium": 4, "high": 2}


def make_body(question, capability, dropped=frozenset()):
    """The Body for a question. Parameters in `dropped` were rejected before."""
    system = "\n\n".join(message["content"] for message in question.messages
                         if message["role"] == "system")
    members = {"model": question.name, "stream": True, "max_tokens": question.max_output_tokens,
               "messages": [message for message in question.messages
                            if message["role"] != "system"]}
    droppable, ignored = {}, set()
    if system and http_status.SYSTEM in dropped:
        members["messages"] = without_system(question.messages)
    elif system:
        members["system"] = system
        droppable[http_status.SYSTEM] = None
    thinking, output = None, {}
    if question.effort is not None:
        budget = max(LEAST_BUDGET, question.max_output_tokens // BUDGET_SHARE[question.effort])
        if capability.effort == "adaptive" and not dropped & {"thinking", "effort"}:
            thinking = {"type": "adaptive"}
            output["effort"] = question.effort
            droppable["effort"] = "effort"
        elif (capability.effort == "budget" and "thinking" not in dropped
              and budget <= question.max_output_tokens // 2):
            thinking = {"type": "enabled", "budget_tokens": budget}
        else:
            ignored.add("effort")
    if thinking:
        members["thinking"] = thinking
        droppable["thinking"] = "effort"
    if question.temperature is not None:
        # With thinking, a model accepts no other temperature than 1.
        if capability.temperature and "temperature" not in dropped and not thinking:
            members["temperature"] = question.temperature
            droppable["temperature"] = "temperature"
        elif not (thinking and question.temperature == 1):
            ignored.add("temperature")
    if question.schema is not None:
        if capability.schema and "format" not in dropped:
            output["format"] = {"type": "json_schema", "schema": question.schema}
            droppable["format"] = "schema"
        else:
            ignored.add("schema")
    if output:
        members["output_config"] = output
    return Body(members, frozenset(ignored), droppable)


def usage_of(reported):
    """A Usage of all token counts in the stream, or None. The parts of the input add up."""
    parts = [reported.get(name) or 0 for name in
             ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")]
    if "input_tokens" not in reported or not all(isinstance(part, int) for part in parts):
        return None
    details = reported.get("output_tokens_details") or {}
    return make_usage(input=sum(parts), cached_input=parts[1], cache_write=parts[2],
                      output=reported.get("output_tokens"),
                      reasoning=details.get("thinking_tokens"))


class AnthropicTransport:
    def __init__(self, provider, key):
        import httpx2

        self._http = httpx2
        self._host = provider.host
        self._base_url = provider.base_url
        self._query = provider.query
        self._headers = {"anthropic-version": API_VERSION}
        if key:
            self._headers["x-api-key"] = key
        self._client = http_client.make_client(provider)

    make_body = staticmethod(make_body)

    async def ask(self, body, timeout_s, reply):
        """Sends a Body and fills the Reply. Raises AttemptFailed."""
        http = self._http
        has_begun = False
        try:
            async with self._client.stream(
                    "POST", f"{self._base_url}/v1/messages", headers=self._headers,
                    params=self._query, json=body.members,
                    timeout=http.Timeout(timeout_s, connect=http_client.CONNECT_S)) as response:
                if response.status_code != 200:
                    raise await self._failure(response, body)
                has_begun = True
                await self._read(response, body, reply)
        except http.HTTPError as error:
            raise http_client.failure_of(error, self._host, has_begun) from None

    async def _failure(self, response, body):
        text = (await response.aread()).decode("utf-8", "replace")
        try:
            explained = json.loads(text)
        except ValueError:
            explained = text
        return http_status.failure_of_status(response.status_code, response.headers, explained,
                                             self._host, body.droppable)

    async def _read(self, response, body, reply):
        reported = {}
        try:
            async for event in events_of(response, self._host):
                if event.get("type") == "error" or event.get("error"):
                    raise http_status.failure_in_answer(
                        http_status.error_of(event), self._host, reply.has_output, body.droppable)
                if take_event(reply, reported, event):
                    return
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            raise AttemptFailed("truncated_body", f"{self._host} sent what is no message: "
                                f"{error}") from None
        raise AttemptFailed("truncated_body", f"{self._host} ended its answer without a "
                            "message_stop")

    async def models(self):
        """The names of the models that the endpoint offers."""
        response = await self._client.get(f"{self._base_url}/v1/models",
                                          params={**self._query, "limit": 1000},
                                          headers=self._headers)
        response.raise_for_status()
        return [entry["id"] for entry in response.json()["data"]]


def take_event(reply, reported, event):
    """Adds an event to the reply and to the reported usage. True for the last event.

    A whole answer is one event, a `message`.
    """
    match event["type"]:
        case "message":
            add_content(reply, event["content"])
            reported |= event.get("usage") or {}
            reply.finish_reason = event.get("stop_reason") or "end_turn"
            reply.usage = usage_of(reported)
            return True
        case "message_start":
            reported |= event["message"].get("usage") or {}
        case "content_block_start":
            add_part(reply, event["content_block"])
        case "content_block_delta":
            delta = event["delta"]
            if delta.get("type") == "text_delta":
                reply.add(delta["text"])
            add_thoughts(reply, delta.get("thinking"))
        case "message_delta":
            reported |= event.get("usage") or {}
            reply.finish_reason = event["delta"].get("stop_reason")
        case "message_stop" if reply.finish_reason:
            reply.usage = usage_of(reported)
            return True
    return False
