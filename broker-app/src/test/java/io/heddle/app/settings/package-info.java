/** The settings page is made here, and kept true. */
@NullMarked
package io.heddle.app.settings;

import org.jspecify.annotations.NullMarked;
