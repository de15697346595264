package io.heddle.core.authentication.certificate;

import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.authentication.CredentialsLookup;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientCertificate;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.LogValue;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.ReasonCode;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates clients with the certificates that they have shown to TLS. The user name is in the certificate; that in CONNECT does not count.
 * Stored credentials for the same names supply client type and groups, and may pin the certificate. Certificates without the name are left to
 * the next method. Thread-safe.
 */
public final class CertificateAuthenticator implements Authenticator {
    private final CertificateNames names;
    private final boolean isClientId;
    private final boolean needsStored;
    private final CredentialsLookup store;
    private final InstantSource timeOfDay;
    private final SteadyClock clock;

    /**
     * @param isClientId whether a client's id must be its user name, which therefore proves it
     * @param needsStored whether clients without stored credentials are refused
     * @param timeOfDay tells how long a certificate is still valid
     * @param clock measures the time until it expires
     */
    public CertificateAuthenticator(
            CertificateNames names,
            boolean isClientId,
            boolean needsStored,
            CredentialsLookup store,
            InstantSource timeOfDay,
            SteadyClock clock) {
        this.names = names;
        this.isClientId = isClientId;
        this.needsStored = needsStored;
        this.store = store;
        this.timeOfDay = timeOfDay;
        this.clock = clock;
    }

    @Override
    public boolean mayApply(ConnectCredentials credentials) {
        return credentials.certificate() != null;
    }

    @Override
    public @Nullable AuthenticationOutcome authenticate(ConnectCredentials credentials) {
        ClientCertificate certificate = credentials.certificate();
        String name = certificate == null ? null : names.of(certificate);
        if (certificate == null || name == null) {
            return null;
        }
        if (isClientId && !credentials.clientId().value().equals(name)) {
            return refused("the client id is not the name in the certificate");
        }
        StoredCredentials stored = store.find(credentials.clientId(), name);
        if (stored == null) {
            return needsStored
                    ? refused("there are no stored credentials for the name in the certificate")
                    : accepted(credentials, certificate, name, null);
        }
        String fault = fault(stored, certificate, name);
        return fault == null ? accepted(credentials, certificate, name, stored) : refused(fault);
    }

    /** Returns why a client may not use stored credentials, or null. */
    private @Nullable String fault(StoredCredentials stored, ClientCertificate certificate, String name) {
        if (!stored.fit(name)) {
            return "the client id belongs to other users";
        }
        CertificatePin pin = CertificatePin.ofStored(stored.passwordHash());
        if (pin == null && stored.passwordHash().startsWith(CertificatePin.PREFIX)) {
            return "the stored credentials have a pin that this version cannot read: " + shown(certificate);
        }
        if (pin != null && !pin.accepts(certificate)) {
            return "the stored credentials pin another certificate: " + shown(certificate);
        }
        boolean isProved = stored.userName() != null || isClientId || (pin != null && pin.isOfOneCertificate());
        return isProved
                ? null
                : "the certificate does not prove the client id, which stored credentials reserve: "
                        + shown(certificate);
    }

    /** Names a certificate to the operator, so that it can be pinned. */
    private static String shown(ClientCertificate certificate) {
        return "sha256=" + certificate.fingerprint() + ", issuer=" + LogValue.of(certificate.issuer());
    }

    private Accepted accepted(
            ConnectCredentials credentials,
            ClientCertificate certificate,
            String name,
            @Nullable StoredCredentials stored) {
        ClientIdentity identity = new ClientIdentity(
                credentials.clientId(),
                stored == null ? ClientType.DEVICE : stored.type(),
                name,
                isClientId || (stored != null && stored.clientId() != null),
                stored == null ? null : stored.version());
        return new Accepted(
                identity,
                stored == null ? Set.of() : Set.copyOf(stored.groups()),
                Map.of("cn", certificate.commonName()),
                clock.deadline(certificate.expiry(), timeOfDay.instant()));
    }

    private static Refused refused(String detail) {
        return new Refused(ReasonCode.NOT_AUTHORIZED, detail);
    }
}
