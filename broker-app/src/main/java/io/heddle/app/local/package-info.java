/**
 * The HTTP addresses of the brokers that run on a data directory, for the commands of the same machine.
 *
 * <p>Entry class: {@link io.heddle.app.local.LocalBrokers}. A broker writes a file when its HTTP listener is open and removes it when it
 * stops. Invariant: a file whose process has ended is never used as an address.
 */
@NullMarked
package io.heddle.app.local;

import org.jspecify.annotations.NullMarked;
