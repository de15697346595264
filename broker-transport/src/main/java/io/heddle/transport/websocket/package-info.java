/**
 * MQTT over WebSocket (MQTT 5.0, section 6; RFC 6455).
 *
 * <p>Entry class: {@link io.heddle.transport.websocket.WebSocketHandshake}, which answers the HTTP request and replaces the handlers of
 * HTTP with {@link io.heddle.transport.websocket.WebSocketInput}. Everything belongs to the connection's event loop. Invariant: bytes of
 * data frames are passed on as they arrive, so a frame is never held in memory. The connection writes its packets into frames with
 * {@link io.heddle.transport.websocket.WebSocketOutput}. Extensions, such as the compression of messages, are not supported.
 */
@NullMarked
package io.heddle.transport.websocket;

import org.jspecify.annotations.NullMarked;
