"""Counters and histograms that cost a tenth of a microsecond to add to: Prometheus' library takes ten times as long.

The event loop's thread adds, any thread may collect. So there is no lock: what is being added while somebody collects
is told then or the next time.
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
    """A counter for each combination of the values of some labels."""

    def __init__(self, name: str, about: str, labels: Sequence[str], registry: CollectorRegistry) -> None:
        self.labels = tuple(labels)
        self._named = (name, about)
        self._counts: defaultdict[tuple[str, ...], int] = defaultdict(int)
        registry.register(self)

    def begin(self, *labels: str) -> None:
        """Tell of nothing yet. Prometheus sees no increase in what appears when it is counted first."""
        self._counts[labels] += 0

    def add(self, *labels: str) -> None:
        """Count one more. ``labels``: their values, in their order."""
        self._counts[labels] += 1

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Yield them all."""
        family = CounterMetricFamily(*self._named, labels=self.labels)
        for labels, count in sorted(self._counts.copy().items()):
            family.add_metric(labels, count)
        yield family


class FastHistogram(Collector):
    """A histogram for each combination of the values of some labels."""

    def __init__(
        self, name: str, about: str, labels: Sequence[str], bounds: Sequence[float], registry: CollectorRegistry
    ) -> None:
        """``bounds``: what the buckets hold at most, from small to large; there is one more, for what is larger."""
        self.labels = tuple(labels)
        self._named = (name, about)
        self._bounds = tuple(bounds)
        self._bounds_told = [*map(floatToGoString, bounds), "+Inf"]
        self._spreads: dict[tuple[str, ...], list[float]] = {}
        """How many are in each bucket, and last the sum of all."""
        registry.register(self)

    def add(self, value: float, *labels: str) -> None:
        """Count one more. ``labels``: their values, in their order."""
        spread = self._spreads.get(labels)
        if spread is None:
            spread = self._spreads[labels] = [0.0] * (len(self._bounds) + 2)
        spread[bisect_left(self._bounds, value)] += 1
        spread[-1] += value

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yield them all."""
        family = HistogramMetricFamily(*self._named, labels=self.labels)
        for labels, spread in sorted(self._spreads.copy().items()):
            *counts, total = spread.copy()
            family.add_metric(labels, list(zip(self._bounds_told, accumulate(counts), strict=True)), total)
        yield family
