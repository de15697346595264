/**
 * The command {@code heddle admin}, which administers a cluster and its administrators.
 *
 * <p>Entry class: {@link io.heddle.app.admin.AdminCommand}. Runs on the main thread of its own process. The subcommands ask a
 * running node over its REST API; only {@code reset-password} is in {@code io.heddle.app.credentials} and works on PostgreSQL. The
 * commands about nodes are here, those about clients, messages and access in packages of their own. Invariant: exit status 0 for success, 1 for a
 * failure with one sentence, 2 for wrong arguments.
 */
@NullMarked
package io.heddle.app.admin;

import org.jspecify.annotations.NullMarked;
