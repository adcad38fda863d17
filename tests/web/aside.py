"""Acts of others beside a page: away."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def away(act: Coroutine[Any, Any, T]) -> T:
    """Run the acts of another device meanwhile: in a thread, since this one may have a loop of its own."""
    found: list[T] = []
    thread = threading.Thread(target=lambda: found.append(asyncio.run(act)))
    thread.start()
    thread.join()
    assert found, "it failed; the thread has said why"
    return found[0]
