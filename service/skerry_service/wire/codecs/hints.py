"""Type hints, taken apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hint:
    """A type hint: the type itself, whether it allows ``None``, and its annotations."""

    kind: Any
    optional: bool
    annotations: tuple[Any, ...]

    def find(self, annotation: type[T]) -> T | None:
        """Return the annotation of that type, or ``None``."""
        return next((one for one in self.annotations if isinstance(one, annotation)), None)

    @property
    def is_list(self) -> bool:
        """Whether this is a tuple of any length."""
        return get_origin(self.kind) is tuple and ... in get_args(self.kind)

    @property
    def is_record(self) -> bool:
        """Whether this is a tuple of a fixed length."""
        return get_origin(self.kind) is tuple and not self.is_list

    @property
    def items(self) -> tuple[Hint, ...]:
        """The hints of a tuple's items; only one for a tuple of any length."""
        return tuple(parse_hint(one) for one in get_args(self.kind) if one is not ...)


def parse_hint(hint: Any) -> Hint:
    """Return a type hint taken apart. Raises TypeError for a union of several types."""
    annotations: list[Any] = []
    optional = False
    while True:
        if get_origin(hint) is Annotated:
            hint, *found = get_args(hint)
            annotations += found
        elif get_origin(hint) in (Union, UnionType):
            kinds = [one for one in get_args(hint) if one is not NoneType]
            if len(kinds) != 1:
                raise TypeError(f"{hint} has several types.")
            optional, hint = True, kinds[0]
        else:
            return Hint(hint, optional, tuple(annotations))


@cache
def field_hints(struct: type) -> Mapping[str, Hint]:
    """Return the hints of a struct's fields."""
    return {name: parse_hint(hint) for name, hint in get_type_hints(struct, include_extras=True).items()}
