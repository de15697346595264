/** Tests of the commands about clients of {@code heddle admin}. */
@NullMarked
package io.heddle.app.admin.client;

import org.jspecify.annotations.NullMarked;
