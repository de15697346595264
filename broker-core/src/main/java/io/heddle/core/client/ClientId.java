package io.heddle.core.client;

/** The identifier of a client, unique among the connected clients of the cluster. Never empty, at most 65,535 bytes. */
public record ClientId(String value) {
    /** The first characters of the ids under which administrators publish. No client may have such an id. */
    public static final String ADMINISTRATOR_PREFIX = "$administrator/";

    public ClientId {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("client id is empty: assign one first");
        }
    }

    /** Returns the id under which an administrator publishes. */
    public static ClientId ofAdministrator(String name) {
        return new ClientId(ADMINISTRATOR_PREFIX + name);
    }

    @Override
    public String toString() {
        return value;
    }
}
