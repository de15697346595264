package io.heddle.core.client;

import java.util.UUID;

/**
 * The credentials with which a client has signed in, as they were then.
 *
 * @param id of the credentials
 * @param fingerprint of names, type and password hash; changes with each of them
 */
public record CredentialsVersion(UUID id, long fingerprint) implements SignInProof {}
