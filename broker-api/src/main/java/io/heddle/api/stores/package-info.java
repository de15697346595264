/**
 * The servers behind the stores: topics of Kafka, servers of Redis.
 *
 * <p>Entry class: {@link io.heddle.api.stores.StoreController}, on the virtual thread of the request. Any node answers, with what the
 * servers say at that moment; no answer contains a secret of the connection. The topics of APPLICATION clients are in {@code
 * api.applications}.
 */
@NullMarked
package io.heddle.api.stores;

import org.jspecify.annotations.NullMarked;
