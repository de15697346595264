/**
 * The figures of the nodes during the last hour or day.
 *
 * <p>Entry class: {@link io.heddle.api.history.HistoryController}, called on the threads of requests, which wait for the answers of all nodes.
 * Invariant: the values of all figures and nodes in an answer belong to the same times; where a node has none, there is null. Core records and merges
 * them.
 */
@NullMarked
package io.heddle.api.history;

import org.jspecify.annotations.NullMarked;
