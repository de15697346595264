package io.heddle.perf.load.wire;

import org.jspecify.annotations.Nullable;

/**
 * What a CONNECT says.
 *
 * @param cleanStart Clean Session in 3.1.1
 * @param keepAliveSeconds 0 turns it off
 * @param sessionExpirySeconds how long the session outlives its connection; only 5.0 can say so
 * @param username null for none; then there is no password either
 */
public record ConnectFields(
        MqttVersion version,
        String clientId,
        boolean cleanStart,
        int keepAliveSeconds,
        int sessionExpirySeconds,
        @Nullable String username,
        @Nullable String password) {}
