/**
 * Settings of the broker, as an operator writes them: {@code heddle.<capability>.<name>}.
 *
 * <p>Entry class: {@link io.heddle.app.settings.HeddleSettings}. The records are immutable; they are bound and validated once, at start.
 * Keys below {@code heddle} that are not components of these records are rejected. Each record creates the settings of the module that uses
 * it. The Javadoc of the components is the text of docs/settings.md.
 */
@NullMarked
package io.heddle.app.settings;

import org.jspecify.annotations.NullMarked;
