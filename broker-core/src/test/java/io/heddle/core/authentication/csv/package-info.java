/** Tests of the import of credentials, over a store in memory and with hashes that are fast. */
@NullMarked
package io.heddle.core.authentication.csv;

import org.jspecify.annotations.NullMarked;
