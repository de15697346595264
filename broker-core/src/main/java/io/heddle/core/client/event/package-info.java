/**
 * The events of clients, for the traces of administrators and for the topic {@code heddle.events}.
 *
 * <p>Entry class: {@link io.heddle.core.client.event.ClientEvent}. Events are shown on the thread where they happen, often an event loop.
 * Invariant: {@link io.heddle.core.client.event.EventValues} bounds each event, and no event has a password or a payload. {@code
 * ClientEvents}, in the package above, takes them from the rest of core.
 */
@NullMarked
package io.heddle.core.client.event;

import org.jspecify.annotations.NullMarked;
