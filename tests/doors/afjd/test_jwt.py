"""The tokens of the services are what every library for JSON Web Tokens takes them for."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode

import joserfc.jwt
import pytest
from joserfc.jwk import OctKey

from tablee.doors.afjd import jwt

KEY = "une clé de trente-deux octets au moins"
CLAIMS = {"sub": "Éléa", "iat": 1_700_000_000, "exp": 1_700_000_900, "jti": "abc-_~é"}


def theirs(header: dict[str, object], claims: dict[str, object] = CLAIMS, key: str = KEY) -> str:
    """A token as a library makes it."""
    return joserfc.jwt.encode(header, claims, OctKey.import_key(key), algorithms=["HS256", "HS384"])


def test_a_library_reads_our_tokens_and_makes_the_same() -> None:
    token = jwt.signed(CLAIMS, KEY)
    read = joserfc.jwt.decode(token, OctKey.import_key(KEY), algorithms=["HS256"])
    assert read.claims == CLAIMS
    assert read.header == {"typ": "JWT", "alg": "HS256"}
    assert token == theirs({"alg": "HS256", "typ": "JWT"})


def test_we_read_tokens_of_a_library() -> None:
    assert jwt.read(theirs({"alg": "HS256"}), KEY) == CLAIMS


def test_a_token_of_another_kind_or_key_is_refused() -> None:
    token = jwt.signed(CLAIMS, KEY)
    header, claims, signature = token.split(".")
    none = urlsafe_b64encode(json.dumps({"alg": "none"}).encode()).decode().rstrip("=")
    refused = [
        theirs({"alg": "HS256"}, key=KEY + "!"),
        theirs({"alg": "HS384"}),
        f"{none}.{claims}.",
        f"{none}.{claims}.{signature}",
        f"{header}.{claims}.",
        f"{header}.{claims}",
        f"{header}.{claims[:-1]}.{signature}",
        f"{header}.{claims}.{signature[:-1]}",
        f"{token}=",
        f"{header}.{claims}.é",
        "..",
        "",
    ]
    for other in refused:
        with pytest.raises(ValueError, match=r"."):
            jwt.read(other, KEY)


@pytest.mark.parametrize(
    "header", [{"alg": "none"}, {"alg": "HS384"}, {"alg": "HS256", "crit": ["exp"]}, {}, []]
)
def test_a_header_that_we_signed_ourselves_is_still_asked_what_it_means(header: object) -> None:
    packed = urlsafe_b64encode(json.dumps(header).encode()).decode().rstrip("=")
    content = f"{packed}.{jwt.signed(CLAIMS, KEY).split('.')[1]}"
    with pytest.raises(ValueError, match=r"."):
        jwt.read(f"{content}.{jwt._signature(content, KEY)}", KEY)
