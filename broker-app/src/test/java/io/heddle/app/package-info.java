/**
 * Tests of the program's outermost parts in one process, without servers: what it makes of its arguments and settings.
 *
 * <p>Entry class: none. What needs a whole broker is tested in the packages below.
 */
@NullMarked
package io.heddle.app;

import org.jspecify.annotations.NullMarked;
