/**
 * Credentials of MQTT clients.
 *
 * <p>Entry class: {@link io.heddle.api.credentials.CredentialsController}. Runs on the virtual thread of the request, which computes at most
 * one hash. Invariants: no answer contains a password or a hash; a change replaces exactly what was read. The clients of changed or removed
 * credentials are disconnected by {@code io.heddle.core.session.CredentialsWatch}, on all nodes and whoever made the change.
 */
@NullMarked
package io.heddle.api.credentials;

import org.jspecify.annotations.NullMarked;
