/** Tests of the drain in virtual time. */
@NullMarked
package io.heddle.app.drain;

import org.jspecify.annotations.NullMarked;
