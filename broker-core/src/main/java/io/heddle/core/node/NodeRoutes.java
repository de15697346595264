package io.heddle.core.node;

import io.heddle.core.delivery.bucket.remote.PushRouting;
import io.heddle.core.retained.OtherWriters;
import io.heddle.core.session.registrar.remote.RegistrarRouting;

/**
 * The ways of a node to the other nodes of the cluster.
 *
 * @param registrar to the nodes that decide about clients
 * @param pushes between the holders of buckets and the nodes of their clients
 * @param messages to and from the other nodes
 * @param writers tells whether there are such nodes
 * @param buckets learns for whose clients the other nodes ask this one
 */
public record NodeRoutes(
        RegistrarRouting registrar,
        PushRouting pushes,
        MessageRouting messages,
        OtherWriters writers,
        BucketListener buckets) {}
