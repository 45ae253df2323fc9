"""Identity: players that a registered issuer vouches for, by a signed token (JWT)."""
