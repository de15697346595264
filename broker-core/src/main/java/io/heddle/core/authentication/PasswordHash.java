package io.heddle.core.authentication;

import io.heddle.core.Port;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.mqtt.BinaryData;
import org.jspecify.annotations.Nullable;

/**
 * A slow, salted hash for passwords. Expensive by design (milliseconds of processor time, megabytes of memory): called on virtual
 * threads only, with bounded concurrency.
 */
@Port
public interface PasswordHash {
    /** Returns the hash of a password with a new salt, as text that includes algorithm and parameters. */
    String hash(BinaryData password);

    /**
     * Returns the hash of a new password in a form that enhanced methods need, too.
     *
     * @param form the name of such a method, or a hash whose form is kept; any other text for the form of {@link #hash(BinaryData)}
     */
    default String hash(BinaryData password, String form) {
        return hash(password);
    }

    /**
     * Returns whether a password matches a hash. A wrong password always takes the full time; a right one does unless it has
     * matched this hash before.
     *
     * @param source the origin of the password, for implementations that schedule fairly
     * @return false also for a hash in an unknown format
     * @throws SignInBusyException if too many others are waiting
     */
    boolean matches(BinaryData password, String hash, SignInSource source);

    /**
     * Returns a stronger hash of a password that matches this one.
     *
     * @return null if the hash is in the present format, or if other clients need the processors
     */
    default @Nullable String renew(BinaryData password, String hash) {
        return null;
    }

    /** Returns whether a password has matched a hash recently, so that {@link #matches} need not compute anything. */
    default boolean isRemembered(BinaryData password, String hash) {
        return false;
    }
}
