/**
 * TLS of the listeners for MQTT: handshakes, their bound, and the certificates in use.
 *
 * <p>Entry class: {@link io.heddle.transport.tls.ListenerTls}, which adds TLS to the pipeline of a new connection. The handlers belong to the
 * connection's event loop; the costly steps of handshakes run on the threads of {@link io.heddle.transport.tls.TlsHandshakes}. Invariant: a
 * connection keeps the certificate and the rules with which its handshake began. Files are read elsewhere, in {@code certificate}.
 */
@NullMarked
package io.heddle.transport.tls;

import org.jspecify.annotations.NullMarked;
