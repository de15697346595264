/**
 * Delivers messages to sessions of this node by event loop, without a log.
 *
 * <p>Entry class: {@link io.heddle.core.delivery.direct.DirectDelivery}. Recipients on the caller's own loop get the message at once,
 * those of each other loop in one task, because waking another thread costs as much as sending.
 */
@NullMarked
package io.heddle.core.delivery.direct;

import org.jspecify.annotations.NullMarked;
