@NullMarked
package io.heddle.app.authentication;

import org.jspecify.annotations.NullMarked;
