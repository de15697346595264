/** Tests of this package. */
@NullMarked
package io.heddle.standalone.directory;

import org.jspecify.annotations.NullMarked;
