/**
 * Blocked clients.
 *
 * <p>Entry class: {@link io.heddle.api.blocked.BlockedClientController}. Runs on the virtual thread of the request, on the store itself; the
 * nodes learn of a change from the store. Invariant: a list shows what is stored, which each node applies within a second. The refusals
 * themselves are in {@code io.heddle.core.authentication.blocked}.
 */
@NullMarked
package io.heddle.api.blocked;

import org.jspecify.annotations.NullMarked;
