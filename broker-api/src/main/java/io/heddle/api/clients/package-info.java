/**
 * The resource of clients: who is connected or away, on all nodes; disconnects clients and ends sessions.
 *
 * <p>Entry class: {@link io.heddle.api.clients.ClientController}. Runs on the virtual threads of requests. Client ids may contain any
 * character, so they are query parameters and never parts of a path. All decisions are core's ({@code io.heddle.core.operator.client}).
 */
@NullMarked
package io.heddle.api.clients;

import org.jspecify.annotations.NullMarked;
