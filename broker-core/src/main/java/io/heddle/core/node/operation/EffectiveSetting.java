package io.heddle.core.node.operation;

/**
 * A setting of this process as it is in effect.
 *
 * @param key for example {@code heddle.mqtt.port}
 * @param value as text; secrets are masked
 * @param origin where the value was set, as a phrase for an operator; empty for a default
 */
public record EffectiveSetting(String key, String value, String origin) {}
