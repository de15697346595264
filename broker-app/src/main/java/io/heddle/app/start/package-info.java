/**
 * Start and stop of a broker process: translates the command line, checks the settings, starts the Spring context and reports errors.
 *
 * <p>Entry class: {@link io.heddle.app.start.BrokerLifecycle}. Everything here runs on the thread that starts the process, except the stop,
 * which any thread may request. Each wrong input ends the start with one sentence that names the setting, its origin and the remedy. The
 * order of the start-up phases is in {@code HeddleConfiguration}.
 */
@NullMarked
package io.heddle.app.start;

import org.jspecify.annotations.NullMarked;
