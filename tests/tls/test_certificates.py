"""What is made of the files: what fits, what does not, and what changes while the service runs."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from skerry_service.access.certificate_dates import expiry_of
from skerry_service.access.certificates import Certificates, TlsFiles, tls_files_of
from skerry_service.access.reloaded_files import LARGEST_FILE, ReloadedFiles, UnusableFile
from skerry_service.edge.grpc.grpc_credentials import is_usable

from .authority import Authority, put


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


def files(authority: Authority) -> TlsFiles:
    pem = authority.issue("server")
    return TlsFiles(pem.certificate, pem.key, authority.file)


@pytest.mark.parametrize("year", [2031, 2049, 2050, 2151], ids=str)
def test_the_end_of_a_certificate_is_read_from_it(authority: Authority, year: int) -> None:
    pem = authority.issue("server", not_after=datetime(year, 3, 4, 5, 6, 7, tzinfo=UTC)).certificate.read_bytes()
    assert expiry_of(b"a comment\n" + pem) == x509.load_pem_x509_certificate(pem).not_valid_after_utc
    assert expiry_of(pem) == datetime(year, 3, 4, 5, 6, 7, tzinfo=UTC)


def test_what_is_no_certificate_has_no_end(authority: Authority) -> None:
    pem = authority.issue("server").certificate.read_bytes()
    lines = pem.split(b"\n")
    for broken in (b"", b"x" * 1000, b"\n".join([lines[0], b"AAAA", b"-----END CERTIFICATE-----"])):
        with pytest.raises(ValueError, match="certificate"):
            expiry_of(broken)
    for left in range(1, len(lines[1]), 7):
        with pytest.raises(ValueError, match="certificate"):
            expiry_of(b"\n".join([lines[0], lines[1][:left], b"-----END CERTIFICATE-----"]))


def test_tls_needs_a_certificate_and_its_key(tmp_path: Path) -> None:
    assert tls_files_of(None, None, None) is None
    for given in ((tmp_path, None, None), (None, tmp_path, None), (None, None, tmp_path), (None, tmp_path, tmp_path)):
        with pytest.raises(UnusableFile, match=r"SKERRY_TLS_(KEY|CERTIFICATE) is not set"):
            tls_files_of(*given)


@pytest.mark.parametrize(
    ("which", "data", "words"),
    [
        ("certificate", None, "SKERRY_TLS_CERTIFICATE names .*server.crt, which cannot be read: No such file"),
        ("certificate", b"nothing", "SKERRY_TLS_CERTIFICATE names .*server.crt, which holds no certificate"),
        ("key", b"nothing", "SKERRY_TLS_KEY names .*server.key, which holds no private key"),
        ("key", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "cannot be used"),
        ("key", b"-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n", "passphrase"),
        ("key", b"x" * (LARGEST_FILE + 1), "larger than 4 MiB"),
        ("client_ca", b"nothing", "SKERRY_TLS_CLIENT_CA names .*ca.pem, which holds no certificates"),
        ("client_ca", b"\xff", "SKERRY_TLS_CLIENT_CA names .*ca.pem, which holds no certificates"),
    ],
)
def test_an_unusable_file_is_named_without_its_content(
    authority: Authority, which: str, data: bytes | None, words: str
) -> None:
    found = files(authority)
    path: Path = getattr(found, which)
    if data is None:
        path.unlink()
    else:
        path.write_bytes(data)
    with pytest.raises(UnusableFile, match=words) as refusal:
        Certificates(found)
    assert "AAAA" not in str(refusal.value)


def test_a_key_of_another_certificate_is_refused(authority: Authority) -> None:
    found = files(authority)
    put(found.key, authority.issue("other").key.read_bytes())
    with pytest.raises(UnusableFile, match=r"the key in .*server.key does not match the certificate in .*server.crt"):
        Certificates(found)


async def test_a_bad_certificate_leaves_the_previous_one_in_force_and_is_logged_once(
    authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    found = files(authority)
    certificates = Certificates(found)
    first = certificates.value
    key = found.key.read_bytes()
    put(found.key, authority.issue("other").key.read_bytes())
    assert [await certificates.poll() for _ in range(4)] == [False] * 4
    assert certificates.value is first
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith(
        "cannot reload the TLS certificate and key, the previous version stays in force: the key in "
    )
    put(found.key, key)
    assert not await certificates.poll()
    assert certificates.value is first


async def test_a_change_in_two_steps_is_taken_when_it_is_whole_and_not_complained_of(
    authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    found = files(authority)
    certificates = Certificates(found)
    first = certificates.value
    other = authority.issue("other")
    put(found.certificate, other.certificate.read_bytes())
    assert not await certificates.poll()
    put(found.key, other.key.read_bytes())
    assert await certificates.poll()
    assert certificates.value.context is certificates.context() is not first.context
    assert [record.getMessage() for record in caplog.records] == ["reloaded the TLS certificate and key"]


async def test_a_certificate_that_has_expired_is_served_and_said_to_be(
    authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    past = datetime.now(UTC) - timedelta(days=1)
    pem = authority.issue("server", not_after=past)
    assert Certificates(TlsFiles(pem.certificate, pem.key)).value.ends_at.date() == past.date()
    assert [record.getMessage().partition(" expired")[1] for record in caplog.records] == [" expired"]


async def test_a_certificate_that_expires_while_it_is_served_is_said_to_once(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    certificates = Certificates(files(authority))

    class Later(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Later:
            return cls(9999, 1, 1, tzinfo=tz)

    await certificates.poll()
    assert caplog.records == []
    monkeypatch.setattr("skerry_service.access.certificates.datetime", Later)
    for _ in range(3):
        await certificates.poll()
    assert [record.getMessage().partition(" expired")[1] for record in caplog.records] == [" expired"]


def test_authorities_may_have_comments_in_any_language(authority: Authority) -> None:
    found = files(authority)
    put(authority.file, "# Főtanúsítvány\n".encode() + authority.file.read_bytes())
    assert Certificates(found, is_usable).value.client_ca


async def test_a_key_of_a_kind_that_grpc_has_not_is_refused_and_changes_nothing(
    authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    found = files(authority)
    certificates = Certificates(found, is_usable)
    first = certificates.value
    put_brainpool(found)
    assert [await certificates.poll() for _ in range(3)] == [False] * 3
    assert certificates.value is first
    (line,) = [record.getMessage() for record in caplog.records]
    assert "stays in force: " in line and "gRPC does not support keys of this kind" in line
    with pytest.raises(UnusableFile, match="gRPC does not support keys"):
        Certificates(found, is_usable)


def test_to_try_a_key_out_leaves_nothing_open(authority: Authority) -> None:
    material = Certificates(files(authority)).value
    assert is_usable(material)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        assert is_usable(material)
    assert len(os.listdir("/proc/self/fd")) <= before + 2


def put_brainpool(found: TlsFiles) -> None:
    """Write a certificate and a key of a kind that OpenSSL has and gRPC has not."""
    key = ec.generate_private_key(ec.BrainpoolP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    signed = made.not_valid_before(now).not_valid_after(now + timedelta(days=1)).sign(key, hashes.SHA256())
    put(found.certificate, signed.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    put(found.key, key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))


async def test_a_file_that_is_gone_for_a_while_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")
    watched = ReloadedFiles({"SKERRY_SOMETHING": path}, lambda contents: contents[path].decode(), "what is watched")
    path.unlink()
    assert [await watched.poll() for _ in range(3)] == [False] * 3
    assert (watched.value, len(caplog.records)) == ("one", 1)
    path.write_bytes(b"two")
    assert await watched.poll()
    assert watched.value == "two"
