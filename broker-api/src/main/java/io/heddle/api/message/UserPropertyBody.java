package io.heddle.api.message;

public record UserPropertyBody(String name, String value) {}
