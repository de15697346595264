package io.heddle.core.testkit;

import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.mqtt.BinaryData;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/** A fast hash that hides nothing, for tests that are not about passwords. A counter replaces the salt. */
public final class PlainPasswordHash implements PasswordHash {
    private static final String PREFIX = "$plain$";

    private final AtomicLong salt = new AtomicLong();

    @Override
    public String hash(BinaryData password) {
        return PREFIX + salt.incrementAndGet() + "$" + HexFormat.of().formatHex(password.array());
    }

    /** A form is any text in front of the hash that begins with SCRAM-, up to the first dollar sign. */
    @Override
    public String hash(BinaryData password, String form) {
        return form.startsWith("SCRAM-") ? form.replaceFirst("\\$.*", "") + hash(password) : hash(password);
    }

    @Override
    public boolean matches(BinaryData password, String hash, SignInSource source) {
        return hash.contains(PREFIX)
                && hash.substring(hash.lastIndexOf('$') + 1)
                        .equals(HexFormat.of().formatHex(password.array()));
    }
}
