/**
 * Tests of health and readiness, with stores that fail on command.
 */
@NullMarked
package io.heddle.app.health;

import org.jspecify.annotations.NullMarked;
