package io.heddle.core.operator.client;

public enum ClientState {
    /** It is connected to a node. */
    CONNECTED,
    /** It has a persistent session and is connected to no node. */
    AWAY
}
