package io.heddle.core.client;

/** The credentials or the key by which a client has signed in, as they were then. If they change or are withdrawn, the client is disconnected. */
public sealed interface SignInProof permits CredentialsVersion, TokenKey {}
