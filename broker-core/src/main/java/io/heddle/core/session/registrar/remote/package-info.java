/**
 * The registrar of another node.
 *
 * <p>Enter at {@link io.heddle.core.session.registrar.remote.RegistrarPeer}: it sends the requests of this node's clients to the node that
 * decides about them, and handles the requests of that node's clients. {@link io.heddle.core.session.registrar.remote.RegistrarFrame} is
 * the format. Thread-safe. The choice of the node, and the lanes between nodes, are elsewhere.
 */
@NullMarked
package io.heddle.core.session.registrar.remote;

import org.jspecify.annotations.NullMarked;
