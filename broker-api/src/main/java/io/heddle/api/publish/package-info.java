/**
 * Publishes messages of administrators.
 *
 * <p>Entry class: {@link io.heddle.api.publish.PublishController}, on the virtual thread of the request, which waits until a client would
 * have its PUBACK. The limits are those of clients, and all wrong fields are named together. Routing and delivery are decided by core, as
 * for every other message.
 */
@NullMarked
package io.heddle.api.publish;

import org.jspecify.annotations.NullMarked;
