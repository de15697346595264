/** Tests of the child processes; those that start real ones end in IT. */
@NullMarked
package io.heddle.standalone;

import org.jspecify.annotations.NullMarked;
