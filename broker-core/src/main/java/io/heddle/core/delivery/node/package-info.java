/**
 * Delivers messages to sessions on other nodes, without a log.
 *
 * <p>Entry classes: {@link io.heddle.core.delivery.node.NodeForwarding} sends a message once to each node that has subscribers, and
 * {@link io.heddle.core.delivery.node.ForwardReceiver} matches it there again and hands it over to the event loops of its sessions. The
 * receiver then gives a receipt for a message above QoS 0, for which PUBACK and PUBREC wait. Thread-safe. No publisher waits for a node that
 * has ended; a slow one, or one that does not answer, delays acknowledgements but causes no refusal. Persistent sessions get messages
 * above QoS 0 through the logs, never here.
 */
@NullMarked
package io.heddle.core.delivery.node;

import org.jspecify.annotations.NullMarked;
