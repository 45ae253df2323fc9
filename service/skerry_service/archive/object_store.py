"""An archive in an object store, or in whatever else fsspec reaches. Needs fsspec: the extra ``archive``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from fsspec.core import url_to_fs

from skerry_service.store.connections.redacted_address import without_secrets


@contextmanager
def _told_as_os_error() -> Iterator[None]:
    """Raise OSError for the errors of libraries that nobody here knows."""
    try:
        yield
    except OSError:
        raise
    except Exception as error:
        raise OSError(f"{type(error).__name__}: {error}") from error


class Objects:
    """A ``places.Place`` of fsspec's. An object store writes an object whole or not at all; other kinds may not."""

    def __init__(self, url: str) -> None:
        """Raises ValueError if there is nothing that reaches such a URL."""
        self._url = url
        try:
            files, root = url_to_fs(url, use_listings_cache=False)
        except (ImportError, OSError, TypeError, ValueError) as error:
            raise ValueError(f"fsspec does not reach it: {error}") from None
        self._files: Any = files
        self._root = root.rstrip("/")

    def __str__(self) -> str:
        return without_secrets(self._url)

    def read(self, path: str) -> bytes | None:
        with suppress(FileNotFoundError), _told_as_os_error():
            data: bytes = self._files.cat_file(self._at(path))
            return data
        return None

    def create(self, path: str, data: bytes) -> None:
        if self.read(path) is not None:
            return  # not all that speak S3 refuse to write over it, or say so in words that s3fs knows
        with suppress(FileExistsError), _told_as_os_error():
            self._write(path, data, "create")

    def replace(self, path: str, data: bytes) -> None:
        with _told_as_os_error():
            self._write(path, data, "overwrite")

    def delete(self, path: str) -> None:
        with suppress(FileNotFoundError), _told_as_os_error():
            self._files.rm_file(self._at(path))

    def names(self, folder: str) -> list[str]:
        with suppress(FileNotFoundError), _told_as_os_error():
            return sorted(one.rstrip("/").rpartition("/")[2] for one in self._files.ls(self._at(folder), detail=False))
        return []

    def _write(self, path: str, data: bytes, mode: str) -> None:
        try:
            self._files.pipe_file(self._at(path), data, mode=mode)
        except FileNotFoundError:  # there are folders here, and this one is not
            self._files.makedirs(self._at(path).rpartition("/")[0], exist_ok=True)
            self._files.pipe_file(self._at(path), data, mode=mode)

    def _at(self, path: str) -> str:
        return f"{self._root}/{path}"
