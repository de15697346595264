package io.heddle.transport.tls;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ControlCharacters;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Set;
import javax.net.ssl.SSLContext;

public enum TlsProvider {
    /** OpenSSL if it can be loaded, else the JDK. */
    AUTO,
    /** BoringSSL, Google's OpenSSL, in a native library for Linux on x86_64 and aarch64. */
    OPENSSL,
    /** The implementation in Java. */
    JDK;

    private static final String REJECT_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";
    private static final String TICKET_KEY_SECONDS = "jdk.tls.server.statelessKeyTimeout";
    /** The JDK replaces larger values by an hour: it compares milliseconds with the maximum lifetime of a ticket in seconds. */
    private static final long MAXIMUM_TICKET_KEY_SECONDS = 604;

    static {
        refuseRenegotiation();
    }

    /**
     * Lets the JDK refuse clients of TLS 1.2 that repeat the handshake of an open connection, which no bound of handshakes covers; BoringSSL
     * always does. Must be called before the first handshake with a client of the JDK's implementation; the operator may have decided otherwise.
     */
    public static void refuseRenegotiation() {
        if (System.getProperty(REJECT_RENEGOTIATION) == null) {
            System.setProperty(REJECT_RENEGOTIATION, "true");
        }
    }

    /**
     * Lets the JDK issue session tickets with one key for at most the session timeout. The JDK accepts the tickets of a key for the session
     * timeout after it has replaced the key, and does not compare the age of a ticket, so a ticket is valid for at most twice the timeout. Must
     * be called before the first use of TLS in this process; the operator may have decided otherwise.
     */
    public static void limitTicketKeys(Duration sessionTimeout) {
        if (System.getProperty(TICKET_KEY_SECONDS) == null) {
            System.setProperty(
                    TICKET_KEY_SECONDS,
                    Long.toString(Math.min(sessionTimeout.toSeconds(), MAXIMUM_TICKET_KEY_SECONDS)));
        }
    }

    /** Returns whether this machine can load it. */
    public boolean isAvailable() {
        return this != OPENSSL || OpenSsl.isAvailable();
    }

    /** Returns the implementation to use: never AUTO. */
    public TlsProvider chosen() {
        if (this != AUTO) {
            return this;
        }
        return OPENSSL.isAvailable() ? OPENSSL : JDK;
    }

    /** Throws StartupException if this machine cannot use the provider, or the provider cannot use a cipher suite. */
    static void check(TlsSettings settings) {
        if (!settings.provider().isAvailable()) {
            throw new StartupException(
                    settings.setting() + ".provider is openssl, which cannot be loaded on this machine ("
                            + OpenSsl.unavailabilityCause().getMessage() + "): set it to auto",
                    OpenSsl.unavailabilityCause());
        }
        Set<String> supported = settings.provider().ciphers();
        for (String cipher : settings.ciphers()) {
            if (!supported.contains(cipher)) {
                throw new StartupException(
                        settings.setting() + ".ciphers names " + ControlCharacters.escaped(cipher)
                                + ", which is not supported: use names such as "
                                + TlsSettings.DEFAULT_CIPHERS.getLast(),
                        null);
            }
        }
    }

    private Set<String> ciphers() {
        if (chosen() == OPENSSL) {
            return OpenSsl.availableJavaCipherSuites();
        }
        try {
            return Set.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
        } catch (NoSuchAlgorithmException e) {
            throw new StartupException("This Java does not support TLS (" + e.getMessage() + "): use another one", e);
        }
    }

    SslProvider netty() {
        return chosen() == OPENSSL ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK;
    }
}
