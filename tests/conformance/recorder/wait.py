"""Waiting for something to become true, with a deadline; never for time to pass."""

import threading
import time

PATIENCE = 120.0
_POLL_SECONDS = 0.02


class TimedOut(Exception):
    pass


def poll_until(what, condition, seconds=PATIENCE, every=_POLL_SECONDS):
    """Returns the first true result of `condition`."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > deadline:
            raise TimedOut(f"not within {seconds:.0f} s: {what}")
        pause.wait(every)
