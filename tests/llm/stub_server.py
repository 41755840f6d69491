#!/usr/bin/env python3
"""A stub of language models' endpoints on loopback, which answers by a script and counts.

  stub_server.py --scenario FILE --port-file FILE

It speaks both wire formats, streamed: POST .../chat/completions as OpenAI does, POST .../messages
as Anthropic does. GET .../models lists models. The port file is written once it listens.

A scenario is a JSON object:

  models      names for GET /models; default: none
  exit_after  the server ends, without an answer, at the request after so many
  rules       list of answers; the first that fits a request and is not used up serves it
  default     the answer where no rule fits; default: {}

An answer is a JSON object. When a rule serves:

  model       pattern of file names that the model matches
  wire        "openai" or "anthropic"
  contains    a text that the prompt has
  times       the rule serves so many requests, then no more

What is answered:

  text        the text; "$prompt" in it stands for the prompt, "$count" for the number of the
              request, "$quote" for what the regular expression `quote` finds in the prompt (its
              first group, where it has one)
  texts       a list of texts, served in turn
  quote       the regular expression
  status      default 200; another one is answered with `error`
  error       message, or the whole object `error`
  headers     object, as {"retry-after": "0"}
  unsupported list of parameters; a request that has one of them is answered with status 400
  usage       null: none is reported; an object replaces members of the computed one, which are
              input_tokens (a quarter of the prompt's bytes), cached_input_tokens,
              cache_write_tokens, output_tokens (a quarter of the text's bytes), reasoning_tokens
  thoughts_apart  true: completion_tokens leaves out reasoning_tokens, and total_tokens has them
  cost        dollars that the endpoint itself reports
  finish_reason  the wire's own word; default: "stop" or "end_turn"
  refusal     text of a refusal, instead of the text
  stream_error   an error object within the stream, after half of the text
  whole       true: the answer is one JSON object and no stream
  mark        true: a byte order mark begins the answer
  parts       true: the content is a list of parts, of which the first is thought
  reasoning   text that the model thinks before it answers
  body        text that is sent as it is, with status 200, in place of an answer
  no_system   message of the status 400 for a request that has a system's message
  context     tokens of input and output, beyond which a request is answered with status 400
  delay_s     seconds before anything is sent
  chunk_delay_s  seconds before each of the pieces of text
  pieces      number of pieces that the text is sent in, default 2
  running_usage  true: each piece of the text comes with the usage of the answer up to it
  truncate    true: the connection ends after half of the text
  endless     true: the text comes again and again, until the client goes away
  hang        true: nothing is sent, until the client goes away

GET /count gives what was served: `requests`, `most_at_once`, `by_status` (also "closed": the client
went away, or the answer was cut off) and `models`. There each model has its `requests`, the number
of answers with usage (`reported`), the sums of the counts in these, and `cost_usd`. GET /requests
gives wire, path, headers, body and the reported usage of each request.
"""

import argparse
import codecs
import http.server
import json
import pathlib
import ssl
import sys
import time

from stub_script import BYTES_PER_TOKEN, Script, prompt_of, usage_of
from stub_streams import STREAMS

GONE = (BrokenPipeError, ConnectionResetError)


def has_parameter(value, name):
    """Whether a request has a member of that name, at any depth."""
    if isinstance(value, dict):
        return name in value or any(has_parameter(item, name) for item in value.values())
    return isinstance(value, list) and any(has_parameter(item, name) for item in value)


