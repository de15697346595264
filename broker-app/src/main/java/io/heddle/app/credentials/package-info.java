/**
 * {@code heddle credentials add|list|remove} and {@code heddle admin reset-password}: what an operator says on the command line about
 * who may connect and who may administer.
 *
 * <p>Entry classes: {@link io.heddle.app.credentials.CredentialsCommand}, {@link
 * io.heddle.app.credentials.AdminCommand}. Runs on the main thread of a process of its own, beside a running broker or
 * without one, straight on PostgreSQL. A password is read from the terminal or from standard input, never from the
 * arguments, where other users of the machine could read it.
 */
@NullMarked
package io.heddle.app.credentials;

import org.jspecify.annotations.NullMarked;
