package io.heddle.transport.tls;

import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.ssl.NotSslRecordException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateRevokedException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The reasons why a handshake fails, as operators see them in the log and in the metrics. */
enum HandshakeFailure {
    NOT_TLS("the client does not use TLS; let it connect with TLS, or to a listener without"),
    PROTOCOL_VERSION("the client has no TLS version in common with this listener; see heddle.mqtt.tls.protocols"),
    NO_COMMON_CIPHER("the client has no cipher suite in common with this listener; see heddle.mqtt.tls.ciphers"),
    NO_CERTIFICATE(
            "the client has no certificate, which this listener requires; see heddle.mqtt.tls.client-certificates"),
    UNKNOWN_AUTHORITY("no authority in heddle.mqtt.tls.trust-store has issued the certificate of the client"),
    CERTIFICATE_EXPIRED("the certificate of the client has expired, or is not valid yet"),
    CERTIFICATE_REVOKED("the certificate of the client has been revoked"),
    REVOCATION_UNKNOWN(
            "heddle.mqtt.tls.revocation-lists has no current list of an authority in the chain of the client's"
                    + " certificate; add one"),
    CERTIFICATE_INVALID("the certificate of the client is invalid"),
    REJECTED_BY_CLIENT(
            "the client does not trust the certificate of this listener, or has ended the handshake; give the client"
                    + " the certificate of the authority, and connect to a name in the certificate"),
    TIMEOUT("the handshake was not complete within heddle.mqtt.tls.handshake-timeout"),
    TOO_MANY(
            "too many handshakes of all clients, or of its address, are in progress, and this one was new, silent or slow;"
                    + " see heddle.mqtt.tls.maximum-handshakes"),
    DISCONNECTED("the client disconnected during the handshake"),
    OTHER("the handshake failed");

    private final String sentence;

    HandshakeFailure(String sentence) {
        this.sentence = sentence;
    }

    String sentence() {
        return sentence;
    }

    String tag() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Load balancers and scanners connect and disconnect: nothing to log at INFO. */
    boolean isOrdinary() {
        return this == DISCONNECTED;
    }

    static HandshakeFailure of(Throwable failure) {
        HandshakeFailure found = OTHER;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            HandshakeFailure specific = ofCertificate(cause);
            if (specific == null) {
                specific = ofProtocol(cause);
            }
            // The innermost cause is the most specific one.
            if (specific != null) {
                found = specific;
            }
        }
        return found;
    }

    private static @Nullable HandshakeFailure ofCertificate(Throwable cause) {
        return switch (cause) {
            case CertificateExpiredException _, CertificateNotYetValidException _ -> CERTIFICATE_EXPIRED;
            case CertificateRevokedException _ -> CERTIFICATE_REVOKED;
            case CertPathValidatorException path -> ofPath(path);
            case CertPathBuilderException _ -> UNKNOWN_AUTHORITY;
            case CertificateException _ -> CERTIFICATE_INVALID;
            default -> null;
        };
    }

    private static HandshakeFailure ofPath(CertPathValidatorException path) {
        CertPathValidatorException.Reason reason = path.getReason();
        if (reason == BasicReason.EXPIRED || reason == BasicReason.NOT_YET_VALID) {
            return CERTIFICATE_EXPIRED;
        }
        if (reason == BasicReason.REVOKED) {
            return CERTIFICATE_REVOKED;
        }
        if (reason == BasicReason.UNDETERMINED_REVOCATION_STATUS) {
            return REVOCATION_UNKNOWN;
        }
        return String.valueOf(path.getMessage()).contains("trust anchor") ? UNKNOWN_AUTHORITY : CERTIFICATE_INVALID;
    }

    private static @Nullable HandshakeFailure ofProtocol(Throwable cause) {
        return switch (cause) {
            case NotSslRecordException _ -> NOT_TLS;
            case ClosedChannelException _ -> DISCONNECTED;
            case TooLongFrameException _ -> NOT_TLS;
            case IOException _, GeneralSecurityException _ ->
                ofMessage(String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT));
            default -> null;
        };
    }

    /** Neither the JDK nor OpenSSL has types for these. */
    private static @Nullable HandshakeFailure ofMessage(String message) {
        // Alerts of the client come first: their names are those of the errors that the client has found.
        if (message.contains("received fatal alert") || message.contains("_alert_")) {
            return message.contains("protocol_version") ? PROTOCOL_VERSION : REJECTED_BY_CLIENT;
        }
        // With TLS 1.3, OpenSSL sends its alert about the certificate of the server without encryption.
        if (message.contains("bad_packet_length") || message.contains("plaintext alert")) {
            return REJECTED_BY_CLIENT;
        }
        if (message.contains("did_not_return_a_certificate") || message.contains("empty client certificate chain")) {
            return NO_CERTIFICATE;
        }
        if (message.contains("protocol version")
                || message.contains("unsupported_protocol")
                || message.contains("is not enabled or supported")) {
            return PROTOCOL_VERSION;
        }
        if (message.contains("no_shared_cipher") || message.contains("no cipher suites in common")) {
            return NO_COMMON_CIPHER;
        }
        if (message.contains("connection reset") || message.contains("broken pipe")) {
            return DISCONNECTED;
        }
        return message.contains("http_request") || message.contains("wrong_version_number") ? NOT_TLS : null;
    }
}
