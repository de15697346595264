/**
 * The console: the pages for administrators in a browser.
 *
 * <p>Entry class: {@link io.heddle.api.console.ConsoleController}, which renders the pages that {@link io.heddle.api.console.ConsolePages}
 * lists. Runs on the virtual thread of the request; the requests that feed a page run on virtual threads of their own. Invariants: pages know
 * the broker only through the REST interface, with the role of the administrator ({@link io.heddle.api.console.Rest}); HTML has no inline
 * scripts and styles; templates escape all values. Changes are not here: the script of the pages sends them to the REST interface. The sign-in
 * and its cookie are in {@code io.heddle.api.security}.
 */
@NullMarked
package io.heddle.api.console;

import org.jspecify.annotations.NullMarked;
