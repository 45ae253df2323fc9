"""Identity tokens: which are valid, why others are not, and how keys are fetched."""

from __future__ import annotations

import json
import time
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from skerry_service.access.identity.identity_errors import IdentityInvalid
from skerry_service.access.identity.identity_tokens import LONGEST_TOKEN, IdentityVerifier
from skerry_service.access.identity.issuers_file import IssuersFile
from skerry_service.access.identity.vouched_players import VouchedPlayer, vouched_id
from skerry_service.access.identity.web_keys import (
    require_key_url,
)
from skerry_service.access.reloaded_files import UnusableFile
from tests.identity.issuing import (
    ALGORITHMS,
    AUDIENCE,
    ISS,
    issuer_entry,
    private_key,
    public_jwk,
    token,
    unsigned,
    write_issuers,
)

CLAIMS = {"iss": ISS, "aud": AUDIENCE, "sub": "ada", "exp": 4_000_000_000}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_issuers(tmp_path / "issuers.json")


async def verified(path: Path, *sent: str) -> VouchedPlayer:
    return await IdentityVerifier(IssuersFile(path)).verify(sent, free)


async def free() -> None:
    pass


async def problem_of(path: Path, *sent: str) -> str:
    with pytest.raises(IdentityInvalid) as refusal:
        await verified(path, *sent)
    return refusal.value.metadata["problem"]


def test_the_id_is_the_documented_hash_of_issuer_and_subject() -> None:
    assert vouched_id("https://login.example", "ada") == "vouched_49038dd494d80fef0132e0bfdc2a6ee17a9add05"


@pytest.mark.parametrize("algorithm", ALGORITHMS)
async def test_a_token_of_every_algorithm_names_its_player(path: Path, algorithm: str) -> None:
    player = await verified(path, token("ada", f"{algorithm}-1", name=" Ada "))
    assert player == VouchedPlayer(vouched_id(ISS, "ada"), "Ada")


async def test_times_have_a_small_leeway(path: Path) -> None:
    now = time.time()
    await verified(path, token(exp=now - 20, nbf=now + 20))
    assert await problem_of(path, token(exp=now - 40)) == "expired"
    assert await problem_of(path, token(nbf=now + 40)) == "not_yet"


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"aud": "another"}, "audience"),
        ({"aud": None}, "claims"),
        ({"iss": "https://evil.example"}, "issuer"),
        ({"iss": None}, "claims"),
        ({"sub": None}, "claims"),
        ({"sub": "x" * 256}, "claims"),
        ({"exp": None}, "claims"),
        ({"exp": "soon"}, "claims"),
    ],
)
async def test_a_claim_that_is_wrong_is_named(path: Path, changed: dict[str, Any], problem: str) -> None:
    assert await problem_of(path, token(**changed)) == problem


async def test_a_subject_must_be_a_text(path: Path) -> None:
    for subject in ("", 7, ["ada"]):
        sent = jwt.api_jws.encode(
            json.dumps({**CLAIMS, "sub": subject}).encode(), private_key("EdDSA-1"), "EdDSA", {"kid": "EdDSA-1"}
        )
        assert await problem_of(path, sent) == "claims"


async def test_a_token_with_another_algorithm_is_never_valid(path: Path) -> None:
    public = private_key("RS256-1").public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    with_public_key = unsigned({"alg": "HS256", "kid": "RS256-1"}, CLAIMS)
    signing_input = with_public_key.rpartition(".")[0].encode()
    signature = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256)
    sealed = urlsafe_b64encode(signature.sign(signing_input, public)).rstrip(b"=").decode()
    assert await problem_of(path, f"{signing_input.decode()}.{sealed}") == "algorithm"
    for algorithm in ("none", "None", "NONE", "HS512", "PS256", ""):
        assert await problem_of(path, unsigned({"alg": algorithm, "kid": "EdDSA-1"}, CLAIMS)) == "algorithm"
    critical = {"alg": "EdDSA", "kid": "EdDSA-1", "crit": ["b64"], "b64": False}
    assert await problem_of(path, unsigned(critical, CLAIMS)) == "algorithm"


async def test_a_key_fits_only_its_own_algorithm_and_issuer(path: Path) -> None:
    other = issuer_entry(iss="https://other.example", algorithms=["ES256"], keys=[public_jwk("ES256-2")])
    write_issuers(path, issuer_entry(), other)
    assert await problem_of(path, token(kid="EdDSA-1", iss="https://other.example")) == "algorithm"
    assert await problem_of(path, token(kid="ES256-1", iss="https://other.example")) == "key"
    assert await problem_of(path, token(kid="ES256-2")) == "key"
    assert await problem_of(path, unsigned({"alg": "ES256", "kid": "EdDSA-1"}, CLAIMS, b"x" * 64)) == "key"


async def test_a_changed_token_has_a_wrong_signature(path: Path) -> None:
    head, body, signature = token("ada").split(".")
    forged = unsigned({}, CLAIMS | {"sub": "bob"}).split(".")[1]
    assert await problem_of(path, f"{head}.{forged}.{signature}") == "signature"
    assert await problem_of(path, f"{head}.{body}.") == "signature"


