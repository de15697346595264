/**
 * Publishes messages of administrators. Entry class: {@link io.heddle.api.publish.PublishController}, on the virtual thread of the request,
 * which waits until a client would have its PUBACK. The limits are those of clients.
 */
@NullMarked
package io.heddle.api.publish;

import org.jspecify.annotations.NullMarked;
