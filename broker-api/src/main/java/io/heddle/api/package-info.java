/**
 * People and tools administer the broker over HTTP.
 *
 * <p>One package per resource: its controller and its request and response records, which are the interface's contract and
 * never core's own records. Entry class: {@link io.heddle.api.config.ApiConfiguration}. Requests run on virtual threads and
 * may block. Invariant: nothing is served without signing in, except health. What a request decides or changes is core's.
 */
@NullMarked
package io.heddle.api;

import org.jspecify.annotations.NullMarked;
