"""An archive in an object store, or any other storage that fsspec supports. Needs the extra ``archive``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from fsspec.core import url_to_fs

from skerry_service.store.connections.redacted_address import without_secrets


@contextmanager
def _raise_os_error() -> Iterator[None]:
    """Translate the errors of other libraries into OSError."""
    try:
        yield
    except OSError:
        raise
    except Exception as error:
        raise OSError(f"{type(error).__name__}: {error}") from error


class Objects:
    """A ``locations.Place`` over fsspec. Object stores write an object whole or not at all; other storage may not."""

    def __init__(self, url: str) -> None:
        """Raises ValueError if fsspec does not support the URL."""
        self._url = url
        try:
            files, root = url_to_fs(url, use_listings_cache=False)
        except (ImportError, OSError, TypeError, ValueError) as error:
            raise ValueError(f"fsspec does not support it: {error}") from None
        self._files: Any = files
        self._root = root.rstrip("/")

    def __str__(self) -> str:
        return without_secrets(self._url)

    def read(self, path: str) -> bytes | None:
        with suppress(FileNotFoundError), _raise_os_error():
            data: bytes = self._files.cat_file(self._at(path))
            return data
        return None

    def create(self, path: str, data: bytes) -> None:
        if self.read(path) is not None:
            return  # some S3 servers overwrite it, or reject the write in a way that s3fs does not recognise
        with suppress(FileExistsError), _raise_os_error():
            self._write(path, data, "create")

    def replace(self, path: str, data: bytes) -> None:
        with _raise_os_error():
            self._write(path, data, "overwrite")

    def delete(self, path: str) -> None:
        with suppress(FileNotFoundError), _raise_os_error():
            self._files.rm_file(self._at(path))

    def names(self, folder: str) -> list[str]:
        with suppress(FileNotFoundError), _raise_os_error():
            return sorted(
                path.rstrip("/").rpartition("/")[2] for path in self._files.ls(self._at(folder), detail=False)
            )
        return []

    def _write(self, path: str, data: bytes, mode: str) -> None:
        try:
            self._files.pipe_file(self._at(path), data, mode=mode)
        except FileNotFoundError:  # this storage has folders, and the folder does not exist
            self._files.makedirs(self._at(path).rpartition("/")[0], exist_ok=True)
            self._files.pipe_file(self._at(path), data, mode=mode)

    def _at(self, path: str) -> str:
        return f"{self._root}/{path}"
