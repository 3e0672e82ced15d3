/**
 * An endpoint whose deliveries fail for good, one after the other, gets a pause; its deliveries wait without spending an
 * attempt. After the pause one of them goes out as a probe: if it arrives, everything that waited follows; if it fails,
 * the next pause is twice as long, up to a day. After so many failures the webhook is switched off. Single attempts are
 * not counted, so that the retries of one delivery do not pause an endpoint that was away for a moment; nor is what
 * was under way when the pause began, or the burst in flight would count as weeks of failure.
 */
export const failuresBeforePause = 4;
export const failuresBeforeOff = 40;
export const longestPauseSeconds = 86_400;
