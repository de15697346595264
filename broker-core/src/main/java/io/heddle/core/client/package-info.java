/**
 * Who talks to us: client ids, client types, and the two ports through which core reaches a client's connection.
 *
 * <p>{@link io.heddle.core.client.Connection} belongs to exactly one {@link io.heddle.core.client.EventLoop}, its owner
 * thread; everything about the connection and its session happens there. What the client may do is not decided here.
 */
@NullMarked
package io.heddle.core.client;

import org.jspecify.annotations.NullMarked;
