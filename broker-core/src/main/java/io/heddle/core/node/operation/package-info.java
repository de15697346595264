/**
 * What administrators see and change of a cluster: what each node reports, whether the cluster is steady, and the
 * distribution of the connections. Entry classes: {@link io.heddle.core.node.operation.NodeReports} and {@link
 * io.heddle.core.node.operation.ConnectionRebalance}. Nothing here decides about clients' state: reports are hints that go over links.
 */
@NullMarked
package io.heddle.core.node.operation;

import org.jspecify.annotations.NullMarked;
