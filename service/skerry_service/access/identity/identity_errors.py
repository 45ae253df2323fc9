"""The errors of identity tokens."""

from __future__ import annotations

from skerry_service.domain.errors import SkerryError


class IdentityMissing(SkerryError):
    """The call needs a vouched player."""

    def __init__(self) -> None:
        super().__init__("This call needs an identity token of the player.")


class IdentityInvalid(SkerryError):
    """The identity token is not valid. A call with such a token fails, even if it needs no identity."""

    def __init__(self, problem: str, sentence: str) -> None:
        """``problem``: one word for programs."""
        super().__init__(sentence, problem=problem)


class IdentityUnavailable(SkerryError):
    """The keys of the issuer cannot be fetched, so the identity token cannot be verified now."""

    retry_after: float | None = 10.0

    def __init__(self, retry_after: float | None = retry_after) -> None:
        super().__init__("The keys of the identity token's issuer cannot be fetched now. Repeat the call.")
        self.retry_after = retry_after
