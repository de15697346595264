/** Tests of the output of {@code heddle admin}. */
@NullMarked
package io.heddle.app.admin.output;

import org.jspecify.annotations.NullMarked;
