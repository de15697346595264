/**
 * The list of recent refusals.
 *
 * <p>Entry class: {@link io.heddle.api.refusals.RefusalController}, called on the threads of requests, which wait for the answers of all nodes.
 * Invariant: a page is never longer than an answer of a node can be, so that no entry is missing between two pages.
 */
@NullMarked
package io.heddle.api.refusals;

import org.jspecify.annotations.NullMarked;
