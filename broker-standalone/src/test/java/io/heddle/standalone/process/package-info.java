/** Tests of this package. */
@NullMarked
package io.heddle.standalone.process;

import org.jspecify.annotations.NullMarked;
