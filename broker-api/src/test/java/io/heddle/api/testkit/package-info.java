/**
 * Test server: the real web server and configuration with administrators in memory.
 *
 * <p>Entry class: {@link io.heddle.api.testkit.ApiServer}. Each {@link io.heddle.api.testkit.ApiClient} uses its own
 * loopback address, so that a lockout affects only one test.
 */
@NullMarked
package io.heddle.api.testkit;

import org.jspecify.annotations.NullMarked;
