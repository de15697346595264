/** The traces of messages, and a collector that receives them. */
@NullMarked
package io.heddle.app.tracing;

import org.jspecify.annotations.NullMarked;
