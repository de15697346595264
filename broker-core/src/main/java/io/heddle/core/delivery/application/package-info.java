/**
 * The way to APPLICATION clients with persistent sessions: through a log of each client's own.
 *
 * <p>Enter at {@link io.heddle.core.delivery.application.ApplicationSessions}, which begins and ends the logs together with the sessions,
 * and at {@link io.heddle.core.delivery.application.ApplicationFeed}, which feeds one client from its log on its event loop. The log
 * keeps the messages; what the client has acknowledged of them is its {@link io.heddle.core.delivery.application.Progress}, kept apart, so
 * that nothing is written for a message but the message. A message's number is its place in the log: numbers rise and have gaps. Packets
 * are not known here.
 */
@NullMarked
package io.heddle.core.delivery.application;

import org.jspecify.annotations.NullMarked;
