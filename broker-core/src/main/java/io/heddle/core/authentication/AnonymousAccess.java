package io.heddle.core.authentication;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The decision, made once at startup, whether clients may connect without credentials. */
public enum AnonymousAccess {
    ALLOWED,
    REFUSED,
    /** Anonymous access would be refused and no credentials are stored, so the broker must not start: no client could use it. */
    NO_CLIENT_COULD_CONNECT;

    /**
     * Decides whether anonymous access is allowed.
     *
     * @param configured the operator's setting, which is final, or null if not set
     * @param standalone whether this is the one-command broker, which allows anonymous access on loopback so that a first message
     *     needs no setup; any other broker refuses it by default
     * @param loopbackOnly whether every listener is bound to a loopback address
     * @param anyCredentials whether any credentials are stored; evaluated only if needed
     */
    public static AnonymousAccess decide(
            @Nullable Boolean configured, boolean standalone, boolean loopbackOnly, BooleanSupplier anyCredentials) {
        if (configured != null) {
            return configured ? ALLOWED : REFUSED;
        }
        if (!standalone) {
            return REFUSED;
        }
        if (loopbackOnly) {
            return ALLOWED;
        }
        return anyCredentials.getAsBoolean() ? REFUSED : NO_CLIENT_COULD_CONNECT;
    }
}
