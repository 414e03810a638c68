"""A slow reader costs a bounded queue, and nothing more."""

from __future__ import annotations

from tablee.doors.web.live.outgoing import Outgoing


async def test_texts_come_out_in_order_and_none_at_the_end() -> None:
    outgoing = Outgoing()
    assert outgoing.put("one")
    assert outgoing.put("two")
    outgoing.close()
    assert [await outgoing.get(), await outgoing.get(), await outgoing.get()] == ["one", "two", None]


async def test_too_many_texts_overflow_once_and_for_good() -> None:
    outgoing = Outgoing(most_texts=3)
    assert [outgoing.put(str(n)) for n in range(5)] == [True, True, True, False, False]
    assert outgoing.overflowed
    assert await outgoing.get() is None


async def test_too_many_bytes_overflow_too() -> None:
    outgoing = Outgoing(most_bytes=10)
    assert outgoing.put("123456")
    assert not outgoing.put("123456")


async def test_one_large_text_passes_when_nothing_else_waits() -> None:
    outgoing = Outgoing(most_bytes=10)
    assert outgoing.put("a" * 100)
    assert await outgoing.get() == "a" * 100
