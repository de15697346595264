/**
 * Alerts that fire now.
 *
 * <p>Entry class: {@link io.heddle.api.alerts.AlertController}, on the virtual thread of the request, which asks all nodes. The nodes evaluate the
 * rules, {@code io.heddle.core.operator.alert}.
 */
@NullMarked
package io.heddle.api.alerts;

import org.jspecify.annotations.NullMarked;
