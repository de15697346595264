/**
 * The console in a real browser.
 *
 * <p>Entry class: {@link io.heddle.app.e2e.browser.Chromium}. The thread of the test drives it, and each window with a signed-in administrator
 * has cookies of its own. Windows keep the Content-Security-Policy, and remember every error that a page reports. The brokers and the tests
 * themselves are in {@code io.heddle.app.e2e}.
 */
@NullMarked
package io.heddle.app.e2e.browser;

import org.jspecify.annotations.NullMarked;
