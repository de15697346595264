/**
 * The web client that methods of authentication share, and the trust in the servers that it asks.
 *
 * <p>Entry class: {@link io.heddle.persistence.http.WebClient}, called on virtual threads. Invariant: a request ends in time, and its answer
 * has a bounded size. The callers bound the number of concurrent requests.
 */
@NullMarked
package io.heddle.persistence.http;

import org.jspecify.annotations.NullMarked;
