/**
 * Password hashes: Argon2id, in the PHC string format that other tools read and write.
 *
 * <p>Entry class: {@link io.heddle.persistence.password.Argon2PasswordHash}. A hash costs tens of milliseconds and 19 MiB, so virtual
 * threads compute it, and a semaphore bounds the concurrent computations. {@link
 * io.heddle.persistence.password.RememberingPasswordHash} avoids repeated computations. Invariants: a hash planted in the database cannot
 * exceed the memory and time limits of {@link io.heddle.persistence.password.PhcString}; no password is stored. Core schedules the
 * clients that wait for a computation and decides which may sign in.
 */
@NullMarked
package io.heddle.persistence.password;

import org.jspecify.annotations.NullMarked;
