/**
 * Authentication with JSON Web Tokens (JWT, RFC 7519), which clients send as their passwords. The only package that uses jose4j.
 *
 * <p>Entry class: {@link io.heddle.persistence.jwt.JwtAuthenticator}, called on virtual threads. {@link
 * io.heddle.persistence.jwt.RemoteKeys} blocks while keys are fetched, with a limit for time, size and waiting clients. Invariants: the key
 * decides which algorithms may verify with it, never the token; a name is only passed on if a claim proves it. Core bounds the concurrent calls
 * and disconnects clients whose tokens expire; {@link io.heddle.persistence.jwt.RemovedKeys} disconnects those whose keys are removed.
 */
@NullMarked
package io.heddle.persistence.jwt;

import org.jspecify.annotations.NullMarked;
