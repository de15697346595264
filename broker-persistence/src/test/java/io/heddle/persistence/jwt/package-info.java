@NullMarked
package io.heddle.persistence.jwt;

import org.jspecify.annotations.NullMarked;
