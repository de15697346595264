/**
 * Retained messages: lists, reads and removes them. Entry class: {@link io.heddle.api.retained.RetainedController}, on the virtual thread of
 * the request. Each node has all retained messages in memory, so no other node is asked.
 */
@NullMarked
package io.heddle.api.retained;

import org.jspecify.annotations.NullMarked;
