/**
 * Tests of what a person on the terminal sees of the log.
 *
 * <p>Entry class: none.
 */
@NullMarked
package io.heddle.app.console;

import org.jspecify.annotations.NullMarked;
