package io.heddle.core.client;

/** What a client has signed in with, as it was then. If it is changed or withdrawn later, the client is disconnected. */
public sealed interface SignInProof permits CredentialsVersion, TokenKey {}
