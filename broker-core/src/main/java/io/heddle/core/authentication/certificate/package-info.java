/**
 * Authentication with certificates of clients, which TLS has verified.
 *
 * <p>Entry class: {@link io.heddle.core.authentication.certificate.CertificateAuthenticator}, called on virtual threads. Invariant: a client
 * gets a client id or a user name that stored credentials name only if its certificate proves that name, and if it is the pinned certificate
 * where one is pinned.
 */
@NullMarked
package io.heddle.core.authentication.certificate;

import org.jspecify.annotations.NullMarked;
