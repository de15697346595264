package io.heddle.perf.load.wire;

import org.jspecify.annotations.Nullable;

/**
 * The fields of CONNECT.
 *
 * @param cleanStart Clean Session in 3.1.1
 * @param keepAliveSeconds 0 for no keep alive
 * @param sessionExpirySeconds Session Expiry Interval, only in 5.0
 * @param username null for none; then the password is also null
 */
public record ConnectFields(
        MqttVersion version,
        String clientId,
        boolean cleanStart,
        int keepAliveSeconds,
        int sessionExpirySeconds,
        @Nullable String username,
        @Nullable String password) {}
