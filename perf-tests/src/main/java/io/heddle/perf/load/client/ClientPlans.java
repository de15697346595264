package io.heddle.perf.load.client;

import io.heddle.perf.load.wire.ConnectFields;
import io.heddle.perf.load.wire.MqttVersion;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Creates plans of MQTT 5.0 clients that differ only in their names.
 *
 * @param source the local address; null lets the system choose
 * @param prefix the beginning of client identifiers and topics
 * @param username null for none
 * @param password null for none
 */
public record ClientPlans(
        InetSocketAddress broker,
        @Nullable InetAddress source,
        String prefix,
        @Nullable String username,
        @Nullable String password) {
    private static final Duration SESSION_EXPIRY = Duration.ofHours(1);

    /** A client whose session ends with its connection. */
    public ClientPlan transientClient(String name, @Nullable Subscribe subscribe) {
        return plan(name, true, 0, subscribe);
    }

    /** A client whose session expires an hour after its connection; {@code clean} discards an earlier session. */
    public ClientPlan persistentClient(String name, boolean clean, @Nullable Subscribe subscribe) {
        return plan(name, clean, (int) SESSION_EXPIRY.toSeconds(), subscribe);
    }

    /** The same clients with other credentials. */
    public ClientPlans withCredentials(String otherUsername, String otherPassword) {
        return new ClientPlans(broker, source, prefix, otherUsername, otherPassword);
    }

    private ClientPlan plan(String name, boolean clean, int expirySeconds, @Nullable Subscribe subscribe) {
        ConnectFields connect =
                new ConnectFields(MqttVersion.V5, prefix + "-" + name, clean, 0, expirySeconds, username, password);
        return new ClientPlan(broker, source, connect, subscribe, 0);
    }
}
