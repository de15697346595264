/** Tests of the requests of {@code heddle admin}. */
@NullMarked
package io.heddle.app.admin.request;

import org.jspecify.annotations.NullMarked;
