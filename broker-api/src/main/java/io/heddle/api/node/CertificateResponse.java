package io.heddle.api.node;

import io.heddle.core.node.operation.CertificateStatus;
import java.time.Instant;
import java.util.List;

/**
 * JSON representation of a certificate of the server.
 *
 * @param listener name of the listener that uses it
 * @param subject distinguished name
 * @param names DNS names and IP addresses for which it is used
 * @param expires when it or one of its intermediate authorities expires
 */
record CertificateResponse(String listener, String subject, List<String> names, Instant expires) {
    static CertificateResponse of(CertificateStatus status) {
        return new CertificateResponse(status.listener(), status.subject(), status.names(), status.expires());
    }
}
