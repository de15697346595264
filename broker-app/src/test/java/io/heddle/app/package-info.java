/** Test clients that several of the packages below use. */
@NullMarked
package io.heddle.app;

import org.jspecify.annotations.NullMarked;
