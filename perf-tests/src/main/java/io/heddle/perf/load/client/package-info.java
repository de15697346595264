/**
 * MQTT clients on non-blocking sockets, which connect, subscribe, acknowledge, ping, disconnect, and count faults.
 *
 * <p>Enter at {@link io.heddle.perf.load.client.NetworkLoop}, one selector with two buffers that all connections share, and
 * {@link io.heddle.perf.load.client.Connector}, which opens connections with it. A {@link io.heddle.perf.load.client.Connection} implements
 * what all clients do; its {@link io.heddle.perf.load.client.Role} publishes and handles messages. Owner: the thread that turns the loop.
 * Invariant: one read, and at most one write, per connection and turn of the loop. Deliberately not here: reconnecting (a load ends with
 * the first connection that breaks, a flood opens new ones), TLS, WebSocket.
 */
@NullMarked
package io.heddle.perf.load.client;

import org.jspecify.annotations.NullMarked;
