/**
 * Output of {@code heddle admin}: answers of the REST API as tables and texts for people, or as JSON.
 *
 * <p>Entry classes: {@link io.heddle.app.admin.output.ListOptions} for lists and {@link io.heddle.app.admin.output.OutputOptions} for
 * everything else. Runs on the main thread of the command. Invariant: no control character of an answer reaches the terminal; JSON is
 * printed as one document.
 */
@NullMarked
package io.heddle.app.admin.output;

import org.jspecify.annotations.NullMarked;
