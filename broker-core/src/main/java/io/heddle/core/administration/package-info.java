/**
 * Administrators and API keys: the people and tools that sign in to the REST interface and the metrics.
 *
 * <p>Entry class: {@link io.heddle.core.administration.AdminUsers}, a port that may block and is called on virtual threads only; {@link
 * io.heddle.core.administration.FirstAdministrator} uses it at startup. {@link io.heddle.core.administration.ApiKeys} is the same for keys, and
 * {@link io.heddle.core.administration.AdminSessions} for sessions in browsers. {@link io.heddle.core.administration.AuditLog} records the
 * changes that administrators make. Invariant: a cluster's first administrator is created exactly once, even if many nodes start together, and
 * not before its password was announced. It is above {@code authentication}, whose password hash it uses; no other package of core uses it,
 * since MQTT clients and administrators have separate accounts. The REST module handles sign-in and the permissions of roles.
 */
@NullMarked
package io.heddle.core.administration;

import org.jspecify.annotations.NullMarked;
