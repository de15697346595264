/** Tests of the input of {@code heddle credentials}, without a database. Tests of the whole command are in {@code launcher}. */
@NullMarked
package io.heddle.app.credentials;

import org.jspecify.annotations.NullMarked;
