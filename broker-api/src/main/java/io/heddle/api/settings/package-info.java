/**
 * The settings that are in effect on the answering node, with the origin of each value.
 *
 * <p>Entry class: {@link io.heddle.api.settings.SettingsController}. Runs on the virtual thread of the request. Invariant: secrets are masked
 * before they reach this package. Settings are changed with a restart, so there are no changes here.
 */
@NullMarked
package io.heddle.api.settings;

import org.jspecify.annotations.NullMarked;
