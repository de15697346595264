/** Tests of the command {@code heddle rules}. */
@NullMarked
package io.heddle.app.rules;

import org.jspecify.annotations.NullMarked;
