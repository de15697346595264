package io.heddle.app.settings;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The listener of the REST API, health and metrics.
 *
 * @param bind the address to listen on
 * @param port the port; 0 picks a free one
 */
public record HttpSettings(
        @DefaultValue("127.0.0.1") String bind,
        @DefaultValue("8080") int port) {}
