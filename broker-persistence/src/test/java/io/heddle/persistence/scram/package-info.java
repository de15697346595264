@NullMarked
package io.heddle.persistence.scram;

import org.jspecify.annotations.NullMarked;
