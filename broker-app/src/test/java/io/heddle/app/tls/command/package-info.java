/** Tests of the command {@code heddle tls}. */
@NullMarked
package io.heddle.app.tls.command;

import org.jspecify.annotations.NullMarked;
