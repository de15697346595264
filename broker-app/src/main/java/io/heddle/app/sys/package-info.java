/**
 * The settings of the topics about the broker, and the phase that keeps their values up to date.
 *
 * <p>Entry class: {@link io.heddle.app.sys.SysStatusUpdates}, with one housekeeping thread while the broker runs. Core computes and
 * delivers the values. Invariant: the first values exist before clients connect.
 */
@NullMarked
package io.heddle.app.sys;

import org.jspecify.annotations.NullMarked;
