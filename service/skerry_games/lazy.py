"""Properties of values that never change: worked out when first asked for, and kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class lazy_property(Generic[Value]):  # noqa: N801 - it stands where ``property`` would
    """``functools.cached_property`` without the lock of Python 3.11, which costs more than most of this work.

    Two threads may both work it out. The value's type has a ``__dict__``.
    """

    def __init__(self, work: Callable[[Any], Value]) -> None:
        self._work = work
        self._name = work.__name__
        self.__doc__ = work.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> lazy_property[Value]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...
    def __get__(self, instance: object | None, owner: type) -> lazy_property[Value] | Value:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._work(instance)
        return value
