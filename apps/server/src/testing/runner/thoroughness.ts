/**
 * `npm test` runs for every change, and somebody waits for it; `npm run test:nightly` has time. Random, repeated and
 * combined tests run more often at night; files named `x.nightly.test.ts` run only at night.
 */
export const isNightly = process.env.NIGHTLY === 'true';

export const byNight = <Value>(thorough: Value, otherwise: Value): Value => (isNightly ? thorough : otherwise);

/**
 * The same requests for every change, different ones every night. `FUZZ_SEED` repeats a failure, which prints its seed.
 */
export const fuzzSeed = Number(process.env.FUZZ_SEED ?? byNight(Date.now() % 1_000_000, 20_260_101));

/** Number of runs of a property. `FUZZ_RUNS=2000` tests more thoroughly. */
export const fuzzRuns = (nightly: number, otherwise: number): number =>
  Number(process.env.FUZZ_RUNS ?? byNight(nightly, otherwise));
