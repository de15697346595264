/** Tests of the command {@code heddle admin}. The nodes are HTTP servers of the JDK with fixed answers. */
@NullMarked
package io.heddle.app.admin;

import org.jspecify.annotations.NullMarked;
