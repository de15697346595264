package io.heddle.core.testkit;

import io.heddle.core.authentication.PasswordHash;

class PlainPasswordHashTest extends PasswordHashContract {
    private final PasswordHash fake = new PlainPasswordHash();

    @Override
    protected PasswordHash passwordHash() {
        return fake;
    }
}
