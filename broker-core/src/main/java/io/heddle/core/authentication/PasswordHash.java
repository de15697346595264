package io.heddle.core.authentication;

import io.heddle.core.Port;
import io.heddle.core.mqtt.BinaryData;

/**
 * A slow, salted hash for passwords. Costs milliseconds of processor time and megabytes of memory by design: called on
 * virtual threads only, a bounded number at once.
 */
@Port
public interface PasswordHash {
    /** The hash of a password with a fresh salt, as text that names its algorithm and parameters. */
    String hash(BinaryData password);

    /**
     * Whether a password is the one behind a hash. A wrong one always takes the full time, and a right one does unless it was
     * found to match this hash before.
     *
     * @param source the origin of the password, for implementations that share their work fairly
     * @return false also for a hash that is not one of ours
     * @throws SignInBusyException when too many others wait
     */
    boolean matches(BinaryData password, String hash, SignInSource source);
}
