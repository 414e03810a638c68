"""HTTP without certificates, which no house of a test has."""

from __future__ import annotations

import ssl

NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For `httpx` as `verify`: left alone, every client reads all the certificates of the machine anew."""
