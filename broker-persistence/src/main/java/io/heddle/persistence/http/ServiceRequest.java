package io.heddle.persistence.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.persistence.KeyedHash;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.jspecify.annotations.Nullable;

/**
 * The question about a client.
 *
 * @param authorization the header Authorization of GET; null for POST
 * @param body the JSON of POST; empty for GET
 */
record ServiceRequest(URI address, @Nullable String authorization, BinaryData body) {
    /** Returns the request without the headers that are the same for all clients. */
    HttpRequest.Builder toHttp() {
        HttpRequest.Builder request = HttpRequest.newBuilder(address).header("Accept", "application/json");
        return authorization == null
                ? request.header("Content-Type", "application/json").POST(BodyPublishers.ofByteArray(body.array()))
                : request.header("Authorization", authorization);
    }

    /** Returns a hash of all that is sent. */
    BinaryData hash(KeyedHash hash) {
        // An address has no spaces.
        return hash.of((address + " " + authorization).getBytes(UTF_8), body.array());
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "ServiceRequest[" + address + "]";
    }
}
