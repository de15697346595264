package io.heddle.app.tracing;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.SettingRule;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpRequest;
import java.util.Map;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Traces of sampled messages, see tracing.md.
 *
 * @param endpoint address to which spans are sent as OTLP over HTTP, such as http://collector:4318/v1/traces; if empty, messages are not traced
 * @param headers further headers of each request, such as authorization
 * @param ratio share of the messages without a trace context that are traced, 0 to 1; a message with a trace context is traced if that says so
 * @param maximumRate maximum number of traced messages a second on each node, of those that clients publish and again of those that come from
 *     logs, queues and other nodes; further ones are counted
 */
public record TracingSettings(
        @DefaultValue("") String endpoint,
        @DefaultValue Map<String, String> headers,
        @DefaultValue("0") double ratio,
        @DefaultValue("100") int maximumRate) {
    private static final String PREFIX = "heddle.tracing.";

    public TracingSettings {
        headers = Map.copyOf(headers);
        if (!(ratio >= 0 && ratio <= 1)) {
            throw new StartupException(PREFIX + "ratio is " + ratio + ": set it to a number from 0 to 1", null);
        }
        SettingRule.between(PREFIX + "maximum-rate", maximumRate, 1, 10_000);
        if (endpoint.isEmpty()) {
            if (ratio > 0) {
                throw new StartupException(
                        PREFIX + "ratio is set, but there is no collector: set " + PREFIX
                                + "endpoint, or remove the setting",
                        null);
            }
        } else {
            check(endpoint, headers);
        }
    }

    private static void check(String endpoint, Map<String, String> headers) {
        HttpRequest.Builder request;
        try {
            URI address = new URI(endpoint);
            if (address.getUserInfo() != null) {
                throw new IllegalArgumentException("passwords belong in headers");
            }
            request = HttpRequest.newBuilder(address);
        } catch (URISyntaxException | IllegalArgumentException wrong) {
            throw new StartupException(
                    PREFIX + "endpoint is not the address of a collector: write http://host:4318/v1/traces", wrong);
        }
        headers.forEach((name, value) -> {
            try {
                request.header(name, value);
            } catch (IllegalArgumentException wrong) {
                throw new StartupException(
                        PREFIX + "headers." + name + " is no header that can be sent: correct its name and value",
                        null);
            }
        });
    }

    public boolean isOn() {
        return !endpoint.isEmpty();
    }

    /** Without the headers, which may hold a password. */
    @Override
    public String toString() {
        return "TracingSettings[endpoint=" + endpoint + ", ratio=" + ratio + ", maximumRate=" + maximumRate + "]";
    }
}
