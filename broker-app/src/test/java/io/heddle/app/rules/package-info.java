@NullMarked
package io.heddle.app.rules;

import org.jspecify.annotations.NullMarked;
