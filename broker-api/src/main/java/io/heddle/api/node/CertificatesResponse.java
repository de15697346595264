package io.heddle.api.node;

import io.heddle.core.node.operation.CertificateStatus;
import java.util.Collection;
import java.util.List;

/**
 * JSON representation of the certificates that a node uses.
 *
 * @param items one for each listener with TLS
 */
record CertificatesResponse(List<CertificateStatus> items) {
    static CertificatesResponse of(Collection<CertificateStatus> certificates) {
        return new CertificatesResponse(List.copyOf(certificates));
    }
}
