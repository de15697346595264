/**
 * The queues of DEVICE clients with persistent sessions, and the feeds that read them.
 *
 * <p>Entry class: {@link io.heddle.core.delivery.device.DeviceFeed}, which feeds one connected client from its queue and belongs to the
 * client's event loop. {@link io.heddle.core.delivery.device.DeviceQueues} is the port to the store of the queues. A feed treats a push
 * as a hint and the queue as the truth. The queues are filled by {@code core.delivery.bucket}; packet identifiers are assigned by
 * {@code core.session}.
 */
@NullMarked
package io.heddle.core.delivery.device;

import org.jspecify.annotations.NullMarked;
