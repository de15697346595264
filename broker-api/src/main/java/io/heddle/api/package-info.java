/**
 * REST interface for administrators and their tools.
 *
 * <p>Entry class: {@link io.heddle.api.config.ApiConfiguration}. Each resource has a package with its controller and its request and
 * response records, which define the interface and never are records of core. Requests run on virtual threads and may block. Invariant:
 * every request except health needs a sign-in. The logic behind a request belongs to core.
 */
@NullMarked
package io.heddle.api;

import org.jspecify.annotations.NullMarked;
