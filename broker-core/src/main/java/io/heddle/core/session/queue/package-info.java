/**
 * Connects persistent sessions with the queues and logs that keep their messages.
 *
 * <p>Enter at {@link io.heddle.core.session.queue.SessionFeeds}, which opens the queue or log of a connected client, and {@link
 * io.heddle.core.session.queue.QueueRedelivery}, which gives the messages of an ending session to other members of its shared
 * subscriptions. A feed is owned by the event loop of its connection; redelivery runs on threads of the stores and of the housekeeping
 * and never blocks. Invariant: a session ends after its messages are redelivered. The queues themselves are in {@code delivery}.
 */
@NullMarked
package io.heddle.core.session.queue;

import org.jspecify.annotations.NullMarked;
