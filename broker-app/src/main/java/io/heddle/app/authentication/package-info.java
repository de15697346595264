/**
 * The settings of methods of authentication that need more than a few.
 *
 * <p>Entry classes: {@link io.heddle.app.authentication.JwtSettings}, {@link io.heddle.app.authentication.HttpServiceSettings}, {@link
 * io.heddle.app.authentication.CertificateSettings}. The settings of all methods together are in {@link
 * io.heddle.app.settings.AuthenticationSettings}, and the methods are constructed in {@link io.heddle.app.wiring}.
 */
@NullMarked
package io.heddle.app.authentication;

import org.jspecify.annotations.NullMarked;
