/**
 * The circuit breaker pauses an endpoint after several deliveries in a row have failed permanently. During a pause,
 * deliveries wait without using an attempt. After the pause, one delivery is sent as a probe. If it arrives, all
 * waiting deliveries follow. If it fails, the next pause is twice as long, up to a day. After `failuresBeforeOff`
 * failures, the webhook is turned off. Single attempts are not counted, so the retries of one delivery do not pause an
 * endpoint that was briefly down. Deliveries that were already in progress when the pause began are not counted either.
 * Otherwise, one burst would count as weeks of failure.
 */
export const failuresBeforePause = 4;
export const failuresBeforeOff = 40;
export const longestPauseSeconds = 86_400;
