"""The events of an answer in each of the two wire formats."""

from stub_script import BYTES_PER_TOKEN


class RunningUsage:
    """The usage of an answer that is sent in part so far."""

    def __init__(self, answer, usage):
        self._is_sent = answer.get("running_usage") and usage
        self._usage = usage
        self._bytes = 0

    def after(self, text):
        """The counts after a further piece has been sent, or None if none are reported."""
        self._bytes += len(text.encode())
        if not self._is_sent:
            return None
        return {**self._usage, "output_tokens": -(-self._bytes // BYTES_PER_TOKEN)}


class OpenaiStream:
    """The events of a chat completion."""

    def __init__(self, answer, body, usage):
        self._answer, self._body, self._usage = answer, body, usage
        self._running = RunningUsage(answer, usage)

    def begin(self):
        yield self._chunk({"role": "assistant", "content": ""})
        if "reasoning" in self._answer:
            yield self._chunk({"content": None, "reasoning_content": self._answer["reasoning"]})

    def piece(self, text):
        name = "refusal" if "refusal" in self._answer else "content"
        yield self._chunk({name: self._content(text)}, usage=self._running.after(text))

    def whole(self, text):
        message = {"role": "assistant", "content": self._content(text),
                   "reasoning_content": self._answer.get("reasoning")}
        return {"id": "stub", "object": "chat.completion", "created": 0,
                "model": self._body["model"], "choices": [{
                    "index": 0, "message": message,
                    "finish_reason": self._answer.get("finish_reason", "stop")}],
                "usage": self._reported(self._usage) if self._usage else None}

    def _content(self, text):
        if not self._answer.get("parts"):
            return text
        return [{"type": "thinking", "thinking": [{"type": "text", "text": "Well."}]},
                {"type": "text", "text": text}]

    def error(self, error):
        return {"error": error}

    def end(self):
        yield self._chunk({}, self._answer.get("finish_reason", "stop"))
        if self._usage and self._body.get("stream_options", {}).get("include_usage"):
            yield self._object([], self._usage)
        yield "[DONE]"

    def _chunk(self, delta, finish_reason=None, usage=None):
        return self._object([{"index": 0, "delta": delta, "finish_reason": finish_reason}], usage)

    def _object(self, choices, usage):
        return {"id": "stub", "object": "chat.completion.chunk", "created": 0,
                "model": self._body["model"], "choices": choices,
                "usage": self._reported(usage) if usage else None}

    def _reported(self, usage):
        apart = usage["reasoning_tokens"] if self._answer.get("thoughts_apart") else 0
        reported = {
            "prompt_tokens": usage["input_tokens"],
            "completion_tokens": usage["output_tokens"] - apart,
            "total_tokens": usage["input_tokens"] + usage["output_tokens"],
            "prompt_tokens_details": {"cached_tokens": usage["cached_input_tokens"],
                                      "cache_write_tokens": usage["cache_write_tokens"]},
            "completion_tokens_details": {"reasoning_tokens": usage["reasoning_tokens"]}}
        if "cost" in self._answer:
            reported["cost"] = self._answer["cost"]
        return reported


class AnthropicStream:
    """The events of a message."""

    def __init__(self, answer, body, usage):
        self._answer, self._body, self._usage = answer, body, usage
        self._running = RunningUsage(answer, usage)

    def _message(self, content, output_tokens, **members):
        message = {"id": "stub", "type": "message", "role": "assistant", "content": content,
                   "model": self._body["model"], **members}
        if self._usage:
            usage = self._usage
            cached, written = usage["cached_input_tokens"], usage["cache_write_tokens"]
            message["usage"] = {
                "input_tokens": usage["input_tokens"] - cached - written,
                "cache_read_input_tokens": cached, "cache_creation_input_tokens": written,
                "output_tokens": output_tokens}
        return message

    def whole(self, text):
        thoughts = [{"type": "thinking", "thinking": self._answer["reasoning"]}] \
            if "reasoning" in self._answer else []
        return self._message([*thoughts, {"type": "text", "text": text}],
                             self._usage and self._usage["output_tokens"],
                             stop_reason=self._answer.get("finish_reason", "end_turn"))

    def begin(self):
        yield {"type": "message_start", "message": self._message([], 1)}
        if "reasoning" in self._answer:
            yield {"type": "content_block_delta", "index": 0, "delta": {
                "type": "thinking_delta", "thinking": self._answer["reasoning"]}}
        yield {"type": "content_block_start", "index": 0,
               "content_block": {"type": "text", "text": ""}}
        yield {"type": "ping"}

    def piece(self, text):
        yield {"type": "content_block_delta", "index": 0,
               "delta": {"type": "text_delta", "text": text}}
        usage = self._running.after(text)
        if usage:
            yield {"type": "message_delta", "delta": {"stop_reason": None},
                   "usage": {"output_tokens": usage["output_tokens"]}}

    def error(self, error):
        return {"type": "error", "error": error}

    def end(self):
        reason = "refusal" if "refusal" in self._answer else "end_turn"
        delta = {"type": "message_delta",
                 "delta": {"stop_reason": self._answer.get("finish_reason", reason)}}
        if self._usage:
            delta["usage"] = {"output_tokens": self._usage["output_tokens"]}
            if self._usage["reasoning_tokens"]:
                delta["usage"]["output_tokens_details"] = {
                    "thinking_tokens": self._usage["reasoning_tokens"]}
        yield {"type": "content_block_stop", "index": 0}
        yield delta
        yield {"type": "message_stop"}


STREAMS = {"openai": OpenaiStream, "anthropic": AnthropicStream}
