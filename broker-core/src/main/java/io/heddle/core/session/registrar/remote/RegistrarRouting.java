package io.heddle.core.session.registrar.remote;

import io.heddle.core.session.registrar.ConnectedClients;
import io.heddle.core.session.registrar.Registrar;
import io.heddle.core.session.registrar.settlement.Settlement;

/** Connects the registrar of a node with the other nodes of the cluster. Called once each, while the node is constructed. */
public interface RegistrarRouting {
    /**
     * Returns the connections of all nodes. Called first.
     *
     * @param own those of this node
     */
    ConnectedClients connections(ConnectedClients own);

    /** Returns the means by which the node learns that all others know its changes. */
    Settlement settlement();

    /**
     * Returns the registrar of all clients.
     *
     * @param own decides about the clients whose buckets this node holds
     */
    Registrar registrar(Registrar own);
}
