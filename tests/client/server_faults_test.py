"""The client keeps what it promises where a server is full, ends, or is another version's."""

import contextlib
import json
import pathlib
import socket
import tempfile
import threading
import unittest
import unittest.mock

from rkb_client import Client, NoVerdictError, ServerError

FINAL = {"type": "final", "verdict": "pass", "cheat_class": None, "reason": "", "stage": "test",
         "speedup": None, "speedup_low": None, "speedup_high": None,
         "speedup_replayed": None, "against": None,
         "record": {}, "status": "done"}


@contextlib.contextmanager
def server(answer, protocol=1):
    """Yields the socket of a server. `answer` returns the answers to a submission, or None to end."""
    with tempfile.TemporaryDirectory() as directory, socket.socket(socket.AF_UNIX) as listener:
        path = pathlib.Path(directory, "socket")
        listener.bind(str(path))
        listener.listen()

        def serve():
            connection, _ = listener.accept()
            with connection, connection.makefile("rw") as lines:
                for line in lines:
                    request = json.loads(line)
                    hello = {"type": "hello", "protocol": protocol, "tasks": [], "devices": [],
                             "queue": 9}
                    answers = [hello] if request["type"] == "hello" else answer(request)
                    if answers is None:
                        return
                    for each in answers:
                        lines.write(json.dumps(each) + "\n")
                    lines.flush()

        thread = threading.Thread(target=serve)
        thread.start()
        yield path
        thread.join()


class ServerFaultsTest(unittest.TestCase):
    def test_a_submission_that_finds_no_room_is_sent_again(self):
        seen = []

        def answer(request):
            seen.append(request["id"])
            status = "busy" if len(seen) == 1 else "done"
            return [{**FINAL, "id": request["id"], "status": status}]

        at_once = unittest.mock.patch("rkb_client.client.BUSY_SECONDS", 0)
        with at_once, server(answer) as path, Client(socket=path) as client:
            self.assertTrue(client.evaluate("task", "text\n").passed)
        self.assertEqual(seen, ["1", "1"])

    def test_the_end_of_a_server_ends_its_submissions(self):
        with server(lambda _: None) as path, Client(socket=path) as client:
            submission = client.submit("task", "text\n")
            self.assertEqual(list(submission.stages()), [])
            with self.assertRaisesRegex(ServerError, "closed the connection"):
                submission.result()
            with self.assertRaises(ServerError):
                client.submit("task", "text\n")

    def test_a_failure_of_the_harness_is_no_verdict(self):
        def answer(request):
            return [{**FINAL, "id": request["id"], "verdict": "harness_error", "reason": "no disk"}]

        with server(answer) as path, Client(socket=path) as client:
            with self.assertRaisesRegex(NoVerdictError, "no disk"):
                client.evaluate("task", "text\n")

    def test_the_score_of_a_replayed_kernel_is_the_lower_of_both_speedups(self):
        def answer(request):
            self.assertEqual((request["judge"], request["require_replay"]), ("replay", True))
            return [{**FINAL, "id": request["id"], "speedup": 5.0, "speedup_low": 4.0,
                     "speedup_high": 6.0, "speedup_replayed": float(request["task"])}]

        with server(answer) as path, Client(socket=path) as client:
            for replayed, score in (("3", 3.0), ("4.5", 4.0)):
                evaluation = client.evaluate(replayed, "text\n", judge="replay",
                                             require_replay=True)
                self.assertEqual(evaluation.score, score)

    def test_another_protocol_is_refused(self):
        with server(lambda _: None, protocol=2) as path:
            with self.assertRaisesRegex(ServerError, "protocol 2"):
                Client(socket=path)


