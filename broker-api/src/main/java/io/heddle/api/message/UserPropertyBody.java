package io.heddle.api.message;

/** A User Property of a message. */
public record UserPropertyBody(String name, String value) {}
