"""Figures for Prometheus: what the house does, and how much air its event loop has."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping

from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from tablee.watchdog import Watchdog

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
LAG_EVERY = 0.25
"""Seconds between two looks at how late the event loop is."""

Figure = Callable[[], float | Mapping[str, float]]
"""A number, or numbers by label, asked for when somebody looks."""


class Metrics:
    """The registry of one server process."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # births of counters help nobody
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self._asked = _Asked()
        self.registry.register(self._asked)
        self.commits = Histogram(
            "tablee_commit_seconds",
            "Time from the submission of a batch's first unit to its being durable.",
            buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
            registry=self.registry,
        )
        self.failures = Counter(
            "tablee_commit_failures",
            "Units that were not written, by reason.",
            ["reason"],
            registry=self.registry,
        )
        self.units = Counter(
            "tablee_units", "Units that were submitted, written or not.", registry=self.registry
        )
        self.events = Counter(
            "tablee_events", "Events appended to the logs of tables by this node.", registry=self.registry
        )
        self._lag = Histogram(
            "tablee_loop_lag_seconds",
            "How much later than asked the event loop runs what is due.",
            buckets=(0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5),
            registry=self.registry,
        )
        self._stalls = Histogram(
            "tablee_loop_stall_seconds",
            "How long the event loop stood still, by cause, from a quarter of a second on.",
            ["cause"],
            buckets=(0.5, 1, 2.5, 5, 10),
            registry=self.registry,
        )
        self._watching: asyncio.Task[None] | None = None
        self._watchdog = Watchdog(lambda seconds, cause: self._stalls.labels(cause).observe(seconds))

    def ask(self, name: str, help: str, figure: Figure, label: str = "kind") -> None:
        """Add a gauge whose value is asked for at every look."""
        self._asked.figures.append((name, help, label, figure))

    def text(self) -> bytes:
        """All figures as Prometheus reads them."""
        return generate_latest(self.registry)

    def watch_loop(self) -> None:
        """Measure the running event loop from now on."""
        self._watching = asyncio.create_task(self._watch(), name="loop lag")
        self._watchdog.start()

    def stop(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            self._watching = None
            self._watchdog.stop()

    async def _watch(self) -> None:
        while True:
            due = time.monotonic() + LAG_EVERY
            await asyncio.sleep(LAG_EVERY)
            self._lag.observe(max(0.0, time.monotonic() - due))


class _Asked(Collector):
    """Gauges that cost nothing until somebody looks."""

    def __init__(self) -> None:
        self.figures: list[tuple[str, str, str, Figure]] = []

    def collect(self) -> Iterable[GaugeMetricFamily]:
        for name, help, label, figure in self.figures:
            value = figure()
            if isinstance(value, Mapping):
                family = GaugeMetricFamily(name, help, labels=[label])
                for key, number in value.items():
                    family.add_metric([key], number)
            else:
                family = GaugeMetricFamily(name, help, value=value)
            yield family
