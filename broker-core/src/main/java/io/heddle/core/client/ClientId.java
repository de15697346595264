package io.heddle.core.client;

/** The identifier of a client, unique among the connected clients of the cluster. Never empty, at most 65,535 bytes. */
public record ClientId(String value) {
    public ClientId {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("client id is empty: assign one first");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
