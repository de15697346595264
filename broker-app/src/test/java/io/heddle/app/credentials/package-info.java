/** Tests of what {@code heddle credentials} takes, without a database; the whole command is tested where the launcher is. */
@NullMarked
package io.heddle.app.credentials;

import org.jspecify.annotations.NullMarked;
