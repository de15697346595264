/**
 * SCRAM-SHA-256 and SCRAM-SHA-512 (RFC 5802 and RFC 7677) as methods of enhanced authentication.
 *
 * <p>Entry class: {@link io.heddle.persistence.scram.ScramMethod}. A client proves that it knows the password without sending it, and the broker
 * proves that it has the credentials. {@link io.heddle.persistence.scram.ScramVerifier} is stored in place of a password hash, in the form of
 * PostgreSQL. Invariants: a client learns neither whether a user exists nor whether it has a verifier ({@link
 * io.heddle.persistence.scram.Decoys}); a step costs a few HMACs, because the client computes the slow function; no password is stored.
 */
@NullMarked
package io.heddle.persistence.scram;

import org.jspecify.annotations.NullMarked;
