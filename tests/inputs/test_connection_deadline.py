"""The seconds that a server has."""

from __future__ import annotations

import socket
import time

from schemacheck.inputs.connection import Deadline


def test_seconds_can_begin_anew_and_end_all_the_same():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        deadline = Deadline(1.0)
        deadline.watch(ours)
        time.sleep(0.6)
        deadline.renew()
        time.sleep(0.6)
        assert not deadline.passed
        # Nothing comes: the socket is shut down when the renewed second is over.
        assert ours.recv(1) == b""
        assert deadline.passed
        deadline.close()


def test_nothing_is_shut_down_behind_the_end_of_a_session():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        deadline = Deadline(0.2)
        deadline.watch(ours)
        deadline.renew()
        deadline.close()
        time.sleep(0.4)
        theirs.send(b"x")
        assert ours.recv(1) == b"x"
