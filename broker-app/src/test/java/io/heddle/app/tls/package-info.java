/** Tests of the settings of TLS. */
@NullMarked
package io.heddle.app.tls;

import org.jspecify.annotations.NullMarked;
