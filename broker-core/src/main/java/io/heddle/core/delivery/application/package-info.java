/**
 * Delivers to APPLICATION clients with persistent sessions, each of which has a log of its own.
 *
 * <p>Entry classes: {@link io.heddle.core.delivery.application.ApplicationSessions}, which creates and ends the logs together with the
 * sessions, and {@link io.heddle.core.delivery.application.ApplicationFeed}, which feeds one client from its log on its event loop. A client's
 * acknowledgements are its {@link io.heddle.core.delivery.application.Progress}, stored apart from the messages and in batches. The sequence
 * number of a message is its offset in the log, so sequence numbers ascend with gaps. Packet identifiers are assigned by
 * {@code core.session}.
 */
@NullMarked
package io.heddle.core.delivery.application;

import org.jspecify.annotations.NullMarked;
