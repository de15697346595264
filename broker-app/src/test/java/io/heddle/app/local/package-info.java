/** Tests of the addresses of brokers in a data directory. */
@NullMarked
package io.heddle.app.local;

import org.jspecify.annotations.NullMarked;
