/**
 * The command {@code ./heddle tls}, which makes certificates for trials.
 *
 * <p>Entry class: {@link io.heddle.app.tls.command.TlsCommand}. Runs on the main thread, without a broker. Invariant: no file is
 * overwritten, and only the owner can read private keys. Certificates of running listeners are not here: see
 * {@code io.heddle.transport.certificate}.
 */
@NullMarked
package io.heddle.app.tls.command;

import org.jspecify.annotations.NullMarked;
