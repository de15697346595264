package io.heddle.app.e2e;

/** A message that a subscriber received, with its payload as text. */
record ReceivedMessage(String topic, String payload, int qos, boolean retain) {}
