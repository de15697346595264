/**
 * Output to the terminal of the person who started the process.
 *
 * <p>Entry class: {@link io.heddle.app.console.Console}, the only class that prints; any thread. Log lines are not printed here. Text that is
 * printed here, a generated password for instance, is not logged.
 */
@NullMarked
package io.heddle.app.console;

import org.jspecify.annotations.NullMarked;
