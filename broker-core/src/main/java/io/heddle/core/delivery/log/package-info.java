/**
 * The durable log of messages and its per-client feeds.
 *
 * <p>Entry classes: {@link io.heddle.core.delivery.log.MessageLog}, which takes all kinds of appends, and {@link
 * io.heddle.core.delivery.log.OutboundQueue}, from which a connected client's session takes its messages. The readers of the logs are in
 * the neighbouring packages.
 */
@NullMarked
package io.heddle.core.delivery.log;

import org.jspecify.annotations.NullMarked;
