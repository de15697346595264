/**
 * The settings of TLS, and the certificates of this node.
 *
 * <p>Entry classes: {@link io.heddle.app.tls.MqttTlsSettings} and {@link io.heddle.app.tls.NodeCertificates}, a phase of the start with a thread
 * that watches the files. {@code OcspStapling} fetches OCSP responses on another one. {@link io.heddle.app.tls.HttpCertificate} hands that of HTTP to Spring. How files are read and used is in {@code io.heddle.transport}.
 */
@NullMarked
package io.heddle.app.tls;

import org.jspecify.annotations.NullMarked;
