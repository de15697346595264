package io.heddle.core.client;

/**
 * The key that has verified the token of a client.
 *
 * @param fingerprint of the key itself, whatever its name is
 */
public record TokenKey(long fingerprint) implements SignInProof {}
