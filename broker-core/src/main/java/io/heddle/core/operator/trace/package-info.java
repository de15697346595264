/**
 * Live traces of the packets of clients, for administrators.
 *
 * <p>Entry class: {@link io.heddle.core.operator.trace.Tracer}. {@link io.heddle.core.operator.trace.ClusterTrace} asks all nodes again and again
 * for what is new, on a thread that may block; {@link io.heddle.core.operator.trace.NodeTraces} keeps the events of this node, on the event
 * loops of the clients. Nothing is kept while no trace runs. Bounds: {@link io.heddle.core.operator.trace.NodeTraces#MAXIMUM} traces, and for each
 * of them the events and bytes of {@link io.heddle.core.operator.trace.NodeTrace}. No event has a password.
 */
@NullMarked
package io.heddle.core.operator.trace;

import org.jspecify.annotations.NullMarked;
