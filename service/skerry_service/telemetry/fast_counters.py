"""Counters and histograms that take a tenth of the time of Prometheus' own: 0.1 microseconds an update.

The event loop's thread updates them, and any thread may collect them. There is no lock: a collection may miss an update
that is under way, and the next one includes it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector, CollectorRegistry
from prometheus_client.utils import floatToGoString


class FastCounter(Collector):
    """A counter for each combination of label values."""

    def __init__(self, name: str, help_text: str, labels: Sequence[str], registry: CollectorRegistry) -> None:
        self.labels = tuple(labels)
        self._named = (name, help_text)
        self._counts: defaultdict[tuple[str, ...], int] = defaultdict(int)
        registry.register(self)

    def start_at_zero(self, *labels: str) -> None:
        """Expose a counter before its first event, so that Prometheus sees that event as an increase."""
        self._counts[labels] += 0

    def add(self, *labels: str) -> None:
        """Count one event. ``labels``: the label values, in order."""
        self._counts[labels] += 1

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Yield the counters."""
        family = CounterMetricFamily(*self._named, labels=self.labels)
        for labels, count in sorted(self._counts.copy().items()):
            family.add_metric(labels, count)
        yield family


class FastHistogram(Collector):
    """A histogram for each combination of label values."""

    def __init__(
        self, name: str, help_text: str, labels: Sequence[str], bounds: Sequence[float], registry: CollectorRegistry
    ) -> None:
        """``bounds``: the upper bounds of the buckets, in ascending order. A last bucket holds larger values."""
        self.labels = tuple(labels)
        self._named = (name, help_text)
        self._bounds = tuple(bounds)
        self._bound_labels = [*map(floatToGoString, bounds), "+Inf"]
        self._histograms: dict[tuple[str, ...], list[float]] = {}
        """The count of each bucket, then the sum of all values."""
        registry.register(self)

    def add(self, value: float, *labels: str) -> None:
        """Record a value. ``labels``: the label values, in order."""
        histogram = self._histograms.get(labels)
        if histogram is None:
            histogram = self._histograms[labels] = [0.0] * (len(self._bounds) + 2)
        histogram[bisect_left(self._bounds, value)] += 1
        histogram[-1] += value

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yield the histograms."""
        family = HistogramMetricFamily(*self._named, labels=self.labels)
        for labels, histogram in sorted(self._histograms.copy().items()):
            *counts, total = histogram.copy()
            family.add_metric(labels, list(zip(self._bound_labels, accumulate(counts), strict=True)), total)
        yield family
