package io.heddle.core.simulation;

import io.heddle.core.simulation.client.SimConnection;

/** A process that accepts connections of clients. A frozen one does, too: its kernel answers. */
public interface SimEntry {
    SimProcess process();

    void accept(SimConnection connection);
}
