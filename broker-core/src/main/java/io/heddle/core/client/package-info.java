/**
 * Identity of clients, and the two ports through which core reaches a client's connection.
 *
 * <p>{@link io.heddle.core.client.Connection} belongs to exactly one {@link io.heddle.core.client.EventLoop}, its owner thread.
 * All work on the connection and its session runs there. Permissions are decided elsewhere.
 */
@NullMarked
package io.heddle.core.client;

import org.jspecify.annotations.NullMarked;
