/**
 * Tests of the log lines on the terminal.
 *
 * <p>Entry class: none.
 */
@NullMarked
package io.heddle.app.console;

import org.jspecify.annotations.NullMarked;
