package io.heddle.app.authentication;

import io.heddle.core.Limit;
import io.heddle.core.authentication.CredentialsLookup;
import io.heddle.core.authentication.certificate.CertificateAuthenticator;
import io.heddle.core.authentication.certificate.CertificateNames;
import io.heddle.core.authentication.certificate.CertificateNames.Source;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.message.SteadyClock;
import io.heddle.persistence.SettingRule;
import java.time.InstantSource;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Authentication of clients by their certificates, see security.md. A listener asks for them if its client-certificates are optional or
 * required.
 *
 * @param userName the part of the certificate with the user name: cn, one of the subject alternative names (dns, uri, email), or subject, the
 *     whole name as in RFC 2253
 * @param pattern regular expression that this part must match as a whole. If it has a group, the group is the user name. Other certificates
 *     are left to the next method
 * @param clientId any, or user-name: the client id must be the user name, and belongs to the client
 * @param requireCredentials whether clients without stored credentials for their user name or client id are refused
 * @param maximumPending maximum number of clients whose stored credentials are being read; further ones are refused with "server busy"
 */
public record CertificateSettings(
        @DefaultValue("cn") Source userName,
        @DefaultValue("") String pattern,
        @DefaultValue("any") ClientIds clientId,
        @DefaultValue("false") boolean requireCredentials,
        @DefaultValue("5000") int maximumPending) {
    private static final String PREFIX = "heddle.authentication.certificate.";
    private static final String MAXIMUM_PENDING = PREFIX + "maximum-pending";

    /** The client ids that a client may have. */
    public enum ClientIds {
        ANY,
        USER_NAME
    }

    public CertificateSettings {
        SettingRule.between(MAXIMUM_PENDING, maximumPending, 1, 1_000_000);
        var _ = compiled(pattern);
    }

    private static @Nullable Pattern compiled(String pattern) {
        try {
            return pattern.isEmpty() ? null : Pattern.compile(pattern);
        } catch (PatternSyntaxException wrong) {
            throw new StartupException(
                    PREFIX + "pattern is not a regular expression: " + wrong.getDescription() + " at character "
                            + (wrong.getIndex() + 1),
                    wrong);
        }
    }

    public Limit limit() {
        return new Limit(MAXIMUM_PENDING, maximumPending);
    }

    public CertificateAuthenticator toAuthenticator(CredentialsLookup store, SteadyClock clock) {
        return new CertificateAuthenticator(
                new CertificateNames(userName, compiled(pattern)),
                clientId == ClientIds.USER_NAME,
                requireCredentials,
                store,
                InstantSource.system(),
                clock);
    }
}
