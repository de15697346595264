/**
 * Messages in requests and answers, and what the resources of messages share. Runs on the virtual thread of the request. No message is changed
 * here; the resources that do so are in packages of their own.
 */
@NullMarked
package io.heddle.api.message;

import org.jspecify.annotations.NullMarked;
