/**
 * Retained messages: lists, reads and removes them.
 *
 * <p>Entry class: {@link io.heddle.api.retained.RetainedController}, on the virtual thread of the request. Each node has all retained
 * messages in memory, so no other node is asked. Removals are durable when they are answered. Messages are retained by {@code
 * api.publish}.
 */
@NullMarked
package io.heddle.api.retained;

import org.jspecify.annotations.NullMarked;
