/**
 * The command {@code heddle tls}, which creates certificates for trials.
 *
 * <p>Entry class: {@link io.heddle.app.tls.command.TlsCommand}. Runs on the main thread of its own process and needs no broker.
 */
@NullMarked
package io.heddle.app.tls.command;

import org.jspecify.annotations.NullMarked;
