/** Tests of commands for credentials and administrators. */
@NullMarked
package io.heddle.app.admin.access;

import org.jspecify.annotations.NullMarked;
