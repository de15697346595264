/**
 * Every setting of the broker, as an operator writes it: {@code heddle.<capability>.<name>}.
 *
 * <p>Entry class: {@link io.heddle.app.settings.HeddleSettings}. Immutable; bound and checked once, at start. A key below
 * {@code heddle} that is not a component of these records is refused. Each record turns itself into what its module takes;
 * the descriptions in the reference page are these records' Javadoc.
 */
@NullMarked
package io.heddle.app.settings;

import org.jspecify.annotations.NullMarked;
