/**
 * How a message reaches its recipients.
 *
 * <p>Entry class: {@link io.heddle.core.delivery.Dispatcher}, called on the publisher's thread; it executes a routing plan, each way
 * in a package of its own. The invariant: every recipient of a plan is handed the message once, or the drop is counted with
 * its reason. What must survive goes through {@link io.heddle.core.delivery.log}; the way of DEVICE clients is
 * {@link io.heddle.core.delivery.device}, that of APPLICATION clients {@link io.heddle.core.delivery.application}.
 */
@NullMarked
package io.heddle.core.delivery;

import org.jspecify.annotations.NullMarked;
