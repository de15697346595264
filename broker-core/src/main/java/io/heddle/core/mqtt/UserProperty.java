package io.heddle.core.mqtt;

/** A User Property: a name and a value from the sender. Names may repeat, and the order is preserved. */
public record UserProperty(String name, String value) {}
