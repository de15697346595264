/**
 * The binary formats of what is stored in Kafka and Redis: one class for each, with its layout in its comment.
 *
 * <p>Enter at {@link io.heddle.persistence.record.MessageFormat}. All are big endian and begin with a byte that says their version; what
 * is once written stays readable, and each has a golden file in the tests and an example in docs/data.md. Reading what is cut off or of
 * an unknown version fails with a sentence that names where it lies, and never passes over it. Any thread; nothing here keeps state. Not
 * here: who stores what where, which the adapters know.
 */
@NullMarked
package io.heddle.persistence.record;

import org.jspecify.annotations.NullMarked;
