/**
 * The page for people who open the address of the node in a browser.
 *
 * <p>Entry class: {@link io.heddle.api.status.StatusPage}. Runs on the virtual thread of the request. Invariants: HTML without scripts, styles
 * and images, which the Content-Security-Policy forbids; without a sign-in, nothing that the health does not tell as well. Tools use
 * {@code io.heddle.api.node}.
 */
@NullMarked
package io.heddle.api.status;

import org.jspecify.annotations.NullMarked;
