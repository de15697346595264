@NullMarked
package io.heddle.persistence.http;

import org.jspecify.annotations.NullMarked;
