/**
 * The command {@code heddle admin}, which administers a cluster and its administrators.
 *
 * <p>Entry class: {@link io.heddle.app.admin.AdminCommand}. Runs on the main thread of its own process. The subcommands about nodes ask a
 * running node over HTTP; the one about passwords is in {@code io.heddle.app.credentials} and works on PostgreSQL.
 */
@NullMarked
package io.heddle.app.admin;

import org.jspecify.annotations.NullMarked;