def context_refusal(answer, body):
    """The reason why a request does not fit into the context, or None."""
    most = answer.get("context", float("inf"))
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    taken = -(-len(prompt_of(body).encode()) // BYTES_PER_TOKEN)
    if taken + limit <= most:
        return ""
    return (f"This model's maximum context length is {most} tokens. However, you requested "
            f"{taken + limit} tokens ({taken} in the messages, {limit} in the completion).")


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves one connection by the server's script."""

    protocol_version = "HTTP/1.1"

    @property
    def script(self):
        return self.server.script

    def log_message(self, *_):
        """Logs nothing, since GET /count has the served requests."""

    def do_GET(self):
        if self.path == "/count":
            self._send_json(200, self.script.settled_count())
        elif self.path == "/requests":
            self._send_json(200, self.script.requests)
        elif self.path.partition("?")[0].endswith("/models"):
            self._send_json(200, {"data": [{"id": name} for name in self.script.models]})
        else:
            self._send_json(404, {"error": {"message": f"no page {self.path}"}})

    def do_POST(self):
        path = self.path.partition("?")[0]
        wire = "anthropic" if path.endswith("/messages") else "openai"
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        number, answer = self.script.begin(wire, self.path, dict(self.headers), body)
        time.sleep(answer.get("delay_s", 0))
        try:
            status, usage, cost = self._serve(wire, body, answer)
        except GONE:
            self.close_connection = True
            status, usage, cost = "closed", None, None
        self.script.end(number, status, usage, cost)

    def _serve(self, wire, body, answer):
        """Answers a request. Returns the status, and the reported usage and cost."""
        for name in answer.get("unsupported", ()):
            if has_parameter(body, name):
                self._send_json(400, {"error": {
                    "message": f"Unsupported parameter: '{name}' is not supported with this model.",
                    "type": "invalid_request_error", "param": name,
                    "code": "unsupported_parameter"}})
                return 400, None, None
        if "no_system" in answer and (
                "system" in body or any(message["role"] == "system" for message in body["messages"])):
            self._send_json(400, {"error": {"message": answer["no_system"]}})
            return 400, None, None
        if refusal := context_refusal(answer, body):
            self._send_json(400, {"error": {"message": refusal, "type": "invalid_request_error"}})
            return 400, None, None
        status = answer.get("status", 200)
        if status != 200:
            error = answer.get("error", f"the stub answers {status}")
            self._send_json(status, {"error": error if isinstance(error, dict) else
                                     {"message": error, "type": "stub"}},
                            answer.get("headers", {}))
            return status, None, None
        if answer.get("hang"):
            self._wait_for_the_client()
            raise ConnectionResetError
        text = answer.get("refusal", answer["text"])
        if "body" in answer:
            self._send_text(answer)
            return 200, None, None
        usage = usage_of(answer, body, text)
        stream = STREAMS[wire](answer, body, usage)
        if answer.get("whole"):
            self._send_text({**answer, "body": json.dumps(stream.whole(text))})
        else:
            self._stream(stream, answer, text)
        return 200, usage, answer.get("cost") if usage else None

    def _stream(self, stream, answer, text):
        self.send_response(200)
        for name, value in {"content-type": "text/event-stream", "transfer-encoding": "chunked",
                            **answer.get("headers", {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if answer.get("mark"):
            self._send_chunk(codecs.BOM_UTF8)
        for event in stream.begin():
            self._send_event(event)
        count = answer.get("pieces", 2)
        size = max(1, -(-len(text) // count))
        pieces = [text[start:start + size] for start in range(0, len(text), size)] or [""]
        if answer.get("truncate") or "stream_error" in answer:
            pieces = pieces[:(len(pieces) + 1) // 2]
        while True:
            for piece in pieces:
                time.sleep(answer.get("chunk_delay_s", 0))
                for event in stream.piece(piece):
                    self._send_event(event)
            if not answer.get("endless"):
                break
        if answer.get("truncate"):
            raise ConnectionResetError
        if "stream_error" in answer:
            self._send_event(stream.error(answer["stream_error"]))
            self._send_chunk(b"")
            raise ConnectionResetError
        for event in stream.end():
            self._send_event(event)
        self._send_chunk(b"")

    def _send_event(self, event):
        text = event if isinstance(event, str) else json.dumps(event)
        name = f"event: {event['type']}\n" if "type" in event else ""
        self._send_chunk(f"{name}data: {text}\n\n".encode())

    def _send_chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def _send_text(self, answer):
        data = (codecs.BOM_UTF8 if answer.get("mark") else b"") + answer["body"].encode()
        self._send_data(200, data, answer.get("headers", {}))

    def _send_json(self, status, value, headers=None):
        self._send_data(status, json.dumps(value).encode(), headers)

    def _send_data(self, status, data, headers):
        self.send_response(status)
        for name, text in {"content-type": "application/json", "content-length": str(len(data)),
                           **(headers or {})}.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(data)

    def _wait_for_the_client(self):
        self.connection.settimeout(None)
        self.connection.recv(1)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, scenario, certificate=None):
        """`certificate` is a file with a certificate and its key, for TLS."""
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = Script(scenario)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True)

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], (*GONE, ssl.SSLError)):
            super().handle_error(request, client_address)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scenario", type=pathlib.Path, required=True)
    parser.add_argument("--port-file", type=pathlib.Path, required=True)
    options = parser.parse_args()
    server = Server(json.loads(options.scenario.read_text()))
    new = options.port_file.with_name(options.port_file.name + ".new")
    new.write_text(f"{server.server_port}\n")
    new.rename(options.port_file)
    server.serve_forever()


if __name__ == "__main__":
    main()
