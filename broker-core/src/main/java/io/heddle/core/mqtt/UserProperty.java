package io.heddle.core.mqtt;

/** A name and a value that the sender chose. The same name may stand more than once, and the order is kept. */
public record UserProperty(String name, String value) {}
