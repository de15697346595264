/**
 * The real web server with the real configuration over in-memory administrators, for the tests of this module.
 *
 * <p>Entry class: {@link io.heddle.api.testkit.ApiServer}. Each {@link io.heddle.api.testkit.ApiClient} comes from a loopback
 * address of its own, so that one test's lockout is not another's.
 */
@NullMarked
package io.heddle.api.testkit;

import org.jspecify.annotations.NullMarked;
