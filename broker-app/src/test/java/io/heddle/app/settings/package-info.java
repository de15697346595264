/**
 * Tests of limits that are derived from the machine: heap, open files and directories.
 */
@NullMarked
package io.heddle.app.settings;

import org.jspecify.annotations.NullMarked;
