package io.heddle.api.config;

import io.heddle.api.applications.ApplicationController;
import io.heddle.api.audit.Audit;
import io.heddle.api.buckets.BucketController;
import io.heddle.api.message.MessageLimits;
import io.heddle.api.page.EntityTags;
import io.heddle.api.publish.PublishController;
import io.heddle.api.queues.QueueController;
import io.heddle.api.refusals.RefusalController;
import io.heddle.api.retained.RetainedController;
import io.heddle.api.stores.StoreController;
import io.heddle.core.operator.bucket.ServingBuckets;
import io.heddle.core.operator.message.ServingMessages;
import io.heddle.core.operator.refusal.ServingRefusals;
import io.heddle.core.operator.store.HangingTransactions;
import io.heddle.core.operator.store.LogServers;
import io.heddle.core.operator.store.QueueServers;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Beans of the resources of messages, buckets, refusals and stores. Requires beans of {@link ServingMessages}, {@link ServingBuckets}, {@link
 * ServingRefusals}, {@link
 * LogServers}, {@link QueueServers}, {@link HangingTransactions}, {@link MessageLimits} and {@link Audit}.
 */
@Configuration(proxyBeanMethods = false)
public class MessageConfiguration {
    @Bean
    RetainedController retainedController(
            ServingMessages messages, Audit audit, MessageLimits limits, EntityTags tags) {
        return new RetainedController(messages, audit, limits, tags);
    }

    @Bean
    PublishController publishController(ServingMessages messages, Audit audit, MessageLimits limits) {
        return new PublishController(messages, audit, limits);
    }

    @Bean
    QueueController queueController(ServingMessages messages, Audit audit) {
        return new QueueController(messages, audit);
    }

    @Bean
    BucketController bucketController(ServingBuckets buckets) {
        return new BucketController(buckets);
    }

    @Bean
    RefusalController refusalController(ServingRefusals refusals) {
        return new RefusalController(refusals);
    }

    @Bean
    StoreController storeController(
            LogServers logs, QueueServers queues, HangingTransactions transactions, Audit audit) {
        return new StoreController(logs, queues, transactions, audit);
    }

    @Bean
    ApplicationController applicationController(ServingMessages messages, Audit audit) {
        return new ApplicationController(messages, audit);
    }
}
