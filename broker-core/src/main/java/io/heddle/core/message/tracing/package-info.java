/**
 * Sampled messages in the traces of OpenTelemetry, by the Trace Context of the W3C in user properties.
 *
 * <p>Entry class: {@link io.heddle.core.message.tracing.Tracing}, of which a node has one or, by default, none. Its methods are called on event
 * loops and threads of the log. Invariants: what a client has sent is never changed; the number of traced messages a second, of copies of a
 * message and of open spans is bounded. The adapter for OpenTelemetry is in the application; {@code operator.trace} has the traces of packets,
 * which administrators watch.
 */
@NullMarked
package io.heddle.core.message.tracing;

import org.jspecify.annotations.NullMarked;
