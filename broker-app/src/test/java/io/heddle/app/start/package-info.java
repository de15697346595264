/**
 * Tests of the start checks: wrong input ends the start with one sentence. {@code docs/settings.md} is generated here.
 */
@NullMarked
package io.heddle.app.start;

import org.jspecify.annotations.NullMarked;
