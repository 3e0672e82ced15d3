/**
 * Buckets of response times, with which computing a percentile costs the same for any number of deliveries. Up to 20
 * ms, each bucket is one millisecond. After that, each begins at a time that is a tenth longer than for the previous
 * one. So the middle of a bucket differs from any time in it by at most 5 %.
 */
const growth = 1.1;
const linear = 20;

const lowest: number[] = [];
for (let low = 0; low <= 120_000; low = low < linear ? low + 1 : Math.max(low + 1, Math.ceil(low * growth))) {
  lowest.push(low);
}

/** The lowest response time of each bucket. The last bucket has no upper end. */
export const bucketLows: readonly number[] = lowest;

/** The response time that this share (0 to 1) of all deliveries does not exceed. */
export function percentileOf(histogram: ReadonlyMap<number, number>, share: number): number {
  const buckets = [...histogram].filter(([, count]) => count > 0).sort(([one], [other]) => one - other);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  let rank = Math.max(1, Math.ceil(share * total));
  for (const [bucket, count] of buckets) {
    if (rank <= count) return middleOf(bucket);
    rank -= count;
  }
  return 0;
}

function middleOf(bucket: number): number {
  const low = lowest[bucket] ?? 0;
  const next = lowest[bucket + 1] ?? low + 1;
  return next - low <= 1 ? low : Math.floor((low + next - 1) / 2);
}
