package io.heddle.transport.tls;

import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/** Looks up the OCSP responses that handshakes hand to clients. Thread-safe; never blocks. */
@FunctionalInterface
public interface Staples {
    /** Returns the response about a certificate of the server; null if there is no valid one. */
    byte @Nullable [] of(X509Certificate certificate);
}
