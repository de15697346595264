package io.heddle.core.authentication.certificate;

import io.heddle.core.client.ClientCertificate;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where the user name of a client is in its certificate.
 *
 * @param source the part of the certificate
 * @param pattern what this part must match as a whole; its first group, if it has one, is the name. Null for any
 */
public record CertificateNames(Source source, @Nullable Pattern pattern) {
    private static final int MAXIMUM_CHARACTERS = 1_024;

    /** A part of a certificate. Of alternative names, the first that matches counts. */
    public enum Source {
        CN,
        DNS,
        URI,
        EMAIL,
        SUBJECT
    }

    /** Returns the user name, or null if the certificate has none. */
    @Nullable
    String of(ClientCertificate certificate) {
        List<String> parts = switch (source) {
            case CN -> List.of(certificate.commonName());
            case DNS -> certificate.dnsNames();
            case URI -> certificate.uris();
            case EMAIL -> certificate.emails();
            case SUBJECT -> List.of(certificate.subject());
        };
        for (String part : parts) {
            // A longer one would take a pattern too much time, or stack.
            String name = part.length() > MAXIMUM_CHARACTERS ? null : name(part);
            if (name != null && !name.isEmpty()) {
                return name;
            }
        }
        return null;
    }

    private @Nullable String name(String part) {
        if (pattern == null) {
            return part;
        }
        Matcher matcher = pattern.matcher(part);
        if (!matcher.matches()) {
            return null;
        }
        return matcher.groupCount() == 0 ? part : matcher.group(1);
    }
}
