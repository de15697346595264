/**
 * Delivers messages to the recipients of their routing plans.
 *
 * <p>Entry class: {@link io.heddle.core.delivery.Dispatcher}, called on the publisher's thread. Invariant: every recipient of a plan gets
 * the message once, or the drop is counted with its reason. Durable messages go through {@link io.heddle.core.delivery.log}: to DEVICE
 * clients through {@link io.heddle.core.delivery.bucket} and {@link io.heddle.core.delivery.device}, to APPLICATION clients through {@link
 * io.heddle.core.delivery.application}. All other messages go through {@link io.heddle.core.delivery.direct}.
 */
@NullMarked
package io.heddle.core.delivery;

import org.jspecify.annotations.NullMarked;
