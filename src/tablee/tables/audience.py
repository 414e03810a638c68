"""Who hears of a table: listeners, and those who wait for an answer, in that order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import structlog

from tablee.tables.happened import Happened
from tablee.tables.submission import Done, Outcome, Submission

log = structlog.get_logger("tablee.tables")

Listener = Callable[[Sequence[Happened]], object]


class Audience:
    """What is committed and not yet told, whom to tell it, and whom to answer after that."""

    __slots__ = ("_listeners", "_table_id", "answers", "news")

    def __init__(self, table_id: int) -> None:
        self._table_id = table_id
        self._listeners: list[_Listening] = []
        self.news: list[Happened] = []
        self.answers: list[Submission] = []

    @property
    def has_listeners(self) -> bool:
        return bool(self._listeners)

    @property
    def waits(self) -> bool:
        """Whether there is something to tell or to answer."""
        return bool(self.news or self.answers)

    def subscribe(self, listener: Listener, after: int) -> Callable[[], None]:
        """Call `listener` with every event after the event `after`, in order, each once."""
        listening = _Listening(listener, after)
        self._listeners.append(listening)

        def unsubscribe() -> None:
            listening.gone = True
            self._listeners = [other for other in self._listeners if other is not listening]

        return unsubscribe

    def leave(self) -> None:
        """Nobody listens any more."""
        self._listeners.clear()

    def tell(self) -> list[Submission]:
        """Tell the news; gives those who are to be answered now."""
        news, self.news = self.news, []
        answers, self.answers = self.answers, []
        if news:
            first, last = news[0].seq, news[-1].seq
            for listening in tuple(self._listeners):
                if listening.gone or listening.after >= last:
                    continue
                told = news if listening.after < first else [h for h in news if h.seq > listening.after]
                listening.after = last
                try:
                    listening.listener(told)
                except Exception:
                    log.exception("listener_failed", table=self._table_id)
        return answers

    def answer(self, submission: Submission) -> None:
        """Say what became of a submission, to all who sent it."""
        marked = () if submission.marking is None else submission.marking.told
        outcome = Outcome(submission.error, submission.happened, submission.duplicate, marked)
        self._call(submission.done, outcome)
        if submission.also:
            again = outcome if outcome.error is not None else outcome._replace(duplicate=True)
            for other in submission.also:
                self._call(other.done, again)

    def _call(self, done: Done, outcome: Outcome) -> None:
        try:
            done(outcome)
        except Exception:
            log.exception("answer_failed", table=self._table_id)


class _Listening:
    __slots__ = ("after", "gone", "listener")

    def __init__(self, listener: Listener, after: int) -> None:
        self.listener = listener
        self.after = after
        self.gone = False
