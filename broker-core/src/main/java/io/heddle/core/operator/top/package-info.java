/**
 * The clients and topics of the cluster with the most activity, and the connected clients with the most subscriptions and waiting messages.
 *
 * <p>Entry: {@link io.heddle.core.operator.top.TopSearch}, which asks all nodes. The rates are counted by {@link
 * io.heddle.core.client.activity.Activity} on the event loops. The sizes of sessions are not counted but looked up, at most once in {@value
 * io.heddle.core.operator.top.SessionSurvey#KEPT_SECONDS} seconds. Bound: {@value io.heddle.core.operator.top.TopSearch#MAXIMUM_LIMIT} entries
 * of each ranking.
 */
@NullMarked
package io.heddle.core.operator.top;

import org.jspecify.annotations.NullMarked;
