package io.heddle.core.session.registrar.remote;

import io.heddle.core.session.registrar.ConnectedClients;
import io.heddle.core.session.registrar.Registrar;
import io.heddle.core.session.registrar.settlement.Settlement;

/** Connects the registrar of a node with the other nodes of the cluster. Called once each, while the node is constructed. */
public interface RegistrarRouting {
    /** A node that decides about all clients. */
    RegistrarRouting OF_ONE_NODE = new RegistrarRouting() {
        @Override
        public ConnectedClients connections(ConnectedClients own) {
            return own;
        }

        @Override
        public boolean registersTransientClients() {
            return false;
        }

        @Override
        public Settlement settlement() {
            return Settlement.OF_ONE_NODE;
        }

        @Override
        public Registrar registrar(Registrar own) {
            return own;
        }
    };

    /**
     * Returns the connections of all nodes. Called first.
     *
     * @param own those of this node
     */
    ConnectedClients connections(ConnectedClients own);

    /**
     * Returns whether the registrar knows the connections of clients without persistent sessions. A single node does not need this: all
     * connections are its own.
     */
    boolean registersTransientClients();

    /** Returns the means by which the node learns that all others know its changes. */
    Settlement settlement();

    /**
     * Returns the registrar of all clients.
     *
     * @param own decides about the clients whose buckets this node holds
     */
    Registrar registrar(Registrar own);
}
