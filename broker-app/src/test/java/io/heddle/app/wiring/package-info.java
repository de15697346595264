/**
 * Tests of components that exist only in the assembled broker. Tests of a whole broker are in {@code e2e}.
 */
@NullMarked
package io.heddle.app.wiring;

import org.jspecify.annotations.NullMarked;
