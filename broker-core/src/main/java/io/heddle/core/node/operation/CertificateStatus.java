package io.heddle.core.node.operation;

import java.time.Instant;
import java.util.List;

/**
 * A certificate of the server that a listener uses.
 *
 * @param listener name of the listener
 * @param subject distinguished name of the certificate
 * @param names DNS names and IP addresses for which it is used
 * @param expires when it or one of its intermediate authorities expires
 */
public record CertificateStatus(String listener, String subject, List<String> names, Instant expires) {
    public CertificateStatus {
        names = List.copyOf(names);
    }
}
