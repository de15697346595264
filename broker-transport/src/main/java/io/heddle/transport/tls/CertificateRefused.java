package io.heddle.transport.tls;

/**
 * Fired as an event in the pipeline of a connection whose client has shown a certificate that does not count any more.
 *
 * @param sentence the reason, for the client and for operators
 */
public record CertificateRefused(String sentence) {}
