"""The best pairs of players, by minimum-weight matching in a graph. Needs the extra ``swiss`` (networkx)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import networkx as nx

Cost = tuple[int, ...]
"""What a pair costs, the most important part first. No part is negative."""
_PART: Final = 1 << 64
"""More than the sum of any part over all pairs."""


@lru_cache(maxsize=128)  # plan, report and live page ask for the same rounds again and again
def best_pairs(costs: tuple[tuple[tuple[int, int], Cost], ...]) -> tuple[tuple[int, int], ...]:
    """Return as many disjoint pairs as possible of those with costs, with the lowest total, part by part.

    A random last part makes the total of one choice the lowest, so that the choice does not depend on the library.
    """
    weights = {pair: _number(cost) for pair, cost in costs}
    most = max(weights.values(), default=0)
    graph = nx.Graph()
    for (one, other), weight in weights.items():
        graph.add_edge(one, other, weight=most - weight)
    # The library works with integers of any size without rounding.
    return tuple(sorted((min(pair), max(pair)) for pair in nx.max_weight_matching(graph, maxcardinality=True)))


def _number(cost: Cost) -> int:
    number = 0
    for part in cost:
        number = number * _PART + part
    return number
