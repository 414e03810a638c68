"""Appends to table 1 as fast as it can and prints every number once it is durable: made to be killed.

Run as `python -m tests.store.appender URL`.
"""

from __future__ import annotations

import asyncio
import os
import sys

from tests.store.rows import head_of, move

from tablee.store import open_store


async def main(url: str) -> None:
    store = await open_store(url)
    head = await head_of(store, 1)

    def submit(after: int) -> None:
        def done(error: Exception | None) -> None:
            if error is not None:
                raise SystemExit(str(error))
            # Straight to the pipe: what is printed must not wait in a buffer when we are killed.
            os.write(1, b"%d\n" % (after + 1))
            submit(after + 50)

        store.submit(move(1, after, request=f"r{after}"), done)

    for after in range(head, head + 50):
        submit(after)
    await asyncio.Event().wait()


asyncio.run(main(sys.argv[1]))
