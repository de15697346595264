/**
 * The terminal of the person who started the program: the one place that prints.
 *
 * <p>Entry class: {@link io.heddle.app.console.Console}; any thread. What goes to the log is not printed here, and what is printed
 * here, a generated password for instance, does not go to the log.
 */
@NullMarked
package io.heddle.app.console;

import org.jspecify.annotations.NullMarked;
