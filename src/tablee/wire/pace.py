"""How fast one connection may talk: a bucket that fills again by itself."""

from __future__ import annotations

from collections.abc import Callable


class Pace:
    """`burst` at once, then `rate` a second. `seconds` is any clock that only goes forward."""

    __slots__ = ("_at", "_burst", "_left", "_rate", "_seconds")

    def __init__(self, rate: float, burst: int, seconds: Callable[[], float]) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._seconds = seconds
        self._left = float(burst)
        self._at = seconds()

    def take(self) -> float:
        """0 if one more may pass now, else after how many seconds it may."""
        self._refill()
        if self._left < 1:
            return (1 - self._left) / self._rate
        self._left -= 1
        return 0.0

    def spend(self) -> float:
        """Count one that has passed, whether it might or not: for how many seconds none should follow."""
        self._refill()
        self._left -= 1
        return max(0.0, -self._left / self._rate)

    def _refill(self) -> None:
        now = self._seconds()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
