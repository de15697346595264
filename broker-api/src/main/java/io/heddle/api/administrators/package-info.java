/**
 * Administrators and API keys: the people and tools that may use the REST interface.
 *
 * <p>Entry class: {@link io.heddle.api.administrators.AdministratorController}; {@link
 * io.heddle.api.administrators.AccountController} is for the administrator who sends the request, {@link
 * io.heddle.api.administrators.ApiKeyController} for keys. Runs on the virtual thread of the request. Invariants: the
 * cluster keeps at least one administrator with the role ADMIN; no answer contains a password or a hash, and only that to its creation a key's secret. Each request reads its administrator or key
 * from the store, so changes take effect on all nodes at once. The sign-in is in {@code io.heddle.api.security}.
 */
@NullMarked
package io.heddle.api.administrators;

import org.jspecify.annotations.NullMarked;
