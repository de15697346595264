/** Tests of the authentication with certificates, over a store in memory. */
@NullMarked
package io.heddle.core.authentication.fairness;

import org.jspecify.annotations.NullMarked;