@pytest.mark.parametrize(
    "sent",
    [
        "",
        ".",
        "..",
        "a.b",
        "a.b.c.d",
        "ü.ü.ü",
        unsigned([], CLAIMS),
        unsigned({"alg": 7}, CLAIMS),
        unsigned({"alg": "EdDSA"}, "claims"),
        f"{urlsafe_b64encode(b'[' * 2500).decode()}.e30.",
        "x" * (LONGEST_TOKEN + 1),
        f"{'e' * 500_000}.{'e' * 500_000}.e",
    ],
    ids=lambda sent: sent[:12],
)
async def test_what_is_no_token_is_rejected_before_it_is_counted(path: Path, sent: str) -> None:
    async def count() -> None:
        raise AssertionError

    with pytest.raises(IdentityInvalid) as refusal:
        await IdentityVerifier(IssuersFile(path)).verify([sent], count)
    assert refusal.value.metadata["problem"] == "malformed"


async def test_two_tokens_are_ambiguous(path: Path) -> None:
    assert await problem_of(path, token("ada"), token("bob")) == "malformed"


async def test_a_valid_token_is_counted_once_and_expires(path: Path) -> None:
    counted, now = [], [time.time()]

    async def count() -> None:
        counted.append(1)

    verifier, sent = IdentityVerifier(IssuersFile(path), lambda: now[0]), token(exp=now[0] + 60)
    for _ in range(3):
        await verifier.verify([sent], count)
    assert len(counted) == 1
    now[0] += 100
    with pytest.raises(IdentityInvalid, match="expired"):
        await verifier.verify([sent], count)
    bad = token(aud="another")
    for _ in range(2):
        with pytest.raises(IdentityInvalid):
            await verifier.verify([bad], count)
    assert len(counted) == 3


async def test_an_issuer_that_is_removed_vouches_for_nobody_at_once(path: Path) -> None:
    issuers = IssuersFile(path)
    verifier, sent = IdentityVerifier(issuers), token()
    await verifier.verify([sent], free)
    write_issuers(path, issuer_entry(keys=[public_jwk("EdDSA-2")], algorithms=["EdDSA"]))
    assert await issuers.poll()
    with pytest.raises(IdentityInvalid, match="kid"):
        await verifier.verify([sent], free)


async def test_a_token_without_a_key_id_means_the_only_key(path: Path) -> None:
    sent = jwt.encode(CLAIMS, private_key("EdDSA-1"), "EdDSA")
    await verified(path, sent)
    write_issuers(path, issuer_entry(keys=[public_jwk("EdDSA-1"), public_jwk("EdDSA-2")]))
    assert await problem_of(path, sent) == "key"


# ---------------------------------------------------------------- the file


SECRET = {"kty": "oct", "k": "c2VjcmV0", "kid": "1"}


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (issuer_entry(algorithms=["HS256"]), "use some of EdDSA, ES256, RS256"),
        (issuer_entry(algorithms=["none"]), "use some of"),
        (issuer_entry(algorithms=[]), "use some of"),
        (issuer_entry(audiences=[]), "audiences"),
        (issuer_entry(audiences=[""]), "audiences"),
        (issuer_entry(keys=None), "either keys or jwks_url"),
        (issuer_entry(jwks_url="https://login.example/keys"), "either keys or jwks_url"),
        (issuer_entry(keys=None, jwks_url="http://login.example/keys"), "https"),
        (issuer_entry(keys=[]), "0 keys"),
        (issuer_entry(keys=[SECRET]), "key 1: the key is secret"),
        (issuer_entry(keys=[{**public_jwk("EdDSA-1"), "d": "c2VjcmV0"}]), "the key is secret"),
        (issuer_entry(keys=[{**public_jwk("EdDSA-1"), "x": "short"}]), "not valid"),
        (issuer_entry(keys=[{**public_jwk("EdDSA-1"), "use": "enc"}]), "not for signatures"),
        (issuer_entry(keys=[public_jwk("ES256-1")], algorithms=["RS256"]), "not in the list algorithms"),
        (issuer_entry(iss="two words"), "is not an issuer"),
        (issuer_entry(iss=""), "is not an issuer"),
        (issuer_entry(iss="key:mobile"), "is not an issuer"),
        (issuer_entry(audience="x"), "unknown field"),
    ],
)
def test_a_mistake_in_the_file_is_explained(path: Path, entry: dict[str, Any], words: str) -> None:
    with pytest.raises(UnusableFile, match="SKERRY_ISSUERS names") as refusal:
        IssuersFile(write_issuers(path, entry))
    assert words in str(refusal.value)
    assert "c2VjcmV0" not in str(refusal.value)


def test_an_issuer_stands_in_the_file_once(path: Path) -> None:
    with pytest.raises(UnusableFile, match="registered twice"):
        IssuersFile(write_issuers(path, issuer_entry(), issuer_entry()))


@pytest.mark.parametrize(
    "url", ["https://login.example/keys", "http://127.0.0.1:1/", "http://[::1]/", "http://localhost/"]
)
def test_keys_come_from_https_or_from_this_machine(url: str) -> None:
    require_key_url(url)


@pytest.mark.parametrize("url", ["http://10.0.0.1/", "https://", "https://a:b@c/", "file:///etc/keys", "", "http://["])
def test_keys_come_from_nowhere_else(url: str) -> None:
    with pytest.raises(ValueError, match="URL"):
        require_key_url(url)
