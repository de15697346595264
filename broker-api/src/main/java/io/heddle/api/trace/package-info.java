/**
 * Live traces of the packets of clients.
 *
 * <p>Entry class: {@link io.heddle.api.trace.TraceController}, on the virtual thread of the request, which writes events until the trace ends or
 * the administrator closes the connection. Invariant: payloads are sent to administrators of the role ADMIN only, after an entry of the audit log
 * was stored. Bound: the traces of a node, {@code io.heddle.core.operator.trace}.
 */
@NullMarked
package io.heddle.api.trace;

import org.jspecify.annotations.NullMarked;
