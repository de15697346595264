package io.heddle.core.client;

/** The name of a client, unique among the connected ones of the whole cluster. Never empty; not more than 65,535 bytes. */
public record ClientId(String value) {
    public ClientId {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("a client id is never empty: assign one first");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
