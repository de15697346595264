package io.heddle.core.authentication;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Whether clients may connect without showing who they are, decided once at start. */
public enum AnonymousAccess {
    ALLOWED,
    REFUSED,
    /** Anonymous access would be refused and nobody has credentials: a broker that no client can use should not start. */
    NOBODY_COULD_CONNECT;

    /**
     * Decides.
     *
     * @param configured what the operator set, or null; it is then the operator's word and final
     * @param standalone whether this is the one-command broker, which is open on loopback so that a newcomer's first message
     *     needs no set-up; any other broker stays closed
     * @param loopbackOnly whether every listener is bound to a loopback address
     * @param anyCredentials asked only when it matters; whether a credential is stored
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
        return anyCredentials.getAsBoolean() ? REFUSED : NOBODY_COULD_CONNECT;
    }
}
