/**
 * The files with certificates, keys and lists of revoked certificates: reads them, watches them, and creates some for trials. Also the OCSP
 * responses about certificates of the server: {@link io.heddle.transport.certificate.OcspStaples}.
 *
 * <p>Entry class: {@link io.heddle.transport.certificate.Certificates}. Its methods block and never run on an event loop. Invariant: a file that
 * cannot be used changes nothing; the certificates that were read before stay in use. How connections use them is in {@code tls}.
 */
@NullMarked
package io.heddle.transport.certificate;

import org.jspecify.annotations.NullMarked;
